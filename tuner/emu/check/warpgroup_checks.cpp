// The checker's rules for the common operations of a warpgroup: the same wgmma, and one wait.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

constexpr const char* kTogether =
    "let all four warps of the warpgroup execute the same wgmma with the same descriptors: a warp "
    "takes its 16 of the 64 rows by itself";

}  // namespace

void Checker::compare_in_group(Warp& warp, const WgmmaStart& start) {
  WarpgroupChecks& group = warp.block().checks()->warpgroups[warp.index() / kWarpgroupWarps];
  const std::uint32_t pc = warp.current_pc();
  // All warps have issued the products before this one.
  const std::uint32_t common = warp.block().wgmma_of_group(warp);
  if (common > group.first_product) {
    const auto known = std::min<std::size_t>(common - group.first_product, group.products.size());
    group.products.erase(group.products.begin(),
                         group.products.begin() + static_cast<std::ptrdiff_t>(known));
    group.first_product = common;
  }
  const std::uint32_t place = warp.wgmma().issued() - group.first_product;
  if (place >= group.products.size()) {
    group.products.push_back({pc, warp.index(), start.a, start.b});
    return;
  }
  const WarpgroupChecks::Product& first = group.products[place];
  Hazard hazard;
  hazard.kind = HazardKind::kDivergentWgmma;
  hazard.advice = kTogether;
  const auto differs = [&](char operand, std::uint64_t mine, std::uint64_t others) {
    hazard.message = fmt::format(
        "a wgmma whose descriptor of operand {} differs between warps {} and {} of the warpgroup "
        "({:#x} and {:#x})",
        operand, first.warp, warp.index(), others, mine);
  };
  if (first.pc != pc) {
    hazard.message = fmt::format(
        "warp {} executes a wgmma where warp {} of its warpgroup executes another; they are not "
        "one "
        "product",
        warp.index(), first.warp);
  } else if (first.a != start.a) {
    differs('A', start.a, first.a);
  } else if (first.b != start.b) {
    differs('B', start.b, first.b);
  } else {
    return;
  }
  const std::uint64_t block = warp.block().linear_index();
  hazard.here = side(block, pc, warp.index() * kWarpSize, "wgmma");
  hazard.other = side(block, first.pc, first.warp * kWarpSize, "wgmma");
  add(std::move(hazard), pc, first.pc);
}

void Checker::commit_wgmma(Warp& warp) {
  ++warp.block().checks()->registers[warp.index()].committed;
}

void Checker::wait_wgmma(Warp& warp, std::uint32_t unfinished, std::uint32_t products) {
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  std::erase_if(checks.flights, [&](const auto& entry) {
    return entry.second.group + unfinished < checks.committed;
  });
  WarpgroupChecks& group = warp.block().checks()->warpgroups[warp.index() / kWarpgroupWarps];
  std::uint32_t& waited = group.waited[warp.index() % kWarpgroupWarps];
  if (products <= waited) return;
  auto finished = Counted<Clock>::make();
  for (const auto& [product, actor] : group.operations) {
    if (product < products && product >= waited)
      finished->learn(actor.block, actor.index, actor.epoch, kAllLanes);
  }
  waited = products;
  const std::uint32_t by_all = *std::min_element(group.waited.begin(), group.waited.end());
  std::erase_if(group.operations, [&](const auto& known) { return known.product < by_all; });
  Knowledge knowledge;
  knowledge.happened = std::move(finished);
  acquire(warp, warp.mask(), knowledge);
}

// Without a wait, no warp blocks on the missing warp, so it is found only when the block ends.
void Checker::end_wgmma(Block& block) {
  for (std::uint32_t at = 0; at < block.checks()->warpgroups.size(); ++at) {
    WarpgroupChecks& group = block.checks()->warpgroups[at];
    const std::uint32_t common = block.wgmma_of_group(block.warp(at * kWarpgroupWarps));
    if (common < group.first_product || group.products.size() <= common - group.first_product)
      continue;
    const WarpgroupChecks::Product& lone = group.products[common - group.first_product];
    std::uint32_t out = at * kWarpgroupWarps;
    while (block.warp(out).wgmma().issued() != common) ++out;
    Hazard hazard;
    hazard.kind = HazardKind::kDivergentWgmma;
    hazard.message = fmt::format(
        "warp {} executes a wgmma that warp {} of its warpgroup exits without; it takes all four",
        lone.warp, out);
    hazard.advice = kTogether;
    hazard.here = side(block.linear_index(), lone.pc, lone.warp * kWarpSize, "wgmma");
    hazard.other =
        side(block.linear_index(), block.warp(out).current_pc(), out * kWarpSize, "exit");
    add(std::move(hazard), lone.pc, block.warp(out).current_pc());
  }
}

}  // namespace warpwright::emu
