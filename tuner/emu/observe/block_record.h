// Everything that is recorded about one block while it runs, by warp and by place; summary.h turns
// it into a BlockObservation once the block has ended.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "emu/observe/byte_ranges.h"
#include "emu/observe/observation.h"
#include "emu/observe/shared_bytes.h"

namespace warpwright::emu {

using Sites = std::set<std::uint32_t>;  // numbers of SourceSites

// The warps that crossed a barrier; kForeignWarp for warps of other blocks.
struct WarpCrossings {
  struct One {
    std::uint64_t count = 0;
    Sites sites;
  };
  std::map<std::uint8_t, One> by_warp;

  void add(std::uint8_t warp, std::uint32_t site) {
    One& one = by_warp[warp];
    ++one.count;
    one.sites.insert(site);
  }
};

struct BarrierRecord {
  std::uint64_t completions = 0;
  WarpCrossings arrivals, waits;
};

// Barriers of the block that are one row of a description: those at which the whole block waits
// are distinguished by place, others by number.
struct BarrierKey {
  bool of_block = false;
  std::uint32_t id = 0;
  std::uint32_t expected = 0;
  std::uint32_t site = 0;  // of_block only
  friend auto operator<=>(const BarrierKey&, const BarrierKey&) = default;
};

struct MbarrierRecord {
  std::uint32_t expected = 0;
  std::uint32_t init_site = 0;
  std::uint64_t ended_phases = 0;  // of objects that were at this address before
  WarpCrossings arrivals, waits;
  Activity copied_by{};
  std::uint64_t copied_bytes = 0;
  std::uint64_t fills = 0;                        // phases in which copies were issued
  std::uint64_t last_filled = ~std::uint64_t{0};  // the last of them
  std::uint32_t copiers = 0;                      // warps, one bit each
  bool foreign_copies = false;                    // by warps of other blocks
  ByteRanges targets;                             // that copies fill
};

// The bytes that the n-th batch of cp.async of every warp wrote.
struct CopyBatch {
  ByteRanges targets;
  std::uint32_t warps = 0;
};

struct PhaseRecord {
  Sites after, until;
  bool until_end = false;
  std::uint64_t times = 0;
  ActivityCounts activities;
  std::uint64_t global_read = 0, global_written = 0, shared_read = 0, shared_written = 0;
};

struct BufferRecord {
  ByteRanges read_bytes, written_bytes;
  std::uint64_t read = 0, written = 0;
  bool atomics = false;
};
using BufferRecords = std::map<std::uint64_t, BufferRecord>;  // by address of the allocation

struct WarpRecord {
  std::vector<std::uint32_t> executed;  // by pc
  ActivityCounts activities;
  ByteRanges open_copies;  // cp.async since the last batch ended
  std::size_t batches = 0;
  int registers = 0;  // at its end, if setmaxnreg changed them
};

struct BlockRecord {
  BlockRecord(std::size_t warp_count, std::size_t instructions, std::size_t shared_bytes)
      : warps(warp_count), shared(shared_bytes) {
    for (WarpRecord& warp : warps) warp.executed.resize(instructions);
    phases.emplace_back().times = 1;
  }

  [[nodiscard]] PhaseRecord& phase() { return phases[current_phase]; }

  std::vector<WarpRecord> warps;
  std::vector<PhaseRecord> phases;
  std::uint32_t current_phase = 0;
  std::map<BarrierKey, BarrierRecord> barriers;
  BarrierRecord cluster_barrier;
  std::map<std::uint32_t, MbarrierRecord> mbarriers;  // by shared address
  std::vector<CopyBatch> batches;
  SharedBytes shared;
  BufferRecords buffers;
};

}  // namespace warpwright::emu
