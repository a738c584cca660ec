// The checker's rules for local memory: reads of bytes that the thread has not written, and
// pointers into the local memory of another thread.
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

// Lanes in which a store to local memory stores only values that were never written. A copy of such
// values has no effect yet.
std::uint32_t lanes_of_copies(const RegisterChecks& checks, std::span<const OperandUse> uses,
                              std::size_t values) {
  std::size_t seen = 0;
  std::uint32_t lanes = kAllLanes;
  for (const OperandUse& use : uses) {
    if (use.guard || use.defines || seen++ == 0) continue;  // the address comes first
    const auto found = checks.unwritten.find(use.reg);
    const bool local = found != checks.unwritten.end() && found->second.read->is_local;
    lanes &= local ? found->second.lanes : 0;
  }
  return seen == values + 1 ? lanes : 0;
}

}  // namespace

// The variables of a function hold nothing when it is entered.
void Checker::enter_function(Warp& warp, const Frame& frame) {
  BlockChecks& checks = *warp.block().checks();
  for (const std::uint32_t reg : frame.function->undefined_at_entry)
    checks.registers[warp.index()].undefined[reg] |= warp.mask();
  std::vector<std::uint32_t>& written = checks.local_written[warp.index()];
  for (std::size_t at = frame.local_base;
       at < frame.local_base + frame.function->local_bytes && at < written.size(); ++at)
    written[at] &= ~warp.mask();
}

void Checker::local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                           std::size_t bytes, AccessKind kind) {
  BlockChecks& checks = *warp.block().checks();
  RegisterChecks& registers = checks.registers[warp.index()];
  std::vector<std::uint32_t>& written = checks.local_written[warp.index()];
  const std::uint32_t pc = warp.current_pc();
  const Program& program = *context_->program;
  const std::size_t values = program.code[pc].count;
  if (kind != AccessKind::kLoad) {
    const std::uint32_t copies = kind == AccessKind::kStore && !registers.unwritten.empty()
                                     ? lanes_of_copies(registers, program.uses_of(pc), values)
                                     : 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::size_t first = addresses.at[lane];
      if (written.size() < first + bytes) written.resize(first + bytes);
      const std::uint32_t bit = 1u << lane;
      for (std::size_t at = first; at < first + bytes; ++at)
        written[at] = (copies & bit) != 0 ? written[at] & ~bit : written[at] | bit;
    }
    return;
  }
  if (values == 0 || !program.opcodes[pc].starts_with("ld")) return;
  const std::size_t each = bytes / values;
  const std::uint32_t* rows = warp.extra(program.code[pc]);
  const std::span<const OperandUse> uses = program.uses_of(pc);
  std::size_t defined = 0;
  while (defined < uses.size() && !uses[defined].defines) ++defined;
  for (std::size_t v = 0; v < values; ++v) {
    if (rows[v] == kNoRegister) continue;
    UnwrittenRead read;
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const std::size_t first = addresses.at[lane] + v * each;
      bool any = false;  // a part of it may be padding
      for (std::size_t at = first; at < first + each && at < written.size(); ++at)
        any = any || (written[at] >> lane & 1) != 0;
      if (any) continue;
      read.lanes |= 1u << lane;
      read.addresses[lane] = first;
    }
    if (read.lanes != 0 && defined < uses.size()) {
      read.pc = pc;
      read.bytes = each;
      read.is_local = true;
      RegisterChecks::Unwritten& known = registers.unwritten[uses[defined].reg];
      known.lanes |= read.lanes;
      known.read = std::make_shared<const UnwrittenRead>(read);
    }
    ++defined;
  }
}

void Checker::local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  const std::uint64_t tag = local_tag_of(address);
  const std::uint32_t thread = warp.index() * kWarpSize + lane;
  if (tag == 0 || tag == local_tag(warp.block().linear_index(), thread)) return;
  const std::uint32_t pc = warp.current_pc();
  const bool same_block =
      local_tag(warp.block().linear_index(), 0) >> kLocalThreadBits == tag >> kLocalThreadBits;
  const auto owner = static_cast<std::uint32_t>((tag & ((1u << kLocalThreadBits) - 1)) - 1);
  const std::array<std::uint32_t, 3> at =
      warp.block().thread_index(owner / kWarpSize, owner % kWarpSize);
  Hazard hazard;
  hazard.kind = HazardKind::kForeignLocal;
  hazard.message = fmt::format(
      "`{}` through a pointer to a local variable of thread ({},{},{}) of {}: local memory is each "
      "thread's own, and the same address is another variable here",
      context_->program->opcodes[pc], at[0], at[1], at[2],
      same_block ? "the block" : "another block");
  hazard.advice = "put what threads share in shared or global memory, or hand over the value";
  hazard.here = side(warp.block().linear_index(), pc, thread, "access");
  add(std::move(hazard), pc, pc);
}

}  // namespace warpwright::emu
