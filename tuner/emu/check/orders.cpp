#include "emu/check/orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "emu/check/findings.h"
#include "emu/check/static_facts.h"
#include "emu/exec/cluster.h"

namespace warpwright::emu {
namespace {

template <class Body>
void for_lanes(std::uint32_t lanes, Body&& body) {
  for (; lanes != 0; lanes &= lanes - 1) body(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

ClockRef learned(const ClockRef& from, const Actor& actor, std::uint32_t lanes) {
  auto more = from == nullptr ? Counted<Clock>::make() : Counted<Clock>::make(*from);
  more->learn(actor.block, actor.index, actor.epoch, lanes);
  return more;
}

// The clocks of a lane, for modification.
Knowledge& own_of(BlockOrders& orders, const Warp& warp, std::uint32_t lane) {
  orders.agreed[warp.index()] = 0;
  return orders.lanes[warp.index() * kWarpSize + lane];
}

}  // namespace

Orders::Orders(const LaunchContext& context, Findings& findings)
    : context_(&context), findings_(&findings), orders_(context.program->code.size(), 0) {
  const Program& program = *context.program;
  for (std::uint32_t pc = 0; pc < orders_.size() && !has_relaxed_loads_; ++pc)
    has_relaxed_loads_ = program.opcodes[pc].starts_with("ld.") &&
                         (order_of(pc) & Order::kStrong) != 0 && !is_polled(program, pc);
}

void Orders::start(Block& block) {
  BlockOrders& orders = block.checks()->orders;
  orders.lanes.assign(block.warp_count() * kWarpSize, {});
  orders.epochs.assign(block.warp_count(), 1);
  orders.last_flags.assign(block.warp_count() * kWarpSize, 0);
  orders.agreed.assign(block.warp_count(), 0);
  orders.dirty.assign(block.warp_count(), 0);
  orders.barriers = {};
  orders.cluster = {};
  orders.flags.clear();
  orders.near_flags.clear();
  orders.slots = {};
  orders.next_slot = 0;
  orders.relaxed.assign(block.warp_count(), 0);
  orders.relaxed_flags.clear();
}

Knowledge Orders::release(Warp& warp, std::uint32_t lanes) {
  Knowledge published;
  for_lanes(lanes, [&](std::uint32_t lane) { published.join(known(warp, lane)); });
  published.happened =
      learned(published.happened, actor_of(warp), lanes == warp.live() ? kAllLanes : lanes);
  ++of(warp).epochs[warp.index()];
  return published;
}

void Orders::acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) {
  BlockOrders& orders = of(warp);
  // Lanes that had equal clocks keep sharing one clock.
  Knowledge before;
  Knowledge after;
  bool first = true;
  for_lanes(lanes, [&](std::uint32_t lane) {
    Knowledge& known = own_of(orders, warp, lane);
    if (first || !(known == before)) {
      before = known;
      after = known;
      after.join(knowledge);
      first = false;
    }
    known = after;
  });
}

// --- barriers of the block and the cluster

void Orders::arrive_at_barrier(Warp& warp, std::uint32_t id) {
  of(warp).barriers[id].join(release(warp, warp.live()));
}

void Orders::complete_barrier(Block& block, std::uint32_t id,
                              const std::vector<std::uint32_t>& waiting, std::uint32_t exited) {
  if (exited != 0) {
    for_lanes(exited, [&](std::uint32_t index) { excuse(block.warp(index), id); });
    // Unless all have arrived and continued: no warp is released too early.
    if (!waiting.empty()) exit_before_barrier(block, id, waiting, exited);
  }
  Knowledge& shared = block.checks()->orders.barriers[id];
  for (const std::uint32_t index : waiting) {
    Warp& warp = block.warp(index);
    acquire(warp, warp.live(), shared);
  }
  shared = {};
}

// A barrier that completes without an exited warp publishes everything that this warp did and saw.
void Orders::excuse(Warp& exited, std::uint32_t barrier) {
  Knowledge all;
  for_lanes(kAllLanes, [&](std::uint32_t lane) { all.join(known(exited, lane)); });
  all.happened = learned(all.happened, actor_of(exited), kAllLanes);
  of(exited).barriers[barrier].join(all);
}

void Orders::exit_before_barrier(Block& block, std::uint32_t id,
                                 const std::vector<std::uint32_t>& waiting, std::uint32_t exited) {
  const std::uint32_t threads = context_->threads_per_block;
  std::uint32_t gone = 0;
  for_lanes(exited, [&](std::uint32_t index) {
    gone += std::min<std::uint32_t>(threads - index * kWarpSize, kWarpSize);
  });
  const Warp& first = block.warp(waiting.front());
  const auto at_barrier = std::find_if(
      first.groups().begin(), first.groups().end(),
      [id](const Group& group) { return group.wait == Wait::kBarrier && group.barrier == id; });
  // The one that completes it does not wait.
  const bool waits = at_barrier != first.groups().end();
  const std::uint32_t pc = waits ? at_barrier->pc : first.current_pc();
  const std::uint32_t lanes = waits ? at_barrier->mask : first.live();
  const auto who = static_cast<std::uint32_t>(std::countr_zero(exited));
  const Warp& out = block.warp(who);
  Finding finding;
  finding.kind = FindingKind::kExitBeforeBarrier;
  finding.message = fmt::format(
      "barrier {} completes although {} of {} threads have exited without it; GPUs count them as "
      "arrived, CUDA leaves it undefined",
      id, gone, threads);
  finding.advice = "move the return below the barrier, or guard the work instead of returning";
  finding.here = findings_->side(
      block.linear_index(), pc,
      first.index() * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes)), "barrier");
  finding.other = findings_->side(block.linear_index(), out.current_pc(), who * kWarpSize, "exit");
  findings_->add(std::move(finding), pc, out.current_pc());
}

