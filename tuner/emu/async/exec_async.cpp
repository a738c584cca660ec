// mbarrier instructions, lane by lane; the commits and waits of copies; clusters, setmaxnreg and
// fences.
#include "emu/async/exec_async.h"

#include <fmt/format.h>

#include <bit>

#include "core/words.h"
#include "emu/exec/address.h"
#include "emu/exec/cluster.h"
#include "emu/exec/memory.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kBarrierBytes = 8;

struct Target {
  SharedPlace place;
  Mbarrier* barrier = nullptr;
};

std::uint64_t operand_value(const Warp& warp, std::uint32_t row, std::uint32_t lane) {
  return warp.wide(row)[lane];
}

[[noreturn]] void misuse(std::uint32_t lane, std::string message) {
  throw KernelFault{FindingKind::kTrap, std::move(message), lane};
}

Target find(Warp& warp, const Inst& inst, std::uint32_t lane) {
  Target target;
  target.place = locate_shared(warp, lane, operand_value(warp, warp.extra(inst)[0], lane),
                               kBarrierBytes, kBarrierBytes, AccessKind::kAtomic);
  target.barrier = target.place.block->mbarriers().find(target.place.offset);
  if (target.barrier == nullptr) {
    misuse(lane, fmt::format("`{}` at {{place}} on shared address {}, where no mbarrier was "
                             "initialised; init it, then have all threads pass a barrier",
                             warp.program().opcodes[warp.current_pc()], target.place.offset));
  }
  if (Observer* observer = warp.block().observer())
    observer->use_mbarrier(warp, lane, *target.barrier, target.place.offset);
  return target;
}

void init(Warp& warp, const Inst& inst, std::uint32_t lane) {
  const SharedPlace place =
      locate_shared(warp, lane, operand_value(warp, warp.extra(inst)[0], lane), kBarrierBytes,
                    kBarrierBytes, AccessKind::kAtomic);
  const std::uint64_t count = operand_value(warp, warp.extra(inst)[1], lane) & 0xffffffffu;
  if (count == 0 || count > kMaxArrivals) {
    misuse(lane, fmt::format("mbarrier.init with a count of {} at {{place}}; it must be 1 to {}",
                             count, kMaxArrivals));
  }
  Mbarrier& barrier = place.block->mbarriers().init(place.offset, static_cast<std::uint32_t>(count),
                                                    warp.current_pc());
  if (Observer* observer = warp.block().observer()) observer->init_mbarrier(warp, lane, barrier);
}

void expect(Mbarrier& barrier, std::uint64_t bytes, std::uint32_t lane) {
  if (bytes > static_cast<std::uint64_t>(kMaxTransactionBytes) ||
      barrier.bytes + static_cast<std::int64_t>(bytes) > kMaxTransactionBytes) {
    misuse(lane,
           fmt::format("an mbarrier at {{place}} would wait for {} bytes; a phase takes at most {}",
                       barrier.bytes + static_cast<std::int64_t>(bytes), kMaxTransactionBytes));
  }
  (void)Mbarriers::add_bytes(barrier, static_cast<std::int64_t>(bytes));
}

void arrive(Warp& warp, const Inst& inst, std::uint32_t lane, bool drop) {
  const std::uint32_t* rows = warp.extra(inst);
  const Target target = find(warp, inst, lane);
  Mbarrier& barrier = *target.barrier;
  const std::uint64_t arrivals =
      rows[1] == kNoRegister ? 1 : operand_value(warp, rows[1], lane) & 0xffffffffu;
  if (rows[2] != kNoRegister)
    expect(barrier, operand_value(warp, rows[2], lane) & 0xffffffffu, lane);
  if (arrivals == 0 || arrivals > barrier.missing) {
    misuse(lane,
           fmt::format("{} at {{place}} on the mbarrier at shared address {}, which expects "
                       "{} a phase and {} more in this one; init it with the number of arrivals",
                       plural(arrivals, "arrival"), target.place.offset, barrier.expected,
                       barrier.missing));
  }
  if (inst.dst != kNoRegister) warp.wide(inst.dst)[lane] = barrier.token();
  if (drop) barrier.expected -= static_cast<std::uint32_t>(arrivals);
  if (Mbarriers::arrive(barrier, static_cast<std::uint32_t>(arrivals)))
    target.place.block->wake_at_mbarrier(target.place.offset);
}

// Lanes whose phase is over get a true predicate. try_wait puts the warp to sleep if no phase is
// over and all wait for the same one; otherwise the kernel polls.
void wait(Warp& warp, const Inst& inst, bool may_sleep) {
  const std::uint32_t row = warp.extra(inst)[1];
  std::uint32_t over = 0;
  const Block* block = nullptr;
  std::uint32_t address = 0;
  bool same = true;
  Observer* observer = warp.block().observer();
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const Target target = find(warp, inst, lane);
    const std::uint64_t which = operand_value(warp, row, lane);
    const bool is_over = (inst.flags & MbarrierFlags::kParity) != 0
                             ? target.barrier->is_parity_over(static_cast<std::uint32_t>(which & 1))
                             : target.barrier->is_over(which);
    same = same &&
           (block == nullptr || (block == target.place.block && address == target.place.offset));
    block = target.place.block;
    address = target.place.offset;
    if (!is_over) continue;
    over |= 1u << lane;
    if (observer != nullptr) observer->acquire(warp, 1u << lane, target.barrier->completed);
  }
  if (over == 0 && may_sleep && same && block == &warp.block()) {
    warp.wait_for(Wait::kMbarrier, address);
    return;
  }
  if (over != warp.mask()) {
    warp.note_shared_progress();
    warp.yield();
  }
  warp.set_predicate(inst.dst, over);
}

