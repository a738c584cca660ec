// Who is ordered after whom: keeps the vector clocks (model/clock.h) of all lanes, of barriers and
// of flags up to date, and answers what a lane's next access is ordered after.
//
// Every warp counts epochs: an access belongs to the warp's current epoch, and publishing the
// clocks of its lanes begins the next one.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/check/block_checks.h"
#include "emu/check/lookups.h"
#include "emu/exec/address.h"
#include "emu/exec/block.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Findings;

// A unique number for a word of global memory or of a block's shared memory; never 0.
[[nodiscard]] inline std::uint64_t flag_address(const Block* target, std::uint64_t word) {
  return target == nullptr ? word : kSharedWindow | (target->linear_index() + 1) << 24 | word;
}

class Orders {
 public:
  Orders(const LaunchContext& context, Findings& findings);
  void start(Block& block);

  // --- events, as in Observer
  void arrive_at_barrier(Warp& warp, std::uint32_t id);
  void complete_barrier(Block& block, std::uint32_t id, const std::vector<std::uint32_t>& waiting,
                        std::uint32_t exited);
  void arrive_at_cluster(Warp& warp);
  void complete_cluster(Block& block);
  void sync_lanes(Warp& warp, std::uint32_t lanes);
  // Returns the clocks that these lanes publish at this point; later accesses are not covered.
  [[nodiscard]] Knowledge release(Warp& warp, std::uint32_t lanes);
  void acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge);
  void acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes);
  void publish(Knowledge& to, const Actor& actor, std::uint32_t lanes);
  void fence(Warp& warp, bool async_proxy);
  void fence_tensor_maps(Warp& warp);
  [[nodiscard]] Actor begin_async(Warp& warp);

  // --- accesses
  // The lanes access memory, or initialise an mbarrier: their next barrier publishes something.
  void note_access(const Warp& warp, std::uint32_t lanes) { of(warp).dirty[warp.index()] |= lanes; }
  // Before synchronise(): lanes make strong stores, or atomics, which may set flags that readers
  // rely on although nothing orders them.
  void note_strong_stores(Warp& warp, Block* target, std::uint32_t lanes,
                          const LaneAddresses& addresses, bool atomic) {
    if (has_relaxed_loads_) note_relaxed_flags(warp, target, lanes, addresses, atomic);
  }
  // A lane makes a strong access, which may set or read a flag (`target` as in Observer::access).
  void synchronise(Warp& warp, Block* target, std::uint32_t lane, std::uint64_t address,
                   AccessKind kind, std::uint8_t order);

  // --- questions
  // Order bits of the instruction (static_facts.h).
  [[nodiscard]] std::uint8_t order_of(std::uint32_t pc) {
    const std::uint8_t order = orders_[pc];
    return order != 0 ? order : find_order(pc);
  }
  [[nodiscard]] const Knowledge& known(const Warp& warp, std::uint32_t lane) const {
    return of(warp).lanes[warp.index() * kWarpSize + lane];
  }
  // The flag_address() that the lane has read last, 0 none.
  [[nodiscard]] std::uint64_t last_flag(const Warp& warp, std::uint32_t lane) const {
    return of(warp).last_flags[warp.index() * kWarpSize + lane];
  }
  [[nodiscard]] std::uint32_t epoch_of(const Warp& warp) const {
    return of(warp).epochs[warp.index()];
  }
  [[nodiscard]] Actor actor_of(const Warp& warp) const {
    return {warp.block().linear_index(), static_cast<std::uint16_t>(warp.index()), epoch_of(warp)};
  }
  // The lanes whose clocks and last flag equal those of lane 0.
  [[nodiscard]] std::uint32_t agreed(const Warp& warp) const {
    const std::uint32_t known = of(warp).agreed[warp.index()];
    return known != 0 ? known : find_agreed(warp);
  }
  // Those of `lanes` whose clocks and last flag equal those of the first of them.
  [[nodiscard]] std::uint32_t agreeing(const Warp& warp, std::uint32_t lanes) const;
  // Everything that happened before the end of the block.
  [[nodiscard]] ClockRef known_at_end(const Block& block) const;

 private:
  [[nodiscard]] static BlockOrders& of(const Warp& warp) { return warp.block().checks()->orders; }
  [[nodiscard]] std::uint8_t find_order(std::uint32_t pc);
  [[nodiscard]] std::uint32_t find_agreed(const Warp& warp) const;
  void note_relaxed_flags(Warp& warp, Block* target, std::uint32_t lanes,
                          const LaneAddresses& addresses, bool atomic);
  void excuse(Warp& exited, std::uint32_t barrier);
  void exit_before_barrier(Block& block, std::uint32_t id,
                           const std::vector<std::uint32_t>& waiting, std::uint32_t exited);

  const LaunchContext* context_;
  Findings* findings_;
  FlagTable<Knowledge> flags_;  // in global memory
  // By flag in global memory: everything that the threads had done before they set the flag by a
  // relaxed store.
  FlagTable<ClockRef> relaxed_flags_;
  std::vector<std::uint8_t> orders_;  // by pc; 0: not computed yet
  bool has_relaxed_loads_ = false;    // there are relaxed loads that are not polled
};

}  // namespace warpwright::emu
