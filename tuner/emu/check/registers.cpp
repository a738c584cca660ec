// Tracks values that were never computed until they affect something, and registers that a wgmma
// still uses.
#include "emu/check/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>

#include "emu/check/checker.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"
#include "emu/lanes/lane_table.h"

namespace warpwright::emu {
namespace {

bool is_shuffle(std::string_view opcode) { return opcode.starts_with("shfl"); }

}  // namespace

std::vector<std::uint32_t> lanes_of_selection(Warp& warp, const Inst& inst) {
  const std::vector<ConstantRow>& constants = warp.frame().function->constants;
  const auto is_constant = [&](std::uint32_t row) {
    return std::any_of(constants.begin(), constants.end(),
                       [row](const ConstantRow& constant) { return constant.row == row; });
  };
  const std::uint32_t chosen =
      warp.predicate(inst.src[2]) ^ ((inst.flags & CompareFlags::kNegated) != 0 ? kAllLanes : 0);
  std::vector<std::uint32_t> lanes;
  if (!is_constant(inst.src[0])) lanes.push_back(chosen);
  if (!is_constant(inst.src[1])) lanes.push_back(~chosen);
  return lanes;
}

bool Checker::watches_registers(const Warp& warp) const {
  return !warp.block().checks()->registers[warp.index()].idle();
}

void Checker::step(Warp& warp, std::uint32_t pc, std::uint32_t active) {
  if (!undecided_.empty()) decide_stores();
  if (!schedule_sensitive_.empty() && schedule_sensitive_[pc] && warp.mask() != 0)
    schedule_matters_ = true;
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  if (!wgmma_feeders_.empty() && wgmma_feeders_[pc]) step_feeder(checks, pc);
  if (checks.idle()) return;
  if (!checks.tentative.empty()) step_tentative(warp, checks, pc, active);
  if (!checks.flights.empty()) step_flights(warp, checks, pc);
  if (!checks.undefined.empty()) step_undefined(warp, checks, pc, active);
  if (!checks.unwritten.empty()) step_unwritten(warp, checks, pc, active);
}

void Checker::step_flights(Warp& warp, RegisterChecks& checks, std::uint32_t pc) {
  const Program& program = *context_->program;
  const std::string_view opcode = program.opcodes[pc];
  if (is_wgmma(opcode)) return;  // sums continue in the same registers
  const RegisterChecks::Flight* carried = nullptr;
  std::uint32_t from = 0;
  for (const OperandUse& use : program.uses_of(pc)) {
    const auto found = checks.flights.find(use.reg);
    if (found == checks.flights.end()) continue;
    const RegisterChecks::Flight& flight = found->second;
    if (!use.defines && flight.use == RegisterChecks::Use::kRead) continue;
    if (is_move(opcode)) {
      // The compiler renames PTX registers; the hardware register stays the same.
      if (!use.defines) {
        carried = &flight;
        from = use.reg;
      }
      continue;
    }
    Hazard hazard;
    hazard.kind = HazardKind::kRegisterInFlight;
    hazard.message =
        fmt::format("a register that an unfinished wgmma {} is {} by `{}`",
                    flight.use == RegisterChecks::Use::kWritten ? "accumulates into" : "reads",
                    use.defines ? "overwritten" : "read", opcode);
    hazard.advice = "put wgmma.wait_group before it, and keep the compiler from moving it up";
    const std::uint32_t thread =
        warp.index() * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
    hazard.here = side(warp.block().linear_index(), pc, thread, use.defines ? "write" : "read");
    hazard.other = side(warp.block().linear_index(), flight.pc, thread, "wgmma");
    add(std::move(hazard), pc, flight.pc);
  }
  if (carried == nullptr) return;
  const RegisterChecks::Flight flight = *carried;
  checks.flights.erase(from);
  for (const OperandUse& use : program.uses_of(pc)) {
    if (use.defines) checks.flights[use.reg] = flight;
  }
}

// A value computed from undefined values is undefined. It is reported only when it affects
// something: a branch, an address, or a stored value.
void Checker::step_undefined(Warp& warp, RegisterChecks& checks, std::uint32_t pc,
                             std::uint32_t active) {
  const Program& program = *context_->program;
  const Inst& inst = program.code[pc];
  const std::string_view opcode = program.opcodes[pc];
  const bool decides =
      (inst.klass == InstClass::kLoadStore && !is_shuffle(opcode) && !is_parameter(opcode)) ||
      (inst.klass == InstClass::kTensor && !is_wgmma(opcode)) ||
      inst.klass == InstClass::kControl;  // decides the target, or which barrier
  std::uint32_t undefined = 0;
  std::uint32_t guard = 0;
  for (const OperandUse& use : program.uses_of(pc)) {
    if (use.defines) continue;
    const auto found = checks.undefined.find(use.reg);
    if (found == checks.undefined.end()) continue;
    (use.guard ? guard : undefined) |= found->second;
  }
  const std::uint32_t told = (guard & active) | (decides ? undefined & warp.mask() : 0);
  if (told != 0) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(told));
    report(HazardKind::kUninitialisedRegister, warp, lane, "use",
           fmt::format("`{}` {} a value that was never computed", opcode,
                       (guard & active) != 0 ? "is decided by" : "uses"),
           "initialise the variable on every path that leads here");
  }
  // A selection uses only one of its values; sums that start afresh need not be set before.
  if (opcode.starts_with("selp") || is_wgmma(opcode)) undefined = 0;
  for (const OperandUse& use : program.uses_of(pc)) {
    if (!use.defines) continue;
    std::uint32_t& lanes = checks.undefined[use.reg];
    lanes = (lanes & ~warp.mask()) | (undefined & warp.mask());
    if (lanes == 0) checks.undefined.erase(use.reg);
  }
}