void Orders::arrive_at_cluster(Warp& warp) { of(warp).cluster.join(release(warp, warp.mask())); }

// Lanes acquire what the phase published when they wait; until then no lane can arrive again.
void Orders::complete_cluster(Block& block) {
  Knowledge all;
  Cluster& cluster = block.cluster();
  for (std::size_t rank = 0; rank < cluster.size(); ++rank)
    all.join(cluster.block(rank).checks()->orders.cluster);
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    cluster.block(rank).checks()->orders.cluster = {};
    for (std::size_t i = 0; i < cluster.block(rank).warp_count(); ++i) {
      Warp& warp = cluster.block(rank).warp(i);
      acquire(warp, warp.live(), all);
    }
  }
}

// --- lanes of a warp

void Orders::sync_lanes(Warp& warp, std::uint32_t lanes) {
  const Knowledge& first = known(warp, static_cast<std::uint32_t>(std::countr_zero(lanes)));
  bool same = true;
  for_lanes(lanes, [&](std::uint32_t lane) { same = same && known(warp, lane) == first; });
  // Nothing to publish: no lane accessed memory, and all have equal clocks already.
  std::uint32_t& dirty = of(warp).dirty[warp.index()];
  if (same && (dirty & lanes) == 0) return;
  acquire(warp, lanes, release(warp, lanes));
  dirty &= ~lanes;
}

std::uint32_t Orders::agreeing(const Warp& warp, std::uint32_t lanes) const {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  std::uint32_t same = lanes;
  for_lanes(lanes & ~(1u << first), [&](std::uint32_t lane) {
    if (last_flag(warp, lane) != last_flag(warp, first) ||
        !(known(warp, lane) == known(warp, first)))
      same &= ~(1u << lane);
  });
  return same;
}

std::uint32_t Orders::find_agreed(const Warp& warp) const {
  return of(warp).agreed[warp.index()] = agreeing(warp, kAllLanes);
}

ClockRef Orders::known_at_end(const Block& block) const {
  ClockRef all;
  for (const Knowledge& lane : block.checks()->orders.lanes) all = joined(all, lane.happened);
  return all;
}

// --- fences

void Orders::fence(Warp& warp, bool async_proxy) {
  BlockOrders& orders = of(warp);
  const Actor own = actor_of(warp);
  const bool of_block = (order_of(warp.current_pc()) & Order::kOfBlock) != 0;
  for_lanes(warp.mask(), [&](std::uint32_t lane) {
    Knowledge& known = own_of(orders, warp, lane);
    if (!async_proxy) {
      // Flags that were read before it count from here on.
      known.happened = joined(known.happened, known.seen_near);
      if (!of_block) known.happened = joined(known.happened, known.seen);
    }
    const ClockRef now = learned(known.happened, own, 1u << lane);
    if (async_proxy) {
      known.proxied = now;
    } else {
      (of_block ? known.fenced_near : known.fenced) = now;
    }
  });
  ++orders.epochs[warp.index()];
}

// The acquiring side, which every reader of a map needs; the writes that it must see must have been
// released to it.
void Orders::fence_tensor_maps(Warp& warp) {
  BlockOrders& orders = of(warp);
  const Actor own = actor_of(warp);
  for_lanes(warp.mask(), [&](std::uint32_t lane) {
    Knowledge& known = own_of(orders, warp, lane);
    known.happened = joined(known.happened, joined(known.seen_near, known.seen));
    known.mapped = learned(known.happened, own, 1u << lane);
  });
  ++orders.epochs[warp.index()];
}

// --- asynchronous operations

