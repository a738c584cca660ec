// Clusters, setmaxnreg and fences.
#include <fmt/format.h>

#include <bit>

#include "emu/async/cluster.h"
#include "emu/async/exec_async.h"
#include "emu/check/checker.h"
#include "emu/exec/memory.h"

namespace warpwright::emu {
namespace {

constexpr int kFewestRegisters = 24;
constexpr int kMostRegisters = 256;
constexpr std::uint32_t kNoRank = 0xffffffffu;

std::uint32_t first_lane(const Warp& warp) {
  return static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
}

}  // namespace

// Maps an address in the block's own shared memory to the same offset in another block's.
void exec_mapa(Warp& warp, const Inst& inst) {
  const std::size_t size = warp.block().cluster().size();
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t from = warp.wide(inst.src[0])[lane];
    const std::uint32_t rank = warp.row(inst.src[1])[lane];
    if (rank >= size) {
      throw KernelFault{
          FaultKind::kOutOfBounds,
          fmt::format("mapa to block {} of a cluster of {} at {{place}}; ranks start at 0", rank,
                      size),
          lane};
    }
    const std::uint64_t to = (from & (kWindowMask | kSharedOffsetMask)) | std::uint64_t{rank + 1}
                                                                              << kClusterTagShift;
    if (inst.flags != 0) {
      warp.wide(inst.dst)[lane] = to;
    } else {
      warp.row(inst.dst)[lane] = static_cast<std::uint32_t>(to);
    }
  }
}

void exec_getctarank(Warp& warp, const Inst& inst) {
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t address = warp.wide(inst.src[0])[lane];
    const std::uint64_t window = address & kWindowMask;
    const std::uint64_t tag = address >> kClusterTagShift & 0xff;
    std::uint32_t rank = tag == 0 ? warp.block().rank() : static_cast<std::uint32_t>(tag - 1);
    if (window != 0 && window != kSharedWindow) rank = kNoRank;
    warp.row(inst.dst)[lane] = rank;
  }
}

void exec_cluster_arrive(Warp& warp, const Inst&) {
  if ((warp.cluster_owing() & warp.mask()) != 0) {
    throw KernelFault{
        FaultKind::kTrap,
        "barrier.cluster.arrive at {place} twice without a barrier.cluster.wait between; "
        "wait for the phase first",
        first_lane(warp)};
  }
  if (Checker* checker = warp.block().checker()) checker->arrive_at_cluster(warp);
  warp.arrive_at_cluster();
  warp.block().cluster().settle_barrier();
}

void exec_cluster_wait(Warp& warp, const Inst&) {
  if ((warp.mask() & ~warp.cluster_owing()) != 0) {
    throw KernelFault{FaultKind::kTrap,
                      "barrier.cluster.wait at {place} by threads that have not arrived; each wait "
                      "needs a barrier.cluster.arrive before it",
                      first_lane(warp)};
  }
  if ((warp.cluster_arrived() & warp.mask()) != 0) return warp.wait_for(Wait::kCluster, 0);
  warp.leave_cluster_barrier();
}

// Registers move between the warps of a block only, in units of 8 per thread.
void exec_setmaxnreg(Warp& warp, const Inst& inst) {
  const int wanted = static_cast<int>(inst.immediate);
  const bool more = inst.flags != 0;
  if (wanted < kFewestRegisters || wanted > kMostRegisters || wanted % 8 != 0) {
    throw KernelFault{
        FaultKind::kTrap,
        fmt::format("setmaxnreg to {} registers at {{place}}; it takes multiples of 8 "
                    "from {} to {}",
                    wanted, kFewestRegisters, kMostRegisters),
        first_lane(warp)};
  }
  const bool wrong_way = more ? wanted < warp.registers() : wanted > warp.registers();
  if (Checker* checker = warp.block().checker(); checker != nullptr && wrong_way) {
    checker->report(
        HazardKind::kRegisterBudget, warp, first_lane(warp), "setmaxnreg",
        fmt::format("setmaxnreg.{} to {} registers, but each thread of the warp has {}",
                    more ? "inc" : "dec", wanted, warp.registers()),
        "dec must not ask for more than there are, inc not for fewer; see what ptxas allocated");
  }
  if (wrong_way) return;
  if (!warp.block().change_registers(warp, wanted)) warp.wait_for(Wait::kRegisters, 0);
}

void exec_fence(Warp& warp, const Inst& inst) {
  Checker* checker = warp.block().checker();
  if (checker == nullptr) return;
  if ((inst.flags & FenceFlags::kMbarrierInit) != 0) checker->fence_inits(warp);
  if ((inst.flags & FenceFlags::kTensorMap) != 0) checker->fence_tensor_maps(warp);
  checker->fence(warp, (inst.flags & FenceFlags::kAsyncProxy) != 0);
}

}  // namespace warpwright::emu
