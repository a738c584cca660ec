#include "emu/exec/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "emu/exec/mbarrier.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {
namespace {

// Long enough to keep a warp's registers in the host's first-level cache, short enough not to waste
// much time on spinning warps.
constexpr std::uint32_t kSlice = 8192;
constexpr std::uint32_t kShortestSlice = 16;

// Names the warps of the warpgroup that have issued fewer wgmma.
std::string who_lacks(const Block& block, const Warp& warp, std::uint32_t products) {
  const std::uint32_t first = warp.index() / kWarpgroupWarps * kWarpgroupWarps;
  std::vector<std::uint32_t> late;
  for (std::uint32_t i = first; i < first + kWarpgroupWarps; ++i)
    if (block.warp(i).wgmma().issued() < products) late.push_back(i);
  return fmt::format("warp{} {} of its warpgroup {} not executed", late.size() == 1 ? "" : "s",
                     fmt::join(late, ","), late.size() == 1 ? "has" : "have");
}

// One clause of the message.
std::string describe_wait(const Block& block, const Warp& warp, const Group& group) {
  const std::uint32_t lanes = group.mask;
  const std::string place = block.place(group.pc);
  switch (group.wait) {
    case Wait::kBarrier: {
      const auto [arrived, expected] = block.barrier_progress(group.barrier);
      const std::string partial =
          group.arrived
              ? ""
              : fmt::format(" with lanes {:#010x} only, so the warp has not arrived", lanes);
      return fmt::format("waits at barrier {} ({}), where {} of {} threads have arrived{}",
                         group.barrier, place, arrived, expected, partial);
    }
    case Wait::kSync:
      return fmt::format("lanes {:#010x} wait at `{}` ({}) for the lanes {:#010x} of its mask",
                         lanes, block.context().program->opcodes[group.pc], place,
                         group.members & ~lanes);
    case Wait::kMbarrier: {
      const auto found = block.mbarriers().all().find(group.barrier);
      return fmt::format(
          "waits at the mbarrier at shared address {} ({}), whose {}", group.barrier, place,
          found == block.mbarriers().all().end() ? "object is gone" : describe(found->second));
    }
    case Wait::kCluster:
      return fmt::format("waits at the barrier of the cluster ({})", place);
    case Wait::kRegisters:
      return fmt::format("waits for registers that setmaxnreg asks for ({}); {} are free", place,
                         block.free_registers());
    case Wait::kWarpgroup:
      return fmt::format("waits at `{}` ({}) for a wgmma that {}",
                         block.context().program->opcodes[group.pc], place,
                         who_lacks(block, warp, group.barrier));
    case Wait::kNone:
      break;
  }
  return "can run";
}

std::string advice_for(Wait wait) {
  switch (wait) {
    case Wait::kMbarrier:
      return "check the count of its init, the bytes of expect_tx against those of the copies, the "
             "parity waited for, and that every path that is counted arrives";
    case Wait::kSync:
      return "every lane that a mask names, and that has not exited, must execute the operation "
             "with that same mask";
    case Wait::kCluster:
      return "every thread of every block of the cluster must arrive";
    case Wait::kRegisters:
      return "other warpgroups must give theirs back with setmaxnreg.dec first";
    case Wait::kWarpgroup:
      return "all four warps of a warpgroup must execute every wgmma: move it out of the branch, "
             "and "
             "let warps without work of their own take part";
    default:
      return "every thread that a barrier counts must reach it, so move it out of the branch or "
             "the "
             "early return";
  }
}

// Describes what each warp waits for when none of them can continue. Warps in the same position
// are named once.
Finding describe_deadlock(const Cluster& cluster) {
  std::string message = "deadlock at {place}: ";
  const Block* first_block = nullptr;
  const Warp* first = nullptr;
  bool begun = false;
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    const Block& block = cluster.block(rank);
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> positions;
    for (std::size_t i = 0; i < block.warp_count(); ++i) {
      const Warp& warp = block.warp(i);
      std::string text;
      if (warp.state() == Warp::State::kExited) {
        text = "exited";
      } else {
        if (first == nullptr) {
          first = &warp;
          first_block = &block;
        }
        for (const Group& group : warp.groups())
          text += (text.empty() ? "" : " and ") + describe_wait(block, warp, group);
      }
      const auto same = std::find_if(positions.begin(), positions.end(),
                                     [&](const auto& p) { return p.first == text; });
      if (same == positions.end()) {
        positions.push_back({text, {warp.index()}});
      } else {
        same->second.push_back(warp.index());
      }
    }
    const std::string who =
        cluster.size() == 1 ? "" : fmt::format("block {} of the cluster: ", rank);
    for (const auto& [text, warps] : positions) {
      message += fmt::format("{}{}warp{} {} {}", begun ? "; " : "", who,
                             warps.size() == 1 ? "" : "s", fmt::join(warps, ","), text);
      begun = true;
    }
  }
  const Group& group = first->groups().front();
  message += "; " + advice_for(group.wait);
  return first_block->fault(FindingKind::kDeadlock, message, group.pc, first->index(),
                            static_cast<std::uint32_t>(std::countr_zero(group.mask)));
}

}  // namespace

Cluster::Cluster(const LaunchContext& context, LineProfile* profile, Observer* observer)
    : context_(&context), async_(*this, observer) {
  const auto& shape = context.launch->cluster;
  const std::uint32_t size = shape[0] * shape[1] * shape[2];
  for (std::uint32_t rank = 0; rank < size; ++rank)
    blocks_.push_back(std::make_unique<Block>(context, *this, rank, profile, observer));
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
  const Observer* observer = blocks_[0]->observer();
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
      if (!awake && observer != nullptr && warp.spun_at(observer->strong_writes())) {
        parked = true;
        continue;
      }
      progress = true;
      const std::uint32_t given = slice();
      const std::uint64_t used = given - block.run_warp(warp, given);
      spins = spins && warp.spins();
      if (observer != nullptr) warp.note_writes(observer->strong_writes());
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
  if (Observer* observer = blocks_[0]->observer()) observer->complete_cluster(*blocks_[0]);
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

Finding Cluster::fault_at_first_warp(FindingKind kind, const std::string& what) const {
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