// --- shared memory that was never written

void Checker::note_unwritten(Warp& warp, UnwrittenRead read) {
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  const auto shared = std::make_shared<const UnwrittenRead>(read);
  for (const OperandUse& use : context_->program->uses_of(shared->pc)) {
    if (!use.defines) continue;
    RegisterChecks::Unwritten& known = checks.unwritten[use.reg];
    known.lanes |= shared->lanes;
    known.read = shared;
  }
}

// Lanes beyond the edge of a tile may compute anything. An unwritten value is reported only when it
// leaves its lane or decides the lane's control flow.
void Checker::step_unwritten(Warp& warp, RegisterChecks& checks, std::uint32_t pc,
                             std::uint32_t active) {
  const Program& program = *context_->program;
  const Inst& inst = program.code[pc];
  const bool stays = stays_in_lane(inst.klass, program.opcodes[pc]);
  std::vector<std::uint32_t> selected;
  if (program.opcodes[pc].starts_with("selp")) selected = lanes_of_selection(warp, inst);
  std::size_t next_selected = 0;
  std::uint32_t lanes = 0;
  std::shared_ptr<const UnwrittenRead> read;
  // A copy in local memory is tracked further; arguments of functions are not.
  const bool to_local =
      program.opcodes[pc].starts_with("st.local") || is_parameter(program.opcodes[pc]);
  std::size_t seen = 0;
  for (const OperandUse& use : program.uses_of(pc)) {
    if (use.defines) continue;
    const bool is_value = !use.guard && (seen++ != 0 || is_parameter(program.opcodes[pc]));
    std::uint32_t concerned = use.guard ? active : warp.mask();
    if (!use.guard && next_selected < selected.size()) concerned &= selected[next_selected++];
    const auto found = checks.unwritten.find(use.reg);
    if (found == checks.unwritten.end()) continue;
    // A lane whose guard is false keeps its old value, which then depends on chance as well.
    const std::uint32_t here = found->second.lanes & concerned;
    if (here == 0) continue;
    if (read == nullptr) read = found->second.read;
    lanes |= here;
    // In a reduction over part of a warp, the lanes whose results count only read from each other.
    if (to_local && is_value && found->second.read->is_local) continue;
    if (stays || (found->second.read->is_shuffle() && is_shuffle(program.opcodes[pc]))) continue;
    report_unwritten(warp, *found->second.read, here, pc);
    checks.unwritten.erase(found);  // its consequences are not reported again
  }
  if (!stays) lanes = 0;
  for (const OperandUse& use : program.uses_of(pc)) {
    if (!use.defines) continue;
    const auto found = checks.unwritten.find(use.reg);
    const std::uint32_t kept =
        found == checks.unwritten.end() ? 0 : found->second.lanes & ~warp.mask();
    if ((kept | lanes) == 0) {
      if (found != checks.unwritten.end()) checks.unwritten.erase(found);
    } else if (lanes != 0) {
      checks.unwritten[use.reg] = {kept | lanes, read};
    } else {
      found->second.lanes = kept;
    }
  }
}

// --- warp-wide operations

void Checker::outside_mask(Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                           std::uint32_t members) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  Hazard hazard;
  hazard.kind = HazardKind::kWarpMask;
  hazard.message =
      fmt::format("lane {} executes `{}` with the mask {:#010x}, which does not name it", lane,
                  context_->program->opcodes[pc], members);
  hazard.advice =
      "let the mask name every lane that gets there, or keep the other lanes away from it";
  hazard.here = side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane, "operation");
  add(std::move(hazard), pc, pc);
}

