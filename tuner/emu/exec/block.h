// One thread block: its warps, shared memory, barriers and registers. The Cluster schedules it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/emulator.h"
#include "emu/exec/mbarrier.h"
#include "emu/exec/memory.h"
#include "emu/exec/warp.h"
#include "emu/program/program.h"

namespace warpwright::emu {

struct BlockChecks;
class Observer;
class Cluster;

// The state shared by all blocks of a launch; constant while it runs.
struct LaunchContext {
  const Program* program = nullptr;
  const Function* entry = nullptr;
  const Launch* launch = nullptr;
  const DeviceModel* device = nullptr;
  GlobalMemory::Impl* memory = nullptr;
  std::unordered_map<std::string, std::uint64_t> symbols;  // module variables
  std::uint64_t seed = 1;
  std::uint32_t threads_per_block = 0;
  int registers_per_thread = 0;  // at launch
  std::size_t shared_bytes = 0;  // static and dynamic
  std::vector<std::byte> parameters;

  [[nodiscard]] std::uint64_t symbol_address(const std::string& name) const {
    return symbols.at(name);
  }
};

enum class BarrierReduction : std::uint8_t { kNone, kPopc, kAnd, kOr };

class Block {
 public:
  Block(const LaunchContext& context, Cluster& cluster, std::uint32_t rank, LineProfile* profile,
        Observer* observer);

  // Starts the block of this rank at the cluster's current place in the grid.
  void start();
  void shuffle_warps(const std::function<std::uint64_t(std::uint64_t)>& choose);
  // Executes up to `budget` instructions of a warp; returns how many were left. Throws the Finding
  // of a fault.
  std::uint32_t run_warp(Warp& warp, std::uint32_t budget);

  [[nodiscard]] std::size_t warp_count() const { return warps_.size(); }
  [[nodiscard]] Warp& warp(std::size_t index) { return *warps_[index]; }
  [[nodiscard]] const Warp& warp(std::size_t index) const { return *warps_[index]; }
  [[nodiscard]] Warp& warp_in_order(std::size_t place) { return *warps_[order_[place]]; }
  [[nodiscard]] std::uint64_t linear_index() const { return linear_index_; }  // in the grid
  [[nodiscard]] std::uint32_t rank() const { return rank_; }                  // in the cluster
  [[nodiscard]] std::uint64_t instructions() const;
  [[nodiscard]] Counters counters() const;
  [[nodiscard]] std::string& output() { return output_; }
  // Replaces {place} in the message by line, thread and block, and fills the fault's own fields.
  [[nodiscard]] Finding fault(FindingKind kind, std::string message, std::uint32_t pc,
                              std::uint32_t warp, std::uint32_t lane) const;

  // --- for handlers
  [[nodiscard]] const LaunchContext& context() const { return *context_; }
  [[nodiscard]] std::byte* shared() { return shared_.data(); }
  [[nodiscard]] std::size_t shared_bytes() const { return context_->shared_bytes; }
  [[nodiscard]] const std::array<std::uint32_t, 3>& block_index() const { return block_index_; }
  [[nodiscard]] Cluster& cluster() { return *cluster_; }
  // Null when hazards are not checked.
  [[nodiscard]] Observer* observer() const { return observer_; }
  [[nodiscard]] BlockChecks* checks() const { return checks_; }
  void set_checks(BlockChecks* checks) { checks_ = checks; }
  [[nodiscard]] Mbarriers& mbarriers() { return mbarriers_; }
  [[nodiscard]] const Mbarriers& mbarriers() const { return mbarriers_; }
  // Wakes all warps that wait for the mbarrier at this shared address.
  void wake_at_mbarrier(std::uint32_t address);
  void end_cluster_phase();
  // The number of wgmma that every warp of this warp's warpgroup has issued.
  [[nodiscard]] std::uint32_t wgmma_of_group(const Warp& warp) const;
  // Called when the warp has issued a wgmma; wakes the warps of its warpgroup that wait for it.
  void wgmma_issued(const Warp& warp);
  // Registers that the block's warps have released and not acquired again, summed over lanes.
  [[nodiscard]] std::int64_t free_registers() const { return free_registers_; }
  // setmaxnreg of one warp; returns false when it has to wait until others release registers.
  [[nodiscard]] bool change_registers(Warp& warp, int registers);
  [[nodiscard]] bool live() const;  // some lane has not exited
  // Lanes of `warp` wait at (or, without blocking, pass) a barrier; `threads` 0 means the whole
  // block.
  void arrive(Warp& warp, std::uint32_t barrier, std::uint32_t threads, bool blocking,
              BarrierReduction reduction, std::uint32_t predicate);
  void lanes_exited(Warp& warp);
  [[nodiscard]] std::string place(
      std::uint32_t pc) const;  // "softmax.cu:41", or "PTX of softmax" without .loc
  [[nodiscard]] std::array<std::uint32_t, 3> thread_index(std::uint32_t warp,
                                                          std::uint32_t lane) const;

  // The numbers of threads that have arrived at a barrier, and that it expects.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> barrier_progress(std::uint32_t id) const {
    return {barriers_[id].arrived, barriers_[id].expected};
  }

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // threads; 0 while none waits
    std::uint32_t arrived = 0;   // threads, whole warps
    bool of_block = false;       // without a count: warps that exit are not waited for
    std::uint32_t counted = 0;   // warps in `arrived`, one bit each
    std::vector<std::uint32_t> waiting;
    std::uint32_t passed_lanes[32] = {};  // bar.arrive of part of a warp
    BarrierReduction reduction = BarrierReduction::kNone;
    std::uint32_t popc = 0;
    std::uint32_t contributed = 0;
  };

  void count_warp(Warp& warp, std::uint32_t barrier, bool waits);
  // Warps that have exited without arriving, if the barrier does not wait for them.
  [[nodiscard]] std::uint32_t excused(const Barrier& barrier) const {
    return barrier.of_block ? exited_ & ~barrier.counted : 0;
  }
  [[nodiscard]] bool is_complete(const Barrier& barrier) const {
    const auto missing = static_cast<std::uint32_t>(std::popcount(excused(barrier))) * kWarpSize;
    return barrier.arrived != 0 && barrier.arrived + missing >= barrier.expected;
  }
  void release_when_complete(std::uint32_t barrier);

  const LaunchContext* context_;
  Cluster* cluster_;
  Observer* observer_;
  BlockChecks* checks_ = nullptr;
  std::uint32_t rank_;
  std::uint64_t linear_index_ = 0;
  std::array<std::uint32_t, 3> block_index_{};
  std::vector<std::byte> shared_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<std::uint32_t> order_;
  std::array<Barrier, 16> barriers_;
  std::uint32_t exited_ = 0;  // warps without a live lane, one bit each
  Mbarriers mbarriers_;
  std::int64_t free_registers_ = 0;
  std::string output_;
};

}  // namespace warpwright::emu
