#include "emu/check/initialisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/check/block_checks.h"
#include "emu/check/findings.h"
#include "emu/check/unset_values.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

void Initialisation::start(Block& block) {
  block.checks()->local_written.assign(block.warp_count(), {});
}

// --- global memory

void Initialisation::access_global(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                                   std::size_t bytes, AccessKind kind) {
  GlobalMemory::Impl& memory = *context_->memory;
  if (mask == 0 || !memory.has_marks()) return;
  std::uint64_t first = ~std::uint64_t{0};
  std::uint64_t last = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses.at[std::countr_zero(left)];
    first = std::min(first, address);
    last = std::max(last, address);
  }
  if (!memory.undefined.may_be_in(first, last + bytes) &&
      !memory.kept.may_be_in(first, last + bytes))
    return;
  AccessRecord now = access_of(warp, warp.current_pc(), 0);
  now.write = kind != AccessKind::kLoad;
  now.atomic = kind == AccessKind::kAtomic;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    now.lanes = 1u << lane;
    if (kind != AccessKind::kStore) read_marked(now, addresses.at[lane], bytes);
    if (now.write) memory.define(addresses.at[lane], bytes);
  }
}

void Initialisation::access_global_by_copy(AccessRecord now, std::uint64_t address,
                                           std::size_t bytes) {
  if (!context_->memory->has_marks()) return;
  const bool write = now.write;
  if (!write || now.atomic) {
    now.write = false;  // for messages: the operation first reads the value that it adds to
    read_marked(now, address, bytes);
  }
  if (write) context_->memory->define(address, bytes);
}

void Initialisation::read_global(const AccessRecord& now, std::uint64_t address,
                                 std::size_t bytes) {
  if (context_->memory->has_marks()) read_marked(now, address, bytes);
}

// Reports a read of global memory whose bytes hold nothing or were left by an earlier launch.
void Initialisation::read_marked(const AccessRecord& now, std::uint64_t address,
                                 std::size_t bytes) {
  const GlobalMemory::Impl& memory = *context_->memory;
  if (memory.undefined.any(address, bytes)) read_uninitialised(now, address, bytes, false);
  if (memory.kept.any(address, bytes)) read_kept(now, address, bytes);
}

void Initialisation::read_kept(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const Allocation& variable = *context_->memory->find(address, bytes);
  Finding finding;
  finding.kind = FindingKind::kStateKept;
  finding.message = fmt::format(
      "{} from offset {} of the variable '{}' finds what an earlier launch has left there, not "
      "what it held after loading",
      verb(now, bytes), address - variable.address, variable_name(variable.label));
  finding.advice =
      "write it in every launch before it is read, set it back at the end of the launch, or pass "
      "it as a scratch argument with a `fill`, which is restored before every launch";
  finding.here = findings_->side(now, bytes);
  findings_->add_about(std::move(finding), now.pc, variable.address);
}

void Initialisation::read_uninitialised(const AccessRecord& now, std::uint64_t address,
                                        std::size_t bytes, bool is_shared) {
  Finding finding;
  finding.kind = is_shared ? FindingKind::kUninitialisedShared : FindingKind::kUninitialisedGlobal;
  finding.message = fmt::format("{} from {}, which was never written", verb(now, bytes),
                                where_of(is_shared, address, *context_));
  finding.advice = is_shared
                       ? "write it first, and check the index and the tile's tail"
                       : "initialise the buffer on the host or in the kernel, and check the index";
  finding.here = findings_->side(now, bytes);
  findings_->add(std::move(finding), now.pc, now.pc);
}

// --- shared memory

void Initialisation::read_by_copy(const AccessRecord& now, std::uint64_t address,
                                  std::size_t bytes) {
  read_uninitialised(now, address, bytes, true);
}

void Initialisation::read_by_lanes(const AccessRecord& now, std::uint64_t address,
                                   std::size_t bytes, std::optional<UnwrittenRead>& tracked) {
  if (!context_->program->opcodes[now.pc].starts_with("ld."))
    return read_uninitialised(now, address, bytes, true);
  if (!tracked) tracked = UnwrittenRead{now.pc, 0, bytes, {}};
  tracked->lanes |= now.lanes;
  for (std::uint32_t lanes = now.lanes; lanes != 0; lanes &= lanes - 1)
    tracked->addresses[static_cast<std::size_t>(std::countr_zero(lanes))] = address;
}

void Initialisation::track(Warp& warp, const UnwrittenRead& read) { values_->track(warp, read); }

// --- local memory

void Initialisation::enter_function(Warp& warp, const Frame& frame) {
  std::vector<std::uint32_t>& written = warp.block().checks()->local_written[warp.index()];
  for (std::size_t at = frame.local_base;
       at < frame.local_base + frame.function->local_bytes && at < written.size(); ++at)
    written[at] &= ~warp.mask();
}

void Initialisation::local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                                  std::size_t bytes, AccessKind kind) {
  if (kind == AccessKind::kLoad) return local_load(warp, mask, addresses, bytes);
  std::vector<std::uint32_t>& written = warp.block().checks()->local_written[warp.index()];
  const std::uint32_t pc = warp.current_pc();
  const std::uint32_t copies =
      kind == AccessKind::kStore
          ? values_->lanes_of_copies(warp, pc, context_->program->code[pc].count)
          : 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::size_t first = addresses.at[lane];
    if (written.size() < first + bytes) written.resize(first + bytes);
    const std::uint32_t bit = 1u << lane;
    for (std::size_t at = first; at < first + bytes; ++at)
      written[at] = (copies & bit) != 0 ? written[at] & ~bit : written[at] | bit;
  }
}

void Initialisation::local_load(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                                std::size_t bytes) {
  const std::vector<std::uint32_t>& written = warp.block().checks()->local_written[warp.index()];
  const std::uint32_t pc = warp.current_pc();
  const Program& program = *context_->program;
  const std::size_t values = program.code[pc].count;
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
      values_->track(warp, uses[defined].reg, read);
    }
    ++defined;
  }
}

}  // namespace warpwright::emu