void Checker::masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                           std::uint32_t theirs) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(named));
  Hazard hazard;
  hazard.kind = HazardKind::kWarpMask;
  hazard.message = fmt::format(
      "lanes execute `{}` with the mask {:#010x}, but lane {}, which it names, does with "
      "{:#010x}",
      context_->program->opcodes[pc], members, lane, theirs);
  hazard.advice = "let all lanes that a mask names give that same mask";
  hazard.here = side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane, "operation");
  add(std::move(hazard), pc, pc);
}

// A value read from a lane that does not take part is tracked like a value from unwritten memory
// until it affects something, also through further shuffles.
void Checker::shuffled(Warp& warp, std::uint32_t pc, std::span<const std::uint8_t> source,
                       std::uint32_t absent) {
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  if (absent == 0 && checks.unwritten.empty()) return;
  std::uint32_t carried = 0;
  std::shared_ptr<const UnwrittenRead> read;
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (use.guard) continue;
    if (use.defines) break;
    const auto found = checks.unwritten.find(use.reg);
    if (found != checks.unwritten.end() && found->second.read->is_shuffle()) {
      read = found->second.read;
      for (std::uint32_t left = warp.mask() & ~absent; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        carried |= (found->second.lanes >> source[lane] & 1) << lane;
      }
    }
    break;  // the value comes first
  }
  if (absent != 0) {
    UnwrittenRead fresh;
    fresh.pc = pc;
    fresh.lanes = absent;
    read = std::make_shared<const UnwrittenRead>(fresh);
  }
  if ((absent | carried) == 0) return;
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (!use.defines || use.bits == 1) continue;
    RegisterChecks::Unwritten& known = checks.unwritten[use.reg];
    known.lanes |= absent | carried;
    known.read = read;
  }
}

// --- wgmma

// Moves do not change the value of a register, and setting a constant does not count as an access:
// compilers place both wherever they like.
void Checker::step_feeder(RegisterChecks& checks, std::uint32_t pc) const {
  const bool moves = is_move(context_->program->opcodes[pc]);
  std::optional<std::uint32_t> writer;
  if (!moves) writer = pc;
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (!use.defines) {
      const auto known = checks.unfenced.find(use.reg);
      if (moves && known != checks.unfenced.end()) writer = known->second;
    } else if (writer) {
      checks.unfenced[use.reg] = *writer;
    } else {
      checks.unfenced.erase(use.reg);
    }
  }
}

void Checker::require_wgmma_fence(Warp& warp, RegisterChecks& checks, bool adds) {
  if (checks.fenced && checks.unfenced.empty()) return;
  const std::uint32_t pc = warp.current_pc();
  const std::uint32_t thread =
      warp.index() * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
  Hazard hazard;
  hazard.kind = HazardKind::kMissingWgmmaFence;
  hazard.advice =
      "put wgmma.fence after the last write of the registers and before the first wgmma that "
      "uses them, and keep the compiler from moving the writes down";
  hazard.here = side(warp.block().linear_index(), pc, thread, "wgmma");
  if (!checks.fenced) {
    hazard.message = "the first wgmma of a warp that has not executed any wgmma.fence";
    return add(std::move(hazard), pc, pc);
  }
  const std::span<const OperandUse> uses = context_->program->uses_of(pc);
  std::unordered_set<std::uint32_t> sums;
  for (const OperandUse& use : uses)
    if (use.defines) sums.insert(use.reg);
  for (const OperandUse& use : uses) {
    const bool is_sum = sums.contains(use.reg);
    if (use.bits != 32 || use.guard || use.defines || (is_sum && !adds)) continue;
    const auto written = checks.unfenced.find(use.reg);
    if (written == checks.unfenced.end()) continue;
    hazard.message =
        fmt::format("a wgmma {} a register that `{}` has written, with no wgmma.fence in between",
                    is_sum ? "adds to" : "reads", context_->program->opcodes[written->second]);
    hazard.other = side(warp.block().linear_index(), written->second, thread, "write");
    return add(std::move(hazard), pc, written->second);
  }
}

void Checker::fence_wgmma(Warp& warp) {
  sync_lanes(warp, warp.mask());
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  checks.unfenced.clear();
  checks.fenced = true;
}

Actor Checker::begin_wgmma(Warp& warp, const WgmmaStart& start) {
  sync_lanes(warp, warp.mask());
  compare_in_group(warp, start);
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  require_wgmma_fence(warp, checks, start.adds);
  const std::uint32_t pc = warp.current_pc();
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (use.bits != 32 || use.guard) continue;
    // Sums are read and written; definitions come last.
    checks.flights[use.reg] = {
        use.defines ? RegisterChecks::Use::kWritten : RegisterChecks::Use::kRead, checks.committed,
        pc};
  }
  const Actor actor = begin_async(warp);
  warp.block().checks()->warpgroups[warp.index() / kWarpgroupWarps].operations.push_back(
      {warp.wgmma().issued(), actor});
  return actor;
}

}  // namespace warpwright::emu
