// The checkers' state of one block, to which the block points. Each member belongs to one part of
// the checker, the only one that reads and changes it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emu/check/lookups.h"
#include "emu/check/registers.h"
#include "emu/check/shadow.h"
#include "emu/exec/block.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

struct BlockOrders {
  std::vector<Knowledge> lanes;           // warp * 32 + lane
  std::vector<std::uint32_t> epochs;      // by warp
  std::vector<std::uint64_t> last_flags;  // by lane: the flag_address() that it read last
  // By warp: the lanes whose clocks and last flag equal those of lane 0; 0 when not yet computed,
  // as after every change.
  std::vector<std::uint32_t> agreed;
  // By warp: lanes that have accessed memory since they last published to their group.
  std::vector<std::uint32_t> dirty;
  std::array<std::uint32_t, kSlots> slots{};
  std::uint16_t next_slot = 0;
  std::array<Knowledge, 16> barriers;
  Knowledge cluster;           // arrivals at the cluster's barrier
  FlagTable<Knowledge> flags;  // in shared memory
  // Flags in global memory, as set and read with block scope by this block's threads.
  FlagTable<Knowledge> near_flags;
  std::vector<std::uint32_t> relaxed;  // by warp: lanes that have made relaxed stores
  FlagTable<ClockRef> relaxed_flags;   // like Orders::relaxed_flags_, for flags in shared memory
};

// The last access of one lane or copy of a cluster peer to a block's shared memory; epoch 0 means
// that there was none.
struct PeerAccess {
  std::uint32_t epoch = 0;
  std::uint32_t pc = 0;
};

struct BlockChecks {
  BlockOrders orders;                       // Orders
  Shadow shared;                            // Accesses
  std::vector<RegisterChecks> registers;    // by warp: each part has a member of its own in them
  std::vector<WarpgroupChecks> warpgroups;  // Wgmma
  // Initialisation. By warp and byte: lanes that wrote it.
  std::vector<std::vector<std::uint32_t>> local_written;
  std::vector<PeerAccess> peers;  // Lifetimes. By rank, actor and lane; empty without any.
};

// A record of an access by these lanes of the warp; its kind, bytes and epoch are not set.
[[nodiscard]] inline AccessRecord access_of(const Warp& warp, std::uint32_t pc,
                                            std::uint32_t lanes) {
  AccessRecord record;
  record.block = static_cast<std::uint32_t>(warp.block().linear_index());
  record.actor = static_cast<std::uint16_t>(warp.index());
  record.pc = pc;
  record.lanes = lanes;
  return record;
}

}  // namespace warpwright::emu
