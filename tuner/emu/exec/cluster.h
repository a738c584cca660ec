// The unit of scheduling: the blocks of one thread block cluster, usually a single block, with the
// asynchronous operations that they have started and the barrier that they share. A Cluster is
// storage for one host thread and runs one cluster of the grid after another; run() may stop early
// (when its slice is over) and be called again, so that blocks that wait for each other all make
// progress.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emu/exec/async.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

// The generator behind every seeded choice of a launch: orders of blocks and warps, lengths of
// turns, delays of copies.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

class Cluster {
 public:
  // kSpins: all warps that can run only poll memory that others may write; detected only under
  // seeds other than 1. kParked: the same as before, without a write that may be polled since.
  enum class Status { kDone, kSliceOver, kSpins, kParked };

  // `profile`, when given, counts by line; `checker` looks for hazards. Both belong to one host
  // thread, as the cluster does.
  explicit Cluster(const LaunchContext& context, LineProfile* profile = nullptr,
                   Observer* observer = nullptr);

  // `linear_index` counts clusters, x fastest.
  void start(std::uint64_t linear_index);
  // Runs up to about `budget` warp instructions. `awake`: warps that would be left parked poll
  // again. Throws the Finding of a fault.
  Status run(std::uint64_t budget, bool awake);

  [[nodiscard]] std::uint64_t linear_index() const { return linear_index_; }
  [[nodiscard]] std::uint64_t instructions() const;
  [[nodiscard]] Counters counters() const;
  // Returns the kernel's output and clears it.
  [[nodiscard]] std::string take_output();
  // A fault of this kind at the first warp that is not done; for limits and cancellation.
  [[nodiscard]] Finding fault_at_first_warp(FindingKind kind, const std::string& what) const;

  // --- for handlers
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] Block& block(std::size_t rank) { return *blocks_[rank]; }
  [[nodiscard]] const Block& block(std::size_t rank) const { return *blocks_[rank]; }
  [[nodiscard]] const std::array<std::uint32_t, 3>& index() const { return index_; }
  [[nodiscard]] AsyncEngine& async() { return async_; }
  // The number of instructions that the cluster has executed, which is the unit of delays.
  [[nodiscard]] std::uint64_t time() const { return time_; }
  // Called when lanes have arrived at the cluster's barrier or exited. Ends the barrier's phase
  // when all live lanes of all blocks have arrived.
  void settle_barrier();
  // Uniform in [0, bound); the same for the same seed, cluster and order of calls.
  [[nodiscard]] std::uint64_t choose(std::uint64_t bound);

 private:
  [[nodiscard]] std::uint32_t slice();
  [[noreturn]] void deadlock() const;

  const LaunchContext* context_;
  std::uint64_t linear_index_ = 0;
  std::array<std::uint32_t, 3> index_{};
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t turn_ = 0;  // index among all warps of all blocks
  std::uint64_t time_ = 0;
  std::uint64_t random_ = 0;
  AsyncEngine async_;
};

}  // namespace warpwright::emu