void Orders::publish(Knowledge& to, const Actor& actor, std::uint32_t lanes) {
  to.happened = learned(to.happened, actor, lanes);
}

void Orders::acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes) {
  BlockOrders& orders = of(warp);
  for_lanes(lanes,
            [&](std::uint32_t lane) { publish(own_of(orders, warp, lane), copy, 1u << lane); });
}

Actor Orders::begin_async(Warp& warp) {
  BlockOrders& orders = of(warp);
  const std::uint16_t slot = orders.next_slot;
  orders.next_slot = static_cast<std::uint16_t>((slot + 1) % kSlots);
  return {warp.block().linear_index(), static_cast<std::uint16_t>(kFirstSlot + slot),
          ++orders.slots[slot]};
}

// --- flags: atomics and other strong accesses, by which threads and blocks synchronise

// A write with block scope is visible to readers in the block, and a read with that scope sees only
// the writes of its own block. Shared memory does not distinguish the two.
void Orders::synchronise(Warp& warp, Block* target, std::uint32_t lane, std::uint64_t address,
                         AccessKind kind, std::uint8_t order) {
  BlockOrders& orders = of(warp);
  auto& wide = target != nullptr ? target->checks()->orders.flags : flags_;
  auto& near = target != nullptr ? target->checks()->orders.flags : orders.near_flags;
  const bool of_block = target == nullptr && (order & Order::kOfBlock) != 0;
  Knowledge& known = own_of(orders, warp, lane);
  // The lane's clocks before it reads the flag.
  const ClockRef fenced = kind == AccessKind::kLoad ? nullptr : known.fenced;
  const ClockRef fenced_near = kind == AccessKind::kLoad ? nullptr : known.fenced_near;
  const ClockRef proxied = kind == AccessKind::kLoad ? nullptr : known.proxied;
  const auto read = [&](const auto& flags, ClockRef& seen) {
    const Knowledge* flag = flags.find(address);
    if (flag == nullptr) return;
    if ((order & Order::kAcquire) != 0) return known.join(*flag);
    // The read orders nothing before the next fence.
    seen = joined(seen, flag->happened);
    known.proxied = joined(known.proxied, flag->proxied);
  };
  if (kind != AccessKind::kStore) {
    const auto& relaxed =
        target != nullptr ? target->checks()->orders.relaxed_flags : relaxed_flags_;
    if (const ClockRef* before = relaxed.find(address); before != nullptr)
      known.heard = joined(known.heard, *before);
    read(near, known.seen_near);
    if (target == nullptr && !of_block) read(wide, known.seen);
    orders.last_flags[warp.index() * kWarpSize + lane] = flag_address(target, address / 4 * 4);
  }
  if (kind == AccessKind::kLoad) return;
  if ((order & Order::kRelease) != 0) {
    const Knowledge published = release(warp, 1u << lane);
    near[address].join(published);
    if (target == nullptr && !of_block) wide[address].join(published);
    return;
  }
  // A relaxed store or atomic publishes what a fence before it covers.
  const auto pass_on = [&](auto& flags, const ClockRef& happened) {
    if (happened == nullptr && proxied == nullptr) return;
    Knowledge covered;
    covered.happened = happened;
    covered.fenced = fenced;
    covered.proxied = proxied;
    flags[address].join(covered);
  };
  pass_on(near, joined(fenced, fenced_near));
  if (target == nullptr && !of_block) pass_on(wide, fenced);
}

// Flags that are set by relaxed stores without a fence order nothing, although a reader may rely on
// them. A relaxed store stands for everything that its thread did before it; so does an atomic of a
// thread that has made a relaxed store. The clock that is recorded for a flag does not cover the
// flag's own store.
void Orders::note_relaxed_flags(Warp& warp, Block* target, std::uint32_t lanes,
                                const LaneAddresses& addresses, bool atomic) {
  BlockOrders& orders = of(warp);
  std::uint32_t& relaxed = orders.relaxed[warp.index()];
  if (!atomic) relaxed |= lanes;
  lanes &= relaxed;
  if (lanes == 0) return;
  auto& flags = target != nullptr ? target->checks()->orders.relaxed_flags : relaxed_flags_;
  const Actor own = actor_of(warp);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const Knowledge& knowledge = known(warp, lane);
    ClockRef& flag = flags[addresses.at[lane]];
    flag = joined(flag, learned(joined(knowledge.happened, knowledge.heard), own, 1u << lane));
  });
  ++orders.epochs[warp.index()];
}

std::uint8_t Orders::find_order(std::uint32_t pc) {
  const auto& cluster = context_->launch->cluster;
  return orders_[pc] =
             memory_order(context_->program->opcodes[pc], cluster[0] * cluster[1] * cluster[2] > 1);
}

}  // namespace warpwright::emu
