// The checker's rules for asynchronous operations: which threads may use an mbarrier and which
// stores may overlap it, tensor maps that the launch itself has written, and the common operations
// of a warpgroup: the same wgmma, and one wait.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "emu/async/encoded_map.h"
#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

// --- mbarriers

void Checker::init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier) {
  BlockChecks& checks = *warp.block().checks();
  barrier.initialiser = {warp.block().linear_index(), static_cast<std::uint16_t>(warp.index()),
                         checks.epochs[warp.index()]};
  barrier.init_lane = lane;
  checks.dirty[warp.index()] |= 1u << lane;  // its next barrier has something to pass on
}

void Checker::fence_inits(Warp& warp) {
  for (auto& [address, barrier] : warp.block().mbarriers().all()) {
    const Actor& by = barrier.initialiser;
    if (by.block == warp.block().linear_index() && by.index == warp.index() &&
        (warp.mask() >> barrier.init_lane & 1) != 0)
      barrier.init_fenced = true;
  }
}

// Bulk copies without a tensor map are not checked, because CUDA's own memcpy_async issues them
// after the init of a cuda::barrier, which has no such fence.
void Checker::complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                          std::uint32_t address) {
  const Actor& by = barrier.initialiser;
  const Knowledge& known = warp.block().checks()->lanes[warp.index() * kWarpSize + lane];
  if (barrier.init_fenced || covers(known.proxied, by, 1u << barrier.init_lane)) return;
  const std::uint32_t pc = warp.current_pc();
  Hazard hazard;
  hazard.kind = HazardKind::kMissingProxyFence;
  hazard.message = fmt::format(
      "an asynchronous copy completes on the mbarrier at shared address {}, whose init no "
      "fence.mbarrier_init has made visible to it",
      address);
  hazard.advice =
      "let the thread that initialises it execute fence.mbarrier_init.release.cluster (or "
      "fence.proxy.async) after the init, before the barrier that all threads pass";
  hazard.here =
      side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane, "asynchronous copy");
  hazard.other = side(by.block, barrier.init_pc, by.index * kWarpSize + barrier.init_lane, "init");
  add(std::move(hazard), pc, barrier.init_pc);
}

// Under another schedule a thread may get here before the init, even if it found the barrier now.
void Checker::use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                           std::uint32_t address) {
  const Actor& by = barrier.initialiser;
  const bool own = by.block == warp.block().linear_index() && by.index == warp.index() &&
                   barrier.init_lane == lane;
  const Knowledge& known = warp.block().checks()->lanes[warp.index() * kWarpSize + lane];
  if (own || covers(known.happened, by, 1u << barrier.init_lane)) return;
  const std::uint32_t pc = warp.current_pc();
  Hazard hazard;
  hazard.kind = HazardKind::kSharedRace;
  hazard.message = fmt::format(
      "`{}` on the mbarrier at shared address {} and its init by another thread are not ordered",
      context_->program->opcodes[pc], address);
  hazard.advice =
      "after the init let all threads that use it pass a barrier (__syncthreads(), or behind "
      "fence.mbarrier_init that of the cluster)";
  hazard.here =
      side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane, "use of the mbarrier");
  hazard.other = side(by.block, barrier.init_pc, by.index * kWarpSize + barrier.init_lane, "init");
  add(std::move(hazard), pc, barrier.init_pc);
}

// The emulator keeps the objects outside shared memory, so they survive a store; on a GPU the store
// overwrites their bits.
void Checker::store_over_mbarrier(Warp& warp, Block& target, std::uint32_t lane,
                                  std::uint64_t address, std::size_t bytes) {
  if (target.mbarriers().all().empty()) return;
  for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + bytes; at += 8) {
    const Mbarrier* barrier = target.mbarriers().find(static_cast<std::uint32_t>(at));
    if (barrier == nullptr) continue;
    const std::uint32_t pc = warp.current_pc();
    Hazard hazard;
    hazard.kind = HazardKind::kMbarrierOverwritten;
    hazard.message = fmt::format("`{}` writes to shared address {}, where an mbarrier is in use",
                                 context_->program->opcodes[pc], at < address ? address : at);
    hazard.advice =
        "check the index and the layout of shared memory, or end the mbarrier with mbarrier.inval "
        "and a barrier before its place is used again";
    hazard.here = side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane, "store");
    hazard.other = side(barrier->initialiser.block, barrier->init_pc,
                        barrier->initialiser.index * kWarpSize + barrier->init_lane, "init");
    return add(std::move(hazard), pc, barrier->init_pc);
  }
}

// --- tensor maps

// Checks the memory of the map itself, not the tensor that it describes. Maps in parameters or
// constant memory are never written.
void Checker::use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  if ((address & kWindowMask) != kGlobalBase) return;
  const Knowledge& known = warp.block().checks()->lanes[warp.index() * kWarpSize + lane];
  AccessRecord now;
  now.block = static_cast<std::uint32_t>(warp.block().linear_index());
  now.actor = static_cast<std::uint16_t>(warp.index());
  now.pc = warp.current_pc();
  now.lanes = 1u << lane;
  now.async = true;
  if (context_->memory->has_marks()) read_marked(now, address, kTensorMapBytes);
  std::optional<AccessRecord> written;
  for (std::uint64_t at = address; at < address + kTensorMapBytes; at += 4) {
    ShadowWord* word = global_.find(at);
    if (word == nullptr) continue;
    word->filter([&](const AccessRecord& record) {
      if (record.write && !covers(known.mapped, record.who(), record.lanes)) written = record;
      return true;
    });
    if (written) break;
  }
  if (written) unfenced_map(now, *written, address);
}

// --- warpgroups

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
