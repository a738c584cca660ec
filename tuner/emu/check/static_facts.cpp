#include "emu/check/static_facts.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "emu/async/exec_async.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"
#include "emu/exec/special_register.h"
#include "emu/tensor/exec_tensor.h"

namespace warpwright::emu {
namespace {

bool is_clock(const Inst& inst) {
  switch (static_cast<SpecialRegister>(inst.immediate)) {
    case SpecialRegister::kClock:
    case SpecialRegister::kClock64:
    case SpecialRegister::kClockHi:
    case SpecialRegister::kGlobaltimer:
    case SpecialRegister::kGlobaltimerLo:
    case SpecialRegister::kGlobaltimerHi:
      return true;
    default:
      return false;
  }
}

template <class... Handlers>
bool runs(const Inst& inst, Handlers... handlers) {
  return ((inst.run == handlers) || ...);
}

// Whether the effect of the instruction depends only on what its own warp did before, on the memory
// that it reads and, for a barrier, on the arrival of all warps of the block.
bool is_insensitive(const Inst& inst, std::string_view opcode) {
  switch (inst.klass) {
    case InstClass::kLoadStore:
      if (runs(inst, &exec_sync, &exec_nothing, &exec_ldmatrix, &exec_stmatrix, &exec_movmatrix,
               &exec_wmma_load, &exec_wmma_store))
        return true;
      return (opcode.starts_with("ld.") || opcode.starts_with("st.")) &&
             !opcode.starts_with("st.async") && (memory_order(opcode, true) & Order::kStrong) == 0;
    case InstClass::kControl:
      if (inst.run == &exec_barrier)
        return inst.src[1] == kNoRegister && (inst.flags & BarrierFlags::kArrive) == 0;
      return runs(inst, &exec_sync, &exec_branch, &exec_branch_indexed, &exec_call,
                  &exec_call_indirect, &exec_ret, &exec_exit);
    case InstClass::kTensor:
      return !is_wgmma(opcode);
    case InstClass::kOther:
      return runs(inst, &exec_sync, &exec_nothing, &exec_fence, &exec_left_out);
    default:
      return inst.run != &exec_special_register || !is_clock(inst);
  }
}

}  // namespace

std::uint8_t memory_order(std::string_view opcode, bool in_clusters) {
  const auto has = [opcode](std::string_view part) { return opcode.find(part) != opcode.npos; };
  std::uint8_t order = Order::kKnown;
  const bool atomic = opcode.starts_with("atom") || opcode.starts_with("red.");
  if (atomic || has(".volatile") || has(".relaxed") || has(".acquire") || has(".release") ||
      has(".acq_rel") || has(".mmio"))
    order |= Order::kStrong;
  const bool read_only = (opcode.starts_with("ld.") && has(".nc")) || opcode.starts_with("tex.");
  if (read_only) order |= Order::kReadOnly;
  if (has(".release") || has(".acq_rel")) order |= Order::kRelease;
  if (has(".acquire") || has(".acq_rel")) order |= Order::kAcquire;
  if (has(".volatile")) order |= Order::kVolatile;
  if (has(".cta") || (has(".cluster") && !in_clusters)) order |= Order::kOfBlock;
  return order;
}

bool is_move(std::string_view opcode) {
  return opcode.starts_with("mov.") && !opcode.starts_with("mov.pred");
}
bool is_wgmma(std::string_view opcode) { return opcode.starts_with("wgmma.mma_async"); }
bool is_parameter(std::string_view opcode) { return opcode.find(".param") != opcode.npos; }

bool stays_in_lane(InstClass klass, std::string_view opcode) {
  switch (klass) {
    case InstClass::kLoadStore:
    case InstClass::kControl:
    case InstClass::kTensor:
    case InstClass::kOther:  // votes, printf, setmaxnreg
      return false;
    default:
      return opcode.find(".cc") == opcode.npos;  // the carry is not held in a register
  }
}

void add_what_feeds(const Program& program, const std::vector<std::uint32_t>& through,
                    std::unordered_set<std::uint32_t>& registers) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> writers;  // by register
  for (const std::uint32_t pc : through)
    for (const OperandUse& use : program.uses_of(pc))
      if (use.defines) writers[use.reg].push_back(pc);
  std::vector<std::uint32_t> waiting(registers.begin(), registers.end());
  while (!waiting.empty()) {
    const auto found = writers.find(waiting.back());
    waiting.pop_back();
    if (found == writers.end()) continue;
    for (const std::uint32_t pc : found->second)
      for (const OperandUse& use : program.uses_of(pc))
        if (!use.defines && !use.guard && registers.insert(use.reg).second)
          waiting.push_back(use.reg);
  }
}

