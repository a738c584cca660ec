#include "emu/check/tentative_reads.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "emu/check/accesses.h"
#include "emu/check/block_checks.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {
namespace {

// True for a plain load of shared memory whose address does not depend on a register.
bool is_of_known_address(const Program& program, std::uint32_t pc) {
  const std::string_view opcode = program.opcodes[pc];
  if (!opcode.starts_with("ld.shared") || (memory_order(opcode, true) & Order::kStrong) != 0)
    return false;
  const auto uses = program.uses_of(pc);
  return std::none_of(uses.begin(), uses.end(), [](const OperandUse& use) { return !use.defines; });
}

// Returns, by pc, the number of its basic block.
std::vector<std::uint32_t> blocks_of(const Program& program) {
  std::vector<bool> starts(program.code.size() + 1);
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const Inst& inst = program.code[pc];
    const bool indexed = inst.run == &exec_branch_indexed;
    if (inst.run != &exec_branch && !indexed) continue;
    starts[pc + 1] = true;
    if (!indexed) starts[static_cast<std::size_t>(inst.immediate)] = true;
    for (std::uint32_t i = 0; indexed && i < inst.immediate; ++i)
      starts[program.extra[inst.extra + i]] = true;
  }
  std::vector<std::uint32_t> blocks(program.code.size());
  std::uint32_t block = 0;
  for (std::uint32_t pc = 0; pc < blocks.size(); ++pc) blocks[pc] = block += starts[pc] ? 1 : 0;
  return blocks;
}

// Registers whose values reach a selection, or a guarded instruction, through arithmetic.
std::unordered_set<std::uint32_t> selected_registers(const Program& program) {
  std::unordered_set<std::uint32_t> selected;
  std::vector<std::uint32_t> arithmetic;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    if (stays_in_lane(program.code[pc].klass, program.opcodes[pc])) arithmetic.push_back(pc);
    if (!program.opcodes[pc].starts_with("selp") && program.code[pc].guard == 0) continue;
    for (const OperandUse& use : program.uses_of(pc))
      if (!use.defines && !use.guard) selected.insert(use.reg);
  }
  add_what_feeds(program, arithmetic, selected);
  return selected;
}

// Whether the instruction may order accesses of its thread with accesses of other threads. Pending
// loads of the lane count before such an instruction.
bool may_order(const Inst& inst, std::string_view opcode) {
  if (stays_in_lane(inst.klass, opcode)) return false;
  for (const std::string_view flow : {"bra", "brx", "call", "ret", "exit", "shfl", "vote", "match",
                                      "activemask", "nanosleep", "prefetch"})
    if (opcode.starts_with(flow)) return false;
  if (opcode.starts_with("ld.") || (opcode.starts_with("st.") && !opcode.starts_with("st.async")))
    return (memory_order(opcode, true) & Order::kStrong) != 0;
  return true;
}

// By pc: whether it is such a load, and its value may be thrown away: it reaches a selection, an
// instruction with a guard, or another basic block. Empty for a program without any.
std::vector<bool> find_tentative_loads(const Program& program) {
  std::vector<std::uint32_t> loads;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc)
    if (is_of_known_address(program, pc)) loads.push_back(pc);
  if (loads.empty()) return {};
  std::unordered_map<std::uint32_t, std::uint32_t> block_of_value;
  const std::vector<std::uint32_t> blocks = blocks_of(program);
  for (const std::uint32_t load : loads)
    for (const OperandUse& use : program.uses_of(load)) block_of_value[use.reg] = blocks[load];
  std::unordered_set<std::uint32_t> leave;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    for (const OperandUse& use : program.uses_of(pc)) {
      const auto value = block_of_value.find(use.reg);
      if (!use.defines && value != block_of_value.end() && value->second != blocks[pc])
        leave.insert(use.reg);
    }
  }
  const std::unordered_set<std::uint32_t> selected = selected_registers(program);
  std::vector<bool> tentative(program.code.size());
  bool any = false;
  for (const std::uint32_t load : loads) {
    const auto uses = program.uses_of(load);
    tentative[load] = std::any_of(uses.begin(), uses.end(), [&](const OperandUse& use) {
      return leave.contains(use.reg) || selected.contains(use.reg);
    });
    any = any || tentative[load];
  }
  return any ? tentative : std::vector<bool>{};
}

}  // namespace

TentativeReads::TentativeReads(const LaunchContext& context, Accesses& accesses)
    : context_(&context), accesses_(&accesses), loads_(find_tentative_loads(*context.program)) {}

void TentativeReads::note(Warp& warp, std::uint32_t pc, std::uint32_t lanes, std::uint64_t address,
                          std::size_t bytes) {
  TentativeValues& values = warp.block().checks()->registers[warp.index()].tentative;
  const auto read = std::make_shared<TentativeRead>(TentativeRead{pc, address, bytes, lanes});
  for (const OperandUse& use : context_->program->uses_of(pc))
    if (use.defines) values[use.reg].push_back({read, lanes});
}

// The read counts for those of `lanes` for which it is still open.
void TentativeReads::settle(Warp& warp, TentativeRead& read, std::uint32_t lanes) {
  lanes &= read.open;
  if (lanes == 0) return;
  read.open &= ~lanes;
  LaneAddresses addresses;
  std::fill(std::begin(addresses.at), std::end(addresses.at), read.address);
  accesses_->access(warp, &warp.block(), lanes, addresses,
                    {read.pc, read.bytes, AccessKind::kLoad, LanesAccess::kSettles});
}

void TentativeReads::step(Warp& warp, TentativeValues& values, std::uint32_t pc,
                          std::uint32_t active) {
  const Program& program = *context_->program;
  const Inst& inst = program.code[pc];
  const std::string_view opcode = program.opcodes[pc];
  if (may_order(inst, opcode)) {
    for (auto& [reg, held] : values)
      for (const TentativeValue& value : held) settle(warp, *value.read, warp.mask());
  }
  const bool stays = stays_in_lane(inst.klass, opcode);
  std::vector<std::uint32_t> selected;
  if (opcode.starts_with("selp")) selected = lanes_of_selection(warp, inst);
  std::size_t next_selected = 0;
  std::vector<TentativeValue> carried;
  for (const OperandUse& use : program.uses_of(pc)) {
    if (use.defines) continue;
    std::uint32_t concerned = use.guard ? active : warp.mask();
    if (!use.guard && next_selected < selected.size()) concerned &= selected[next_selected++];
    const auto found = values.find(use.reg);
    if (found == values.end()) continue;
    for (const TentativeValue& value : found->second) {
      const std::uint32_t here = value.lanes & value.read->open & concerned;
      if (!stays || use.guard) {
        settle(warp, *value.read, here);
      } else if (here != 0) {
        carried.push_back({value.read, here});
      }
    }
  }
  for (const OperandUse& use : program.uses_of(pc)) {
    if (!use.defines || (carried.empty() && !values.contains(use.reg))) continue;
    std::vector<TentativeValue>& held = values[use.reg];
    for (TentativeValue& value : held) value.lanes &= ~warp.mask();
    held.insert(held.end(), carried.begin(), carried.end());
  }
  // Reads that have counted, or were thrown away, are no longer tracked.
  for (auto& [reg, held] : values)
    std::erase_if(
        held, [](const TentativeValue& value) { return (value.lanes & value.read->open) == 0; });
  std::erase_if(values, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace warpwright::emu
