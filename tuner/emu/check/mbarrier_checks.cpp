// The checker's rules for mbarrier objects: which threads may use one, and which stores may overlap
// it.
#include <fmt/format.h>

#include <utility>

#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

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

}  // namespace warpwright::emu