std::vector<bool> find_wgmma_feeders(const Program& program) {
  std::unordered_set<std::uint32_t> used;
  std::vector<std::uint32_t> moves;
  for (std::uint32_t pc = 0; pc < program.opcodes.size(); ++pc) {
    if (is_move(program.opcodes[pc])) moves.push_back(pc);
    if (!is_wgmma(program.opcodes[pc])) continue;
    for (const OperandUse& use : program.uses_of(pc))
      if (use.bits == 32 && !use.guard) used.insert(use.reg);
  }
  if (used.empty()) return {};
  const auto writes = [&](std::uint32_t pc) {
    const auto uses = program.uses_of(pc);
    return std::any_of(uses.begin(), uses.end(), [&](const OperandUse& use) {
      return use.defines && used.contains(use.reg);
    });
  };
  add_what_feeds(program, moves, used);
  std::vector<bool> feeders(program.opcodes.size());
  for (std::uint32_t pc = 0; pc < feeders.size(); ++pc)
    feeders[pc] = !is_wgmma(program.opcodes[pc]) && writes(pc);
  return feeders;
}

std::vector<bool> find_schedule_sensitive(const Program& program) {
  std::vector<bool> sensitive(program.code.size());
  bool any = false;
  for (std::uint32_t pc = 0; pc < sensitive.size(); ++pc) {
    sensitive[pc] = !is_insensitive(program.code[pc], program.opcodes[pc]);
    any = any || sensitive[pc];
  }
  return any ? sensitive : std::vector<bool>{};
}

bool is_polled(const Program& program, std::uint32_t load) {
  const auto function =
      std::find_if(program.functions.begin(), program.functions.end(),
                   [load](const Function& f) { return f.first_pc <= load && load < f.end_pc; });
  for (std::uint32_t last = load; last < function->end_pc; ++last) {
    const Inst& back = program.code[last];
    const auto first = static_cast<std::uint32_t>(back.immediate);
    if (back.run != &exec_branch || first > load) continue;
    // Registers that hold a value derived from the load, in the loop from `first` to `last`.
    std::unordered_set<std::uint32_t> held;
    for (const OperandUse& use : program.uses_of(load))
      if (use.defines) held.insert(use.reg);
    for (std::size_t before = 0; before != held.size();) {
      before = held.size();
      for (std::uint32_t pc = first; pc <= last; ++pc) {
        const auto uses = program.uses_of(pc);
        const bool reads = std::any_of(uses.begin(), uses.end(), [&](const OperandUse& use) {
          return !use.defines && held.contains(use.reg);
        });
        if (!reads) continue;
        if (program.code[pc].run == &exec_branch) return true;
        for (const OperandUse& use : uses)
          if (use.defines) held.insert(use.reg);
      }
    }
  }
  return false;
}

std::vector<bool> find_cas_reads(const Program& program) {
  // The operands of a compare-and-swap: its address, the compared value and the new value.
  struct Swap {
    std::vector<std::uint32_t> sources;
    std::int64_t offset = 0;
  };
  const auto sources_of = [&](std::uint32_t pc) {
    std::vector<std::uint32_t> sources;
    for (const OperandUse& use : program.uses_of(pc))
      if (!use.defines && !use.guard) sources.push_back(use.reg);
    return sources;
  };
  std::vector<Swap> swaps;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const std::string_view opcode = program.opcodes[pc];
    if (opcode.starts_with("atom.") && opcode.find(".cas") != opcode.npos)
      swaps.push_back({sources_of(pc), program.code[pc].immediate});
  }
  std::vector<bool> reads(swaps.empty() ? 0 : program.code.size());
  // The registers that moves copy a register to.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> moved_to;
  for (std::uint32_t pc = 0; pc < reads.size(); ++pc) {
    if (!is_move(program.opcodes[pc])) continue;
    const std::vector<std::uint32_t> from = sources_of(pc);
    if (from.size() != 1) continue;
    for (const OperandUse& use : program.uses_of(pc))
      if (use.defines) moved_to[from[0]].push_back(use.reg);
  }
  bool any = false;
  for (std::uint32_t load = 0; load < reads.size(); ++load) {
    const std::string_view opcode = program.opcodes[load];
    if (!opcode.starts_with("ld.") || is_parameter(opcode) ||
        (memory_order(opcode, true) & Order::kStrong) != 0)
      continue;
    const std::vector<std::uint32_t> address = sources_of(load);
    std::unordered_set<std::uint32_t> held;
    for (const OperandUse& use : program.uses_of(load))
      if (use.defines) held.insert(use.reg);
    std::vector<std::uint32_t> waiting(held.begin(), held.end());
    while (!waiting.empty()) {
      const auto found = moved_to.find(waiting.back());
      waiting.pop_back();
      if (found == moved_to.end()) continue;
      for (const std::uint32_t reg : found->second)
        if (held.insert(reg).second) waiting.push_back(reg);
    }
    // The address of a variable uses no register; the compared value is then the first source.
    reads[load] = std::any_of(swaps.begin(), swaps.end(), [&](const Swap& swap) {
      const std::size_t compared = address.size();
      return address.size() <= 1 && swap.sources.size() > compared &&
             std::equal(address.begin(), address.end(), swap.sources.begin()) &&
             swap.offset == program.code[load].immediate && held.contains(swap.sources[compared]);
    });
    any = any || reads[load];
  }
  return any ? reads : std::vector<bool>{};
}

}  // namespace warpwright::emu