void arrive_after_copies(Warp& warp, const Inst& inst, std::uint32_t lane) {
  const Target target = find(warp, inst, lane);
  if ((inst.flags & MbarrierFlags::kNoIncrement) == 0) ++target.barrier->missing;
  warp.block().cluster().async().arrive_after_copies(warp, lane, target.place.offset);
}

}  // namespace

void exec_mbarrier(Warp& warp, const Inst& inst) {
  const auto op = static_cast<MbarrierOp>(inst.immediate);
  if (op == MbarrierOp::kTestWait || op == MbarrierOp::kTryWait)
    return wait(warp, inst, op == MbarrierOp::kTryWait);
  const bool publishes =
      op == MbarrierOp::kArrive || op == MbarrierOp::kArriveDrop || op == MbarrierOp::kCopiesArrive;
  if (Observer* observer = warp.block().observer(); observer != nullptr && publishes) {
    // Published before any warp is woken; lanes may arrive at different barriers.
    for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const Target target = find(warp, inst, lane);
      observer->arrive_at_mbarrier(warp, lane, *target.place.block, *target.barrier);
    }
  }
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    switch (op) {
      case MbarrierOp::kInit:
        init(warp, inst, lane);
        break;
      case MbarrierOp::kInval: {
        const Target target = find(warp, inst, lane);
        target.place.block->mbarriers().invalidate(target.place.offset);
        break;
      }
      case MbarrierOp::kArrive:
      case MbarrierOp::kArriveDrop:
        arrive(warp, inst, lane, op == MbarrierOp::kArriveDrop);
        break;
      case MbarrierOp::kExpectTx:
        expect(*find(warp, inst, lane).barrier,
               operand_value(warp, warp.extra(inst)[1], lane) & 0xffffffffu, lane);
        break;
      case MbarrierOp::kCompleteTx: {
        const Target target = find(warp, inst, lane);
        const auto bytes =
            static_cast<std::int64_t>(operand_value(warp, warp.extra(inst)[1], lane) & 0xffffffffu);
        if (Mbarriers::add_bytes(*target.barrier, -bytes))
          target.place.block->wake_at_mbarrier(target.place.offset);
        break;
      }
      default:
        arrive_after_copies(warp, inst, lane);
        break;
    }
  }
}

void exec_mbarrier_pending_count(Warp& warp, const Inst& inst) {
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    warp.row(inst.dst)[lane] = static_cast<std::uint32_t>(warp.wide(inst.src[0])[lane]);
  }
}

void exec_commit_copies(Warp& warp, const Inst&) {
  warp.block().cluster().async().commit_copies(warp);
}
void exec_wait_copies(Warp& warp, const Inst& inst) {
  warp.block().cluster().async().wait_copies(warp, static_cast<std::uint32_t>(inst.immediate));
}
void exec_wait_all_copies(Warp& warp, const Inst&) {
  warp.block().cluster().async().wait_all_copies(warp);
}
void exec_commit_bulk(Warp& warp, const Inst&) { warp.block().cluster().async().commit_bulk(warp); }
void exec_wait_bulk(Warp& warp, const Inst& inst) {
  warp.block().cluster().async().wait_bulk(warp, static_cast<std::uint32_t>(inst.immediate),
                                           inst.flags != 0);
}

// --- clusters, setmaxnreg and fences

namespace {

constexpr int kMinRegisters = 24;
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
          FindingKind::kOutOfBounds,
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
        FindingKind::kTrap,
        "barrier.cluster.arrive at {place} twice without a barrier.cluster.wait between; "
        "wait for the phase first",
        first_lane(warp)};
  }
  if (Observer* observer = warp.block().observer()) observer->arrive_at_cluster(warp);
  warp.arrive_at_cluster();
  warp.block().cluster().settle_barrier();
}

void exec_cluster_wait(Warp& warp, const Inst&) {
  if ((warp.mask() & ~warp.cluster_owing()) != 0) {
    throw KernelFault{FindingKind::kTrap,
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
  if (wanted < kMinRegisters || wanted > kMostRegisters || wanted % 8 != 0) {
    throw KernelFault{
        FindingKind::kTrap,
        fmt::format("setmaxnreg to {} registers at {{place}}; it takes multiples of 8 "
                    "from {} to {}",
                    wanted, kMinRegisters, kMostRegisters),
        first_lane(warp)};
  }
  const bool wrong_way = more ? wanted < warp.registers() : wanted > warp.registers();
  if (Observer* observer = warp.block().observer(); observer != nullptr && wrong_way) {
    observer->report(
        FindingKind::kRegisterBudget, warp, first_lane(warp), "setmaxnreg",
        fmt::format("setmaxnreg.{} to {} registers, but each thread of the warp has {}",
                    more ? "inc" : "dec", wanted, warp.registers()),
        "dec must not ask for more than there are, inc not for fewer; see what ptxas allocated");
  }
  if (wrong_way) return;
  if (!warp.block().change_registers(warp, wanted)) warp.wait_for(Wait::kRegisters, 0);
}

void exec_fence(Warp& warp, const Inst& inst) {
  Observer* observer = warp.block().observer();
  if (observer == nullptr) return;
  observer->fence(warp, {.async_proxy = (inst.flags & FenceFlags::kAsyncProxy) != 0,
                         .mbarrier_inits = (inst.flags & FenceFlags::kMbarrierInit) != 0,
                         .tensor_maps = (inst.flags & FenceFlags::kTensorMap) != 0});
}

}  // namespace warpwright::emu
