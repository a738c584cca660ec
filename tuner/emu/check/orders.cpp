// The checker's handling of synchronisation: it updates the vector clocks of the lanes.
#include <algorithm>
#include <bit>

#include "emu/exec/cluster.h"
#include "emu/check/checker.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

const Knowledge& lane_of(const BlockChecks& checks, const Warp& warp, std::uint32_t lane) {
  return checks.lanes[warp.index() * kWarpSize + lane];
}
// The clocks of a lane, for modification.
Knowledge& own_of(BlockChecks& checks, const Warp& warp, std::uint32_t lane) {
  checks.agreed[warp.index()] = 0;
  return checks.lanes[warp.index() * kWarpSize + lane];
}

template <class Body>
void for_lanes(std::uint32_t lanes, Body&& body) {
  for (; lanes != 0; lanes &= lanes - 1) body(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

ClockRef learned(const ClockRef& from, const Actor& actor, std::uint32_t lanes) {
  auto more = from == nullptr ? Counted<Clock>::make() : Counted<Clock>::make(*from);
  more->learn(actor.block, actor.index, actor.epoch, lanes);
  return more;
}

}  // namespace

Checker::Checker(const LaunchContext& context, bool trust_cas_reads)
    : context_(&context),
      orders_(context.program->code.size(), 0),
      wgmma_feeders_(find_wgmma_feeders(*context.program)),
      tentative_loads_(find_tentative_loads(*context.program)),
      schedule_sensitive_(find_schedule_sensitive(*context.program)),
      cas_reads_(trust_cas_reads ? find_cas_reads(*context.program) : std::vector<bool>{}),
      last_issuers_(context.program->code.size(), 0) {
  groups_.resize(orders_.size());
  looked_at_.resize(orders_.size());
  for (std::uint32_t pc = 0; pc < looked_at_.size(); ++pc) {
    looked_at_[pc] = (!wgmma_feeders_.empty() && wgmma_feeders_[pc]) ||
                     (!schedule_sensitive_.empty() && schedule_sensitive_[pc]);
  }
  for (std::uint32_t pc = 0; pc < orders_.size() && !believes_; ++pc)
    believes_ = context.program->opcodes[pc].starts_with("ld.") &&
                (order_of(pc) & Order::kStrong) != 0 && !polls(pc);
  for (const SharedObject& object : context.program->shared_objects) {
    if (object.dynamic) {
      bounds_.push_back({context.symbol_address(object.symbol), context.shared_bytes});
    } else {
      bounds_.push_back({object.offset, object.offset + object.bytes});
    }
  }
  likely_bounds_.reserve(orders_.size());
  for (const std::uint32_t set : context.program->accessed_set) {
    likely_bounds_.push_back(set == 0 ? SharedBounds{0, ~std::uint64_t{0}}
                                      : bounds_[context.program->object_sets[set].front()]);
  }
}
Checker::~Checker() = default;

void Checker::start(Block& block) {
  if (block.checks() == nullptr) {
    blocks_.push_back(std::make_unique<BlockChecks>());
    block.set_checks(blocks_.back().get());
  }
  BlockChecks& checks = *block.checks();
  checks.lanes.assign(block.warp_count() * kWarpSize, {});
  checks.epochs.assign(block.warp_count(), 1);
  checks.polled.assign(block.warp_count() * kWarpSize, 0);
  checks.agreed.assign(block.warp_count(), 0);
  checks.dirty.assign(block.warp_count(), 0);
  checks.barriers = {};
  checks.cluster = {};
  checks.shared.clear();
  ++changes_;
  checks.flags.clear();
  checks.near_flags.clear();
  checks.slots = {};
  checks.next_slot = 0;
  checks.registers.assign(block.warp_count(), {});
  checks.warpgroups.assign((block.warp_count() + kWarpgroupWarps - 1) / kWarpgroupWarps, {});
  checks.local_written.assign(block.warp_count(), {});
  checks.peers.clear();
  checks.told.assign(block.warp_count(), 0);
  checks.tellings.clear();
  for (std::size_t i = 0; i < block.warp_count(); ++i) {
    for (const std::uint32_t reg : context_->entry->undefined_at_entry)
      checks.registers[i].undefined[reg] = kAllLanes;
  }
}

Knowledge Checker::release(Warp& warp, std::uint32_t lanes) {
  BlockChecks& checks = *warp.block().checks();
  Knowledge published;
  for_lanes(lanes, [&](std::uint32_t lane) { published.join(lane_of(checks, warp, lane)); });
  const Actor own{warp.block().linear_index(), static_cast<std::uint16_t>(warp.index()),
                  checks.epochs[warp.index()]};
  published.happened = learned(published.happened, own, lanes == warp.live() ? kAllLanes : lanes);
  ++checks.epochs[warp.index()];
  return published;
}

void Checker::acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) {
  BlockChecks& checks = *warp.block().checks();
  // Lanes that had equal clocks keep sharing one clock.
  Knowledge before;
  Knowledge after;
  bool first = true;
  for_lanes(lanes, [&](std::uint32_t lane) {
    Knowledge& known = own_of(checks, warp, lane);
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

void Checker::arrive_at_barrier(Warp& warp, std::uint32_t id) {
  warp.block().checks()->barriers[id].join(release(warp, warp.live()));
}

void Checker::complete_barrier(Block& block, std::uint32_t id,
                               const std::vector<std::uint32_t>& waiting) {
  Knowledge& shared = block.checks()->barriers[id];
  for (const std::uint32_t index : waiting) {
    Warp& warp = block.warp(index);
    acquire(warp, warp.live(), shared);
  }
  shared = {};
}

// A barrier that completes without an exited warp publishes everything that this warp did and saw.
void Checker::excuse(Warp& exited, std::uint32_t barrier) {
  BlockChecks& checks = *exited.block().checks();
  Knowledge known;
  for_lanes(kAllLanes, [&](std::uint32_t lane) { known.join(lane_of(checks, exited, lane)); });
  const Actor own{exited.block().linear_index(), static_cast<std::uint16_t>(exited.index()),
                  checks.epochs[exited.index()]};
  known.happened = learned(known.happened, own, kAllLanes);
  checks.barriers[barrier].join(known);
}

void Checker::arrive_at_cluster(Warp& warp) {
  warp.block().checks()->cluster.join(release(warp, warp.mask()));
}

// Lanes acquire what the phase published when they wait; until then no lane can arrive again.
void Checker::complete_cluster(Block& block) {
  Knowledge all;
  Cluster& cluster = block.cluster();
  for (std::size_t rank = 0; rank < cluster.size(); ++rank)
    all.join(cluster.block(rank).checks()->cluster);
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    cluster.block(rank).checks()->cluster = {};
    for (std::size_t i = 0; i < cluster.block(rank).warp_count(); ++i) {
      Warp& warp = cluster.block(rank).warp(i);
      acquire(warp, warp.live(), all);
    }
  }
}

// --- lanes of a warp

void Checker::sync_lanes(Warp& warp, std::uint32_t lanes) {
  BlockChecks& checks = *warp.block().checks();
  const Knowledge& first =
      lane_of(checks, warp, static_cast<std::uint32_t>(std::countr_zero(lanes)));
  bool same = true;
  for_lanes(lanes,
            [&](std::uint32_t lane) { same = same && lane_of(checks, warp, lane) == first; });
  // Nothing to publish: no lane accessed memory, and all have equal clocks already.
  std::uint32_t& dirty = checks.dirty[warp.index()];
  if (same && (dirty & lanes) == 0) return;
  acquire(warp, lanes, release(warp, lanes));
  dirty &= ~lanes;
}

void Checker::fence(Warp& warp, bool async_proxy) {
  BlockChecks& checks = *warp.block().checks();
  const Actor own{warp.block().linear_index(), static_cast<std::uint16_t>(warp.index()),
                  checks.epochs[warp.index()]};
  const bool of_block = (order_of(warp.current_pc()) & Order::kOfBlock) != 0;
  for_lanes(warp.mask(), [&](std::uint32_t lane) {
    Knowledge& known = own_of(checks, warp, lane);
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
  ++checks.epochs[warp.index()];
}

// The acquiring side, which every reader of a map needs; the writes that it must see must have been
// released to it.
void Checker::fence_tensor_maps(Warp& warp) {
  BlockChecks& checks = *warp.block().checks();
  const Actor own{warp.block().linear_index(), static_cast<std::uint16_t>(warp.index()),
                  checks.epochs[warp.index()]};
  for_lanes(warp.mask(), [&](std::uint32_t lane) {
    Knowledge& known = own_of(checks, warp, lane);
    known.happened = joined(known.happened, joined(known.seen_near, known.seen));
    known.mapped = learned(known.happened, own, 1u << lane);
  });
  ++checks.epochs[warp.index()];
}

// --- asynchronous operations

void Checker::publish(Knowledge& to, const Actor& actor, std::uint32_t lanes) {
  to.happened = learned(to.happened, actor, lanes);
}

void Checker::acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes) {
  BlockChecks& checks = *warp.block().checks();
  for_lanes(lanes,
            [&](std::uint32_t lane) { publish(own_of(checks, warp, lane), copy, 1u << lane); });
}

Actor Checker::begin_async(Warp& warp) {
  BlockChecks& checks = *warp.block().checks();
  const std::uint16_t slot = checks.next_slot;
  checks.next_slot = static_cast<std::uint16_t>((slot + 1) % kSlots);
  return {warp.block().linear_index(), static_cast<std::uint16_t>(kFirstSlot + slot),
          ++checks.slots[slot]};
}

// --- flags: atomics and other strong accesses, by which threads and blocks synchronise

// A write with block scope is visible to readers in the block, and a read with that scope sees only
// the writes of its own block. Shared memory does not distinguish the two.
void Checker::synchronise(Warp& warp, Block* target, std::uint32_t lane, std::uint64_t address,
                          AccessKind kind, std::uint8_t order) {
  BlockChecks& checks = *warp.block().checks();
  auto& wide = target != nullptr ? target->checks()->flags : flags_;
  auto& near = target != nullptr ? target->checks()->flags : checks.near_flags;
  const bool of_block = target == nullptr && (order & Order::kOfBlock) != 0;
  Knowledge& known = own_of(checks, warp, lane);
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
    const auto& tellings = target != nullptr ? target->checks()->tellings : tellings_;
    if (const ClockRef* told = tellings.find(address); told != nullptr)
      known.heard = joined(known.heard, *told);
    read(near, known.seen_near);
    if (target == nullptr && !of_block) read(wide, known.seen);
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
// them. The clock that is recorded for a flag does not cover the flag's own store.
void Checker::tell(Warp& warp, Block* target, std::uint32_t lanes, const LaneAddresses& addresses) {
  BlockChecks& checks = *warp.block().checks();
  auto& tellings = target != nullptr ? target->checks()->tellings : tellings_;
  const Actor own{warp.block().linear_index(), static_cast<std::uint16_t>(warp.index()),
                  checks.epochs[warp.index()]};
  for_lanes(lanes, [&](std::uint32_t lane) {
    const Knowledge& known = lane_of(checks, warp, lane);
    ClockRef& telling = tellings[addresses.at[lane]];
    telling = joined(telling, learned(joined(known.happened, known.heard), own, 1u << lane));
  });
  ++checks.epochs[warp.index()];
}

std::uint8_t Checker::order_of(std::uint32_t pc) {
  if (orders_[pc] == 0) {
    const auto& cluster = context_->launch->cluster;
    orders_[pc] =
        memory_order(context_->program->opcodes[pc], cluster[0] * cluster[1] * cluster[2] > 1);
  }
  return orders_[pc];
}

}  // namespace warpwright::emu
