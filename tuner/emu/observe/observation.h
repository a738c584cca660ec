// The record of one launch under LaunchOptions::observe: which bytes of each allocation
// all blocks accessed, and of one block the roles of its warps, its barriers, the buffers that
// asynchronous copies fill, its shared memory and its phases. Everything here was counted while
// the launch ran. Code outside tuner/emu may include this header.
//
// A request of a warp counts each byte once, however many of its lanes access it. Addresses in
// shared memory are offsets from the block's first byte. Ranges are half open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/source_location.h"

namespace warpwright::emu {

// The kinds of instructions that are counted. An instruction counts if at least one lane executes
// it, and an instruction that has to wait counts once.
enum class Activity : std::uint8_t {
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kMatrixLoad,   // ldmatrix, and wmma loads of shared memory
  kMatrixStore,  // stmatrix, and wmma stores to shared memory
  kLocal,
  kCpAsync,     // cp.async: copies by the threads themselves
  kBulkLoad,    // bulk and tensor copies into shared memory
  kBulkStore,   // and out of it
  kAsyncStore,  // st.async, red.async
  kTensor,
  kFloat,
  kSpecial,
  kInteger,
  kConvert,
  kExchange,  // shuffles, votes, and other operations of the lanes of a warp
  kBarrier,
  kMbarrier,
  kFence,
  kGroup,  // commits and waits of groups of copies and of wgmma
  kOther,  // moves, branches, parameters
  kCount,
};
inline constexpr std::size_t kActivities = static_cast<std::size_t>(Activity::kCount);

// "global loads", or "global load" for one of them.
[[nodiscard]] const char* activity_name(Activity activity, std::uint64_t count = 2);
// "global_loads", for machines.
[[nodiscard]] const char* activity_key(Activity activity);

struct ActivityCounts {
  std::array<std::uint64_t, kActivities> counts{};

  [[nodiscard]] std::uint64_t& operator[](Activity activity) {
    return counts[static_cast<std::size_t>(activity)];
  }
  [[nodiscard]] std::uint64_t operator[](Activity activity) const {
    return counts[static_cast<std::size_t>(activity)];
  }
  [[nodiscard]] std::uint64_t total() const;
  ActivityCounts& operator+=(const ActivityCounts& other);
};

// How shared memory is accessed.
enum class Way : std::uint8_t {
  kLoad,
  kStore,
  kAtomic,
  kMatrixLoad,
  kMatrixStore,
  kCpAsync,
  kBulkLoad,   // written by a bulk or tensor copy
  kBulkStore,  // read by one
  kAsyncStore,
  kWgmma,     // read as an operand
  kMbarrier,  // the bytes hold an mbarrier
};
[[nodiscard]] const char* way_name(Way way);
[[nodiscard]] bool writes(Way way);

struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

// The accesses of an allocation, in bytes. Atomics read and write.
struct BufferUse {
  std::string label;
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  std::uint64_t read = 0, written = 0;  // by all requests
  std::vector<ByteRange> read_ranges,
      written_ranges;  // ascending, neither touching nor overlapping
  bool atomics = false;

  [[nodiscard]] std::uint64_t distinct_read() const;
  [[nodiscard]] std::uint64_t distinct_written() const;
};

// Index of BlockObservation::roles; kOtherBlocks for warps of other blocks of the cluster.
inline constexpr std::size_t kOtherBlocks = ~std::size_t{0};

// Warps that execute the same code; see roles.h for the rule.
struct Role {
  std::string name;         // "producer", "consumer", "all warps", "role A"
  std::uint32_t warps = 0;  // one bit each
  ActivityCounts activities;
  // Activities that only some of its warps have.
  struct Partial {
    Activity activity{};
    std::uint32_t warps = 0;
  };
  std::vector<Partial> partial;
  int registers = 0;  // of a thread at its end, where setmaxnreg changed it; else 0
};

// The warps of one role at one barrier.
struct Crossing {
  std::size_t role = 0;
  std::uint64_t count = 0;
  std::vector<SourceLocation> places;
};

struct BarrierUse {
  enum class Kind : std::uint8_t {
    kBlock,      // every live warp of the block waits
    kNamed,      // some of them
    kMbarriers,  // objects in shared memory; those that are used alike are one BarrierUse
    kCluster,
  };
  Kind kind = Kind::kBlock;
  std::uint32_t id = 0;                // kBlock, kNamed
  std::vector<std::uint32_t> objects;  // kMbarriers: their addresses
  std::uint32_t expected = 0;          // threads, or arrivals at each mbarrier
  std::uint64_t completions = 0;       // of all objects
  std::uint64_t copied_bytes = 0;      // by copies that complete on them
  std::vector<Crossing> arrivals;      // of warps; of threads at mbarriers
  std::vector<Crossing> waits;         // of warps
};

// Places in shared memory that asynchronous copies fill in turn.
struct CopyBuffer {
  Activity by{};                     // kCpAsync, kBulkLoad or kAsyncStore
  std::vector<std::size_t> issuers;  // roles
  // Sets of bytes that batches of copies filled; a batch is what one commit or one mbarrier covers.
  struct Stage {
    std::vector<ByteRange> ranges;
    std::uint64_t bytes = 0;
    std::uint64_t fills = 0;
  };
  std::vector<Stage> stages;            // by first byte
  std::optional<std::size_t> barriers;  // index of the mbarriers that it completes on

  // The bytes of every stage, if all have the same.
  [[nodiscard]] std::optional<std::uint64_t> stage_bytes() const;
  [[nodiscard]] std::uint64_t fills() const;
};

struct SharedUse {
  Way way{};
  std::size_t role = 0;
  std::vector<std::size_t> phases;  // ascending indices of BlockObservation::phases
  friend bool operator==(const SharedUse&, const SharedUse&) = default;
};

// Neighbouring bytes of shared memory that are used alike.
struct SharedRange {
  std::uint32_t first = 0, end = 0;
  std::string symbol;        // the array of the source; "" where the code does not say
  std::uint32_t offset = 0;  // of `first` in it
  std::vector<SharedUse> uses;
  std::uint64_t touched = 0;            // bytes that are accessed at all
  std::uint64_t written = 0, read = 0;  // bytes, by all requests
  bool mixed = false;                   // it joins pieces of different use
};

// The time from one barrier at which the whole block waits to the next; times that begin at the
// same place are one phase.
struct Phase {
  std::vector<SourceLocation> after;  // places of the barrier; empty at the start of the block
  std::vector<SourceLocation> until;  // places of the barriers that ended it
  bool until_end = false;             // it was also, or only, ended by the block's end
  std::uint64_t times = 0;
  ActivityCounts activities;
  std::uint64_t global_read = 0, global_written = 0;  // bytes
  std::uint64_t shared_read = 0, shared_written = 0;
};

struct BlockObservation {
  std::array<std::uint32_t, 3> index{};
  std::uint32_t warps = 0;
  std::uint64_t instructions = 0;  // of warps
  std::vector<Role> roles;         // by first warp
  std::vector<BarrierUse> barriers;
  std::vector<CopyBuffer> copies;
  std::vector<SharedRange> shared;  // ascending
  std::vector<Phase> phases;        // in order of their first beginning
  std::vector<BufferUse> buffers;   // by address
};

struct Observation {
  std::uint64_t blocks = 0;
  std::uint64_t least_instructions = 0, most_instructions = 0;  // of a block
  std::vector<BufferUse> buffers;                               // of the launch, by address
  std::size_t shared_bytes = 0;                                 // of a block, static and dynamic
  BlockObservation block;  // the first of those that executed most instructions
};

}  // namespace warpwright::emu
