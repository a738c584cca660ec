// Chooses, merges, blocks and releases the groups of a warp.
#include <algorithm>
#include <bit>

#include "emu/exec/block.h"
#include "emu/exec/exec.h"
#include "emu/exec/observer.h"
#include "emu/exec/warp.h"
#include "emu/model/tally.h"

namespace warpwright::emu {

// Callees run before callers, so that they return and merge; then the smallest program counter runs
// first, so that code after a branch waits for both sides.
bool Warp::before(const Group& a, const Group& b) const {
  const std::uint32_t depth_a = frames_[a.frame]->depth;
  const std::uint32_t depth_b = frames_[b.frame]->depth;
  if (depth_a != depth_b) return depth_a > depth_b;
  if (a.pc != b.pc) return a.pc < b.pc;
  return a.mask < b.mask;
}

void Warp::merge_groups() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (std::size_t j = i + 1; j < groups_.size();) {
      Group& a = groups_[i];
      const Group& b = groups_[j];
      if (a.wait == Wait::kNone && b.wait == Wait::kNone && a.pc == b.pc && a.frame == b.frame) {
        a.mask |= b.mask;
        drop_frame_user(b.frame);
        groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(j));
      } else {
        ++j;
      }
    }
  }
}

// Chooses the group that runs next, after removing empty groups, completing .sync operations and
// merging groups that have met; blocks or ends the warp when there is none.
void Warp::schedule() {
  if (active_ != 0) groups_[current_].pc = pc_;
  active_ = 0;
  for (std::size_t i = 0; i < groups_.size();) {
    if (groups_[i].mask != 0) {
      ++i;
      continue;
    }
    drop_frame_user(groups_[i].frame);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (live_ == 0) {
    state_ = State::kExited;
    return;
  }
  complete_sync();
  if (groups_.size() > 1) merge_groups();
  std::vector<std::size_t> runnable;
  std::size_t best = groups_.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].wait != Wait::kNone) continue;
    ++count;
    if (best == groups_.size() || before(groups_[i], groups_[best])) best = i;
  }
  if (count == 0) {
    state_ = State::kBlocked;
    return;
  }
  if (count == 1) {
    patience_ = kPatience;
  } else if (favoured_) {
    // The spinning group yields: the others get their turns in order.
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i].wait == Wait::kNone) runnable.push_back(i);
    }
    std::sort(runnable.begin(), runnable.end(),
              [this](std::size_t a, std::size_t b) { return before(groups_[a], groups_[b]); });
    best = runnable[++rotation_ % runnable.size()];
    patience_ = kPatience;
  }
  favoured_ = false;
  current_ = best;
  const Group& group = groups_[best];
  bind(group.frame);
  active_ = group.mask;
  pc_ = group.pc;
  stop_ = 0xffffffffu;
  for (const Group& other : groups_) {
    if (other.wait == Wait::kNone && other.frame == group.frame && other.pc > pc_)
      stop_ = std::min(stop_, other.pc);
  }
  state_ = State::kRunnable;
}

void Warp::uncount(std::uint32_t lanes) {
  const bool all = lanes == mask_;
  counters_.discount(program_->code[executing_pc_].klass, lanes, all);
  if (profile_ != nullptr) profile_->take_back(executing_pc_, lanes, all);
  if (Observer* observer = block_->observer(); observer != nullptr && all)
    observer->executes_again(*this, executing_pc_);
}

void Warp::wait_for(Wait what, std::uint32_t barrier) {
  uncount(mask_);
  split(mask_, executing_pc_);
  groups_.back().wait = what;
  groups_.back().barrier = barrier;
}

void Warp::wake(Wait what, std::uint32_t barrier) {
  bool woken = false;
  for (Group& group : groups_) {
    if (group.wait != what || group.barrier != barrier) continue;
    group.wait = Wait::kNone;
    woken = true;
  }
  if (!woken) return;
  if (state_ == State::kBlocked) state_ = State::kRunnable;
  reschedule();
}

bool Warp::arrive_sync(std::uint32_t members, bool orders) {
  if ((members & live_ & ~mask_) == 0) {
    if (Observer* observer = block_->observer(); observer != nullptr && orders)
      observer->sync_lanes(*this, mask_);
    return true;
  }
  split(mask_, executing_pc_);
  groups_.back().wait = Wait::kSync;
  groups_.back().members = members;
  return false;
}

// A .sync operation is complete when all live lanes of its mask wait for it, wherever they are.
void Warp::complete_sync() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].wait != Wait::kSync) continue;
    const std::uint32_t members = groups_[i].members;
    std::uint32_t arrived = 0;
    for (const Group& group : groups_) {
      if (group.wait == Wait::kSync && group.members == members) arrived |= group.mask;
    }
    if ((members & live_ & ~arrived) == 0) release_sync(members);
  }
}

void Warp::release_sync(std::uint32_t members) {
  std::vector<Group> arrived;
  for (const Group& group : groups_) {
    if (group.wait == Wait::kSync && group.members == members) arrived.push_back(group);
  }
  const bool together = std::all_of(arrived.begin(), arrived.end(), [&](const Group& group) {
    return group.pc == arrived[0].pc && group.frame == arrived[0].frame;
  });
  // If all are at one place, the instruction is executed again as one group. If they are at several
  // places, it is executed here for all of them.
  if (!together) {
    execute_sync_groups(*this, arrived);
    std::uint32_t lanes = 0;
    for (const Group& group : arrived) lanes |= group.mask;
    if (Observer* observer = block_->observer();
        observer != nullptr && orders_memory(program_->code[arrived[0].pc]))
      observer->sync_lanes(*this, lanes);
  }
  for (Group& group : groups_) {
    if (group.wait != Wait::kSync || group.members != members) continue;
    group.wait = Wait::kNone;
    if (!together) {
      counters_.count(program_->code[group.pc].klass, group.mask);
      if (Observer* observer = block_->observer()) observer->executed_with_others(*this, group.pc);
      ++group.pc;
    }
  }
}

void Warp::wait_at_barrier(std::uint32_t barrier) {
  split(mask_, executing_pc_);
  groups_.back().wait = Wait::kBarrier;
  groups_.back().barrier = barrier;
}

std::uint32_t Warp::lanes_at_barrier(std::uint32_t barrier) const {
  std::uint32_t lanes = 0;
  for (const Group& group : groups_) {
    if (group.wait == Wait::kBarrier && group.barrier == barrier && !group.arrived)
      lanes |= group.mask;
  }
  return lanes;
}

std::uint32_t Warp::lanes_at_barrier_elsewhere(std::uint32_t barrier) const {
  std::uint32_t lanes = 0;
  for (const Group& group : groups_) {
    if (group.wait == Wait::kBarrier && group.barrier == barrier && !group.arrived &&
        group.pc != executing_pc_)
      lanes |= group.mask;
  }
  return lanes;
}

void Warp::mark_arrived(std::uint32_t barrier) {
  for (Group& group : groups_) {
    if (group.wait == Wait::kBarrier && group.barrier == barrier) group.arrived = true;
  }
}

void Warp::release_barrier(std::uint32_t barrier, std::uint32_t reduced) {
  for (Group& group : groups_) {
    if (group.wait != Wait::kBarrier || group.barrier != barrier) continue;
    as_group(group, [&](const Inst& inst) { write_barrier_result(*this, inst, reduced); });
    group.wait = Wait::kNone;
    group.arrived = false;
    ++group.pc;
  }
  if (state_ == State::kBlocked) state_ = State::kRunnable;
  reschedule();
}

}  // namespace warpwright::emu
