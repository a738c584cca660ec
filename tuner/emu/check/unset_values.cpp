#include "emu/check/unset_values.h"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/check/block_checks.h"
#include "emu/check/findings.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

bool is_shuffle(std::string_view opcode) { return opcode.starts_with("shfl"); }

ValueChecks& values_of(const Warp& warp) {
  return warp.block().checks()->registers[warp.index()].values;
}

}  // namespace

void UnsetValues::start(Block& block) {
  for (std::size_t i = 0; i < block.warp_count(); ++i) {
    for (const std::uint32_t reg : context_->entry->undefined_at_entry)
      block.checks()->registers[i].values.undefined[reg] = kAllLanes;
  }
}

void UnsetValues::enter_function(Warp& warp, const Function& function) {
  ValueChecks& checks = values_of(warp);
  for (const std::uint32_t reg : function.undefined_at_entry) checks.undefined[reg] |= warp.mask();
}

// --- values that were never computed

// A value computed from undefined values is undefined.
void UnsetValues::step_undefined(Warp& warp, ValueChecks& checks, std::uint32_t pc,
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
    findings_->report(FindingKind::kUninitialisedRegister, warp, lane, "use",
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

// --- values from memory that was never written

void UnsetValues::track(Warp& warp, const UnwrittenRead& read) {
  ValueChecks& checks = values_of(warp);
  const auto shared = std::make_shared<const UnwrittenRead>(read);
  for (const OperandUse& use : context_->program->uses_of(shared->pc)) {
    if (!use.defines) continue;
    ValueChecks::Unwritten& known = checks.unwritten[use.reg];
    known.lanes |= shared->lanes;
    known.read = shared;
  }
}

void UnsetValues::track(Warp& warp, std::uint32_t reg, const UnwrittenRead& read) {
  ValueChecks::Unwritten& known = values_of(warp).unwritten[reg];
  known.lanes |= read.lanes;
  known.read = std::make_shared<const UnwrittenRead>(read);
}

std::uint32_t UnsetValues::lanes_of_copies(const Warp& warp, std::uint32_t pc,
                                           std::size_t values) const {
  const ValueChecks& checks = values_of(warp);
  if (checks.unwritten.empty()) return 0;
  std::size_t seen = 0;
  std::uint32_t lanes = kAllLanes;
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (use.guard || use.defines || seen++ == 0) continue;  // the address comes first
    const auto found = checks.unwritten.find(use.reg);
    const bool local = found != checks.unwritten.end() && found->second.read->is_local;
    lanes &= local ? found->second.lanes : 0;
  }
  return seen == values + 1 ? lanes : 0;
}

// Such a value is reported only when it leaves its lane or decides the lane's control flow.
void UnsetValues::step_unwritten(Warp& warp, ValueChecks& checks, std::uint32_t pc,
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
    report(warp, *found->second.read, here, pc);
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

// A value read from a lane that does not take part is tracked like a value from unwritten memory
// until it affects something, also through further shuffles.
void UnsetValues::shuffled(Warp& warp, std::uint32_t pc, std::span<const std::uint8_t> source,
                           std::uint32_t absent) {
  ValueChecks& checks = values_of(warp);
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
    ValueChecks::Unwritten& known = checks.unwritten[use.reg];
    known.lanes |= absent | carried;
    known.read = read;
  }
}

void UnsetValues::report(Warp& warp, const UnwrittenRead& read, std::uint32_t lanes,
                         std::uint32_t use) {
  const std::uint32_t known = (lanes & read.lanes) != 0 ? lanes & read.lanes : read.lanes;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(known));
  const AccessRecord record = access_of(warp, read.pc, 1u << lane);
  Finding finding;
  if (read.is_shuffle()) {
    finding.kind = FindingKind::kWarpMask;
    finding.message = fmt::format(
        "lane {} of `{}` takes the value of a lane that takes no part in it; {} depends on it",
        lane, context_->program->opcodes[read.pc], warp.block().place(use));
    finding.advice =
        "let the lane that is read execute the shuffle and be named by its mask, or do not use "
        "what comes of it";
    finding.here =
        findings_->side(record.block, read.pc, warp.index() * kWarpSize + lane, "shuffle");
    return findings_->add(std::move(finding), read.pc, read.pc);
  }
  finding.kind =
      read.is_local ? FindingKind::kUninitialisedLocal : FindingKind::kUninitialisedShared;
  finding.message = fmt::format("{} from {} address {}, which was never written; {} depends on it",
                                verb(record, read.bytes), read.is_local ? "local" : "shared",
                                read.addresses[lane], warp.block().place(use));
  finding.advice = read.is_local ? "initialise the array where it is declared, and check the index"
                                 : "write it first, and check the index and the tile's tail";
  finding.here = findings_->side(record, read.bytes);
  findings_->add(std::move(finding), read.pc, read.pc);
}

}  // namespace warpwright::emu
