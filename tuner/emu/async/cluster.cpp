#include "emu/async/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emu/check/checker.h"
#include "emu/check/deadlock.h"
#include "emu/exec/splitmix.h"

namespace warpwright::emu {
namespace {

// Long enough to keep a warp's registers in the host's first-level cache, short enough not to waste
// much time on spinning warps.
constexpr std::uint32_t kSlice = 8192;
constexpr std::uint32_t kShortestSlice = 16;

}  // namespace

Cluster::Cluster(const LaunchContext& context, LineProfile* profile, Checker* checker)
    : context_(&context), async_(*this, checker) {
  const auto& shape = context.launch->cluster;
  const std::uint32_t size = shape[0] * shape[1] * shape[2];
  for (std::uint32_t rank = 0; rank < size; ++rank)
    blocks_.push_back(std::make_unique<Block>(context, *this, rank, profile, checker));
}

void Cluster::start(std::uint64_t linear_index) {
  linear_index_ = linear_index;
  const auto& grid = context_->launch->grid;
  const auto& shape = context_->launch->cluster;
  const std::uint64_t x = grid[0] / shape[0];
  const std::uint64_t y = grid[1] / shape[1];
  index_ = {static_cast<std::uint32_t>(linear_index % x),
            static_cast<std::uint32_t>(linear_index / x % y),
            static_cast<std::uint32_t>(linear_index / x / y)};
  random_ = splitmix64(context_->seed ^ splitmix64(linear_index));
  time_ = 0;
  turn_ = 0;
  async_.clear();
  for (auto& block : blocks_) block->start();
  // Seed 1 keeps the natural order, which is the easiest to follow in a debugger.
  if (context_->seed == 1) return;
  for (auto& block : blocks_) block->shuffle_warps([this](std::uint64_t n) { return choose(n); });
}

std::uint64_t Cluster::choose(std::uint64_t bound) {
  return (random_ = splitmix64(random_)) % bound;
}

// Under seeds other than 1 turns vary in length, so that warps overtake each other at any point.
std::uint32_t Cluster::slice() {
  if (context_->seed == 1) return kSlice;
  const std::uint32_t longest = kShortestSlice << choose(10);
  return kShortestSlice + static_cast<std::uint32_t>(choose(longest));
}

// Runs the warps that can run round-robin, a slice each. A slice ends early when a warp waits, so
// warps meet there. When no warp can run, the next asynchronous operation completes; if there is
// none and some warp has not exited, this is a deadlock. With checkers, which see every write, a
// warp that only polled is skipped until there is a strong write.
Cluster::Status Cluster::run(std::uint64_t budget, bool awake) {
  const Checker* checker = blocks_[0]->checker();
  const std::size_t per_block = blocks_[0]->warp_count();
  const std::size_t count = per_block * blocks_.size();
  for (;;) {
    std::size_t exited = 0;
    bool progress = false;
    bool spins = true;
    bool parked = false;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t which = (turn_ + i) % count;
      Block& block = *blocks_[which / per_block];
      Warp& warp = block.warp_in_order(which % per_block);
      if (warp.state() == Warp::State::kExited) ++exited;
      if (warp.state() != Warp::State::kRunnable) continue;
      if (!awake && checker != nullptr && warp.spun_at(checker->strong_writes())) {
        parked = true;
        continue;
      }
      progress = true;
      const std::uint32_t given = slice();
      const std::uint64_t used = given - block.run_warp(warp, given);
      spins = spins && warp.spins();
      if (checker != nullptr) warp.note_writes(checker->strong_writes());
      time_ += used;
      async_.advance();
      if (used >= budget) {
        turn_ = (which + 1) % count;
        return Status::kSliceOver;
      }
      budget -= used;
    }
    turn_ = 0;
    awake = false;
    if (exited == count) {
      async_.finish();
      return Status::kDone;
    }
    if (progress && spins) return Status::kSpins;
    if (progress || async_.complete_next()) continue;
    if (parked) return Status::kParked;
    deadlock();
  }
}

void Cluster::settle_barrier() {
  bool arrived = false;
  for (const auto& block : blocks_) {
    for (std::size_t i = 0; i < block->warp_count(); ++i) {
      const Warp& warp = block->warp(i);
      if ((warp.live() & ~warp.cluster_arrived()) != 0) return;
      arrived = arrived || warp.cluster_arrived() != 0;
    }
  }
  if (!arrived) return;
  if (Checker* checker = blocks_[0]->checker()) checker->complete_cluster(*blocks_[0]);
  for (auto& block : blocks_) block->end_cluster_phase();
}

std::uint64_t Cluster::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& block : blocks_) sum += block->instructions();
  return sum;
}

Counters Cluster::counters() const {
  Counters total;
  for (const auto& block : blocks_) total += block->counters();
  return total;
}

std::string Cluster::take_output() {
  std::string output;
  for (auto& block : blocks_) output += std::exchange(block->output(), {});
  return output;
}

LaunchFault Cluster::fault_at_first_warp(FaultKind kind, const std::string& what) const {
  for (const auto& block : blocks_) {
    for (std::size_t i = 0; i < block->warp_count(); ++i) {
      const Warp& warp = block->warp(i);
      if (warp.state() == Warp::State::kExited) continue;
      return block->fault(kind, what, warp.current_pc(), warp.index(),
                          static_cast<std::uint32_t>(std::countr_zero(warp.live())));
    }
  }
  return blocks_[0]->fault(kind, what, context_->entry->first_pc, 0, 0);
}

void Cluster::deadlock() const { throw describe_deadlock(*this); }

}  // namespace warpwright::emu
