#include "emu/check/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "emu/check/findings.h"
#include "emu/exec/block.h"
#include "emu/program/program.h"

namespace warpwright::emu {

Bounds::Bounds(const LaunchContext& context, Findings& findings)
    : context_(&context), findings_(&findings) {
  for (const SharedObject& object : context.program->shared_objects) {
    if (object.dynamic) {
      bounds_.push_back({context.symbol_address(object.symbol), context.shared_bytes});
    } else {
      bounds_.push_back({object.offset, object.offset + object.bytes});
    }
  }
  likely_.reserve(context.program->code.size());
  for (const std::uint32_t set : context.program->accessed_set) {
    likely_.push_back(set == 0 ? Range{0, ~std::uint64_t{0}}
                               : bounds_[context.program->object_sets[set].front()]);
  }
}

// --- variables in shared memory

bool Bounds::is_within(const AccessRecord& now, std::uint64_t address, std::size_t bytes) const {
  const Program& program = *context_->program;
  const std::uint32_t set = program.accessed_set[now.pc];
  if (set == 0) return true;
  const std::vector<std::uint32_t>& objects = program.object_sets[set];
  return std::any_of(objects.begin(), objects.end(), [&](std::uint32_t object) {
    return address >= bounds_[object].begin && address + bytes <= bounds_[object].end;
  });
}

void Bounds::overrun(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
  const Program& program = *context_->program;
  const std::uint64_t end = address + bytes;
  const std::vector<std::uint32_t>& objects = program.object_sets[program.accessed_set[now.pc]];
  const auto name = [&](std::uint32_t object) {
    return variable_name(program.shared_objects[object].symbol);
  };
  const Range& own = bounds_[objects[0]];
  std::string where = fmt::format("{} bytes past the end of", address - own.end);
  if (address < own.begin) {
    where = fmt::format("{} bytes before the start of", own.begin - address);
  } else if (address < own.end) {
    where = "across the end of";
  } else if (address == own.end) {
    where = "right behind the end of";
  }
  std::string met;
  for (std::uint32_t other = 0; other < bounds_.size(); ++other)
    if (address < bounds_[other].end && end > bounds_[other].begin && other != objects[0])
      met = fmt::format(", in '{}'", name(other));
  Finding finding;
  finding.kind = FindingKind::kSharedOverrun;
  finding.message =
      fmt::format("{} at shared address {}, {} '{}' ({} bytes){}", findings_->side(now, bytes).what,
                  address, where, name(objects[0]), own.end - own.begin, met);
  finding.advice =
      "check the index against the size of the array, and the array against the tile's halo or "
      "padding";
  finding.here = findings_->side(now, bytes);
  findings_->add(std::move(finding), now.pc, now.pc);
}

// --- local memory

void Bounds::local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  const std::uint64_t tag = local_tag_of(address);
  const std::uint32_t thread = warp.index() * kWarpSize + lane;
  if (tag == 0 || tag == local_tag(warp.block().linear_index(), thread)) return;
  const std::uint32_t pc = warp.current_pc();
  const bool same_block =
      local_tag(warp.block().linear_index(), 0) >> kLocalThreadBits == tag >> kLocalThreadBits;
  const auto owner = static_cast<std::uint32_t>((tag & ((1u << kLocalThreadBits) - 1)) - 1);
  const std::array<std::uint32_t, 3> at =
      warp.block().thread_index(owner / kWarpSize, owner % kWarpSize);
  Finding finding;
  finding.kind = FindingKind::kForeignLocal;
  finding.message = fmt::format(
      "`{}` through a pointer to a local variable of thread ({},{},{}) of {}: local memory is each "
      "thread's own, and the same address is another variable here",
      context_->program->opcodes[pc], at[0], at[1], at[2],
      same_block ? "the block" : "another block");
  finding.advice = "put what threads share in shared or global memory, or hand over the value";
  finding.here = findings_->side(warp.block().linear_index(), pc, thread, "access");
  findings_->add(std::move(finding), pc, pc);
}

// --- warp-wide operations

void Bounds::outside_mask(Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                          std::uint32_t members) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  Finding finding;
  finding.kind = FindingKind::kWarpMask;
  finding.message =
      fmt::format("lane {} executes `{}` with the mask {:#010x}, which does not name it", lane,
                  context_->program->opcodes[pc], members);
  finding.advice =
      "let the mask name every lane that gets there, or keep the other lanes away from it";
  finding.here = findings_->side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane,
                                 "operation");
  findings_->add(std::move(finding), pc, pc);
}

void Bounds::masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                          std::uint32_t theirs) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(named));
  Finding finding;
  finding.kind = FindingKind::kWarpMask;
  finding.message = fmt::format(
      "lanes execute `{}` with the mask {:#010x}, but lane {}, which it names, does with "
      "{:#010x}",
      context_->program->opcodes[pc], members, lane, theirs);
  finding.advice = "let all lanes that a mask names give that same mask";
  finding.here = findings_->side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane,
                                 "operation");
  findings_->add(std::move(finding), pc, pc);
}

}  // namespace warpwright::emu
