#include "emu/check/mbarrier_use.h"

#include <fmt/format.h>

#include <utility>

#include "emu/check/findings.h"
#include "emu/check/orders.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

void MbarrierUse::init(Warp& warp, std::uint32_t lane, Mbarrier& barrier) {
  barrier.initialiser = orders_->actor_of(warp);
  barrier.init_lane = lane;
  orders_->note_access(warp, 1u << lane);  // its next barrier has something to pass on
}

void MbarrierUse::fence_inits(Warp& warp) {
  for (auto& [address, barrier] : warp.block().mbarriers().all()) {
    const Actor& by = barrier.initialiser;
    if (by.block == warp.block().linear_index() && by.index == warp.index() &&
        (warp.mask() >> barrier.init_lane & 1) != 0)
      barrier.init_fenced = true;
  }
}

// Bulk copies without a tensor map are not checked, because CUDA's own memcpy_async issues them
// after the init of a cuda::barrier, which has no such fence.
void MbarrierUse::complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                              std::uint32_t address) {
  const Actor& by = barrier.initialiser;
  const Knowledge& known = orders_->known(warp, lane);
  if (barrier.init_fenced || covers(known.proxied, by, 1u << barrier.init_lane)) return;
  const std::uint32_t pc = warp.current_pc();
  Finding finding;
  finding.kind = FindingKind::kMissingProxyFence;
  finding.message = fmt::format(
      "an asynchronous copy completes on the mbarrier at shared address {}, whose init no "
      "fence.mbarrier_init has made visible to it",
      address);
  finding.advice =
      "let the thread that initialises it execute fence.mbarrier_init.release.cluster (or "
      "fence.proxy.async) after the init, before the barrier that all threads pass";
  finding.here = findings_->side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane,
                                 "asynchronous copy");
  finding.other =
      findings_->side(by.block, barrier.init_pc, by.index * kWarpSize + barrier.init_lane, "init");
  findings_->add(std::move(finding), pc, barrier.init_pc);
}

// Under another schedule a thread may get here before the init, even if it found the barrier now.
void MbarrierUse::use(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                      std::uint32_t address) {
  const Actor& by = barrier.initialiser;
  const bool own = by.block == warp.block().linear_index() && by.index == warp.index() &&
                   barrier.init_lane == lane;
  const Knowledge& known = orders_->known(warp, lane);
  if (own || covers(known.happened, by, 1u << barrier.init_lane)) return;
  const std::uint32_t pc = warp.current_pc();
  Finding finding;
  finding.kind = FindingKind::kSharedRace;
  finding.message = fmt::format(
      "`{}` on the mbarrier at shared address {} and its init by another thread are not ordered",
      context_->program->opcodes[pc], address);
  finding.advice =
      "after the init let all threads that use it pass a barrier (__syncthreads(), or behind "
      "fence.mbarrier_init that of the cluster)";
  finding.here = findings_->side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane,
                                 "use of the mbarrier");
  finding.other =
      findings_->side(by.block, barrier.init_pc, by.index * kWarpSize + barrier.init_lane, "init");
  findings_->add(std::move(finding), pc, barrier.init_pc);
}

// The emulator keeps the objects outside shared memory, so they survive a store; on a GPU the store
// overwrites their bits.
void MbarrierUse::store_over(Warp& warp, Block& target, std::uint32_t lane, std::uint64_t address,
                             std::size_t bytes) {
  if (target.mbarriers().all().empty()) return;
  for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + bytes; at += 8) {
    const Mbarrier* barrier = target.mbarriers().find(static_cast<std::uint32_t>(at));
    if (barrier == nullptr) continue;
    const std::uint32_t pc = warp.current_pc();
    Finding finding;
    finding.kind = FindingKind::kMbarrierOverwritten;
    finding.message = fmt::format("`{}` writes to shared address {}, where an mbarrier is in use",
                                  context_->program->opcodes[pc], at < address ? address : at);
    finding.advice =
        "check the index and the layout of shared memory, or end the mbarrier with mbarrier.inval "
        "and a barrier before its place is used again";
    finding.here =
        findings_->side(warp.block().linear_index(), pc, warp.index() * kWarpSize + lane, "store");
    finding.other =
        findings_->side(barrier->initialiser.block, barrier->init_pc,
                        barrier->initialiser.index * kWarpSize + barrier->init_lane, "init");
    return findings_->add(std::move(finding), pc, barrier->init_pc);
  }
}

}  // namespace warpwright::emu
