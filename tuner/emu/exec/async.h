// The asynchronous copies of one cluster: their issue, their completion, and the warps that a
// completion releases. Time is counted in instructions that the cluster has executed.
//
// An operation moves its bytes when it completes, not when it is issued. Under seed 1 it completes
// as late as possible, under other seeds at any time between at once and that, but never later than
// a wait for it. So a missing wait shows in the results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/exec/warp.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Observer;
class Cluster;

// The bytes that an operation moves; for a staged source, `from` only marks that there is one.
// Addresses are generic, with the block's tag for shared memory, and are used by the checkers;
// pointers are the host's. Without a source, `to` is filled with `fill`.
struct Move {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t fill = 0;  // a pattern of four bytes
  std::uint64_t from_address = 0;
  std::uint64_t to_address = 0;
};

// Combines `bytes` at `from` into those at `to`. A null Combine means a copy.
using Combine = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);

// A bulk or tensor copy, st.async or red.async of one lane.
struct AsyncOperation {
  struct Signal {  // an mbarrier to which bytes are reported
    std::uint32_t rank = 0;
    std::uint32_t address = 0;
    std::int64_t bytes = 0;
  };
  std::uint64_t due = 0;
  std::uint32_t rank = 0;  // its issuer: block of the cluster, warp, lane, and pc
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t pc = 0;
  bool grouped = false;     // completes a bulk group rather than mbarriers
  std::uint32_t group = 0;  // of the lane
  std::vector<Move> moves;
  std::vector<Signal> signals;
  Combine combine = nullptr;
  std::vector<std::byte> staged;  // the source, once it has been read
  bool is_read = false;
  bool is_done = false;
  int awaited = 0;           // by its group: 1 for its reads, 2 for all of it
  Knowledge read_published;  // clocks that a wait for its reads acquires
  Knowledge done_published;  // clocks that a wait for all of it acquires
};

// One cp.async instruction of a warp: up to 16 bytes for every lane.
struct LaneCopy {
  std::uint64_t due = 0;
  std::uint32_t rank = 0;
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;
  std::uint32_t pending = 0;    // lanes whose bytes have not moved
  std::uint32_t unawaited = 0;  // lanes that have not waited for it
  std::uint32_t bytes = 0;      // written per lane
  std::array<const std::byte*, kWarpSize> from{};
  std::array<std::byte*, kWarpSize> to{};
  std::array<std::uint32_t, kWarpSize> read{};    // bytes read; the rest is zero
  std::array<std::uint32_t, kWarpSize> groups{};  // by lane
  Actor actor;                                    // for checkers
};

class AsyncEngine {
 public:
  AsyncEngine(Cluster& cluster, Observer* observer) : cluster_(&cluster), observer_(observer) {}
  void clear();

  void issue(AsyncOperation operation);
  void copy_lanes(LaneCopy copy);

  // Commits of, and waits for, groups of cp.async and of bulk operations by the lanes of the warp's
  // mask. At most `unfinished` groups are unfinished after a wait.
  void commit_copies(Warp& warp);
  void wait_copies(Warp& warp, std::uint32_t unfinished);
  void wait_all_copies(Warp& warp);
  void commit_bulk(Warp& warp);
  void wait_bulk(Warp& warp, std::uint32_t unfinished, bool reads_only);
  // The lane arrives at an mbarrier of its block when the copies that it has issued are done.
  void arrive_after_copies(Warp& warp, std::uint32_t lane, std::uint32_t address);

  // Completes every operation that is due.
  void advance() {
    if (next_due_ != kNever) complete_due();
  }
  // Completes the operation that is due first; false when there is none.
  bool complete_next();
  // The blocks have ended: completes everything.
  void finish();

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct LateArrival {
    std::uint64_t due = 0;
    std::uint32_t rank = 0;
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t pc = 0;
    std::uint32_t address = 0;
  };
  struct WarpGroups {  // groups committed so far, by lane
    std::array<std::uint32_t, kWarpSize> copies{};
    std::array<std::uint32_t, kWarpSize> bulk{};
  };

  [[nodiscard]] std::uint64_t due_time();
  void complete_due();
  void read(AsyncOperation& operation);
  void complete(AsyncOperation& operation);
  void complete(LaneCopy& copy, std::uint32_t lanes);
  void complete(const LateArrival& arrival);
  void await(LaneCopy& copy, Warp& warp, std::uint32_t lanes);
  void forget_finished();
  WarpGroups& groups_of(Warp& warp);

  Cluster* cluster_;
  Observer* observer_;
  std::uint64_t next_due_ = kNever;
  std::vector<AsyncOperation> operations_;
  std::vector<LaneCopy> copies_;
  std::vector<LateArrival> arrivals_;
  std::vector<WarpGroups> groups_;
};

}  // namespace warpwright::emu
