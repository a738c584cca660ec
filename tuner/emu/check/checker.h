// Looks for what only happened to work: accesses that nothing orders, reads of memory that was
// never written, asynchronous operations whose results are used before their wait. Orders come from
// vector clocks (clock.h), so a race is found whatever the schedule that was run; what depends on
// waits is found with a `LaunchOptions::seed` that completes copies late.
//
// One Checker serves one launch on one host thread. Handlers call it where they touch memory or
// synchronise; it never changes what a kernel computes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emu/async/async.h"
#include "emu/async/mbarrier.h"
#include "emu/check/registers.h"
#include "emu/check/shadow.h"
#include "emu/check/warpgroup.h"
#include "emu/emulator.h"
#include "emu/exec/address.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Block;
class Warp;
struct LaunchContext;

// What the checker keeps of one block; the block points to it.
struct BlockChecks {
  std::vector<Knowledge> lanes;       // warp * 32 + lane
  std::vector<std::uint32_t> epochs;  // by warp
  std::vector<std::uint64_t> polled;  // by lane: the generic address that it read last as a flag
  // By warp: lanes that have touched memory since they last told the others of their group.
  std::vector<std::uint32_t> dirty;
  std::array<std::uint32_t, kSlots> slots{};
  std::uint16_t next_slot = 0;
  std::array<Knowledge, 16> barriers;
  Knowledge cluster;  // arrivals at the cluster's barrier
  Shadow shared;
  std::unordered_map<std::uint64_t, Knowledge> flags;  // in shared memory
  // In global memory: what this block's threads say to each other.
  std::unordered_map<std::uint64_t, Knowledge> near_flags;
  std::vector<RegisterChecks> registers;  // by warp
  std::vector<WarpgroupChecks> warpgroups;
};

// Who makes an access, or starts the operation that makes it: what the lane knows to have happened,
// and all that it did itself, come before.
struct AccessIssuer {
  const Knowledge& known;
  std::uint32_t block = 0;
  std::uint16_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint64_t flag = 0;  // the word that the lane read last as a flag, 0 none
};

// What a wgmma is given, beside registers.
struct WgmmaStart {
  bool adds = false;    // to what its sums held before
  std::uint64_t a = 0;  // descriptor; 0 where A is in registers
  std::uint64_t b = 0;
};

class Checker {
 public:
  explicit Checker(const LaunchContext& context);
  ~Checker();
  void start(Block& block);
  [[nodiscard]] std::vector<Hazard> take_hazards();

  // --- orders
  void arrive_at_barrier(Warp& warp, std::uint32_t id);
  void complete_barrier(Block& block, std::uint32_t id, const std::vector<std::uint32_t>& waiting);
  // The barrier is about to complete without the warps of `exited`: they count as having arrived.
  void barrier_without(Block& block, std::uint32_t id, const std::vector<std::uint32_t>& waiting,
                       std::uint32_t exited);
  void arrive_at_cluster(Warp& warp);
  void complete_cluster(Block& block);  // of every block of the cluster
  void sync_lanes(Warp& warp, std::uint32_t lanes);
  // What these lanes pass on at this point; their later accesses are not part of it.
  [[nodiscard]] Knowledge release(Warp& warp, std::uint32_t lanes);
  void acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge);
  // Every lane waits for its own part of a copy.
  void acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes);
  static void publish(Knowledge& to, const Actor& actor, std::uint32_t lanes);
  void fence(Warp& warp, bool async_proxy);

  // --- accesses
  // Of the lanes of `mask` to shared memory of `target` (addresses in its window) or to global
  // memory (`target` null).
  void access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
              std::size_t bytes, AccessKind kind);
  // A new operation of the asynchronous proxy, or of the lanes of a cp.async.
  [[nodiscard]] Actor begin_async(Warp& warp);
  // Bytes that it will read or write at a generic address, tagged where it is shared memory of the
  // cluster. `proxy` is false for cp.async, which sees ordinary writes without a fence. `combines`:
  // what is written is added, say, to what is there, word by word as by an atomic.
  void async_access(Warp& warp, std::uint32_t lane, const Actor& actor, std::uint64_t address,
                    std::size_t bytes, bool write, bool proxy, bool combines = false);

  // --- registers
  void enter_function(Warp& warp, const Function& function);
  // Before the lanes of the warp's mask execute the instruction; `active` are those that its guard
  // chose from.
  void step(Warp& warp, std::uint32_t pc, std::uint32_t active);
  // Lanes of a warp-wide operation that its mask does not name.
  void outside_mask(Warp& warp, std::uint32_t pc, std::uint32_t lanes, std::uint32_t members);
  // Lanes that execute it together, of which the `named` by `members` name others themselves.
  void masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                    std::uint32_t theirs);
  // The lanes of the warp's mask have exchanged values, each from the lane of `source`; those of
  // `absent` asked a lane that takes no part.
  void shuffled(Warp& warp, std::uint32_t pc, std::span<const std::uint8_t> source,
                std::uint32_t absent);
  // A wgmma of the warp starts; it reads shared memory as the actor that this returns.
  [[nodiscard]] Actor begin_wgmma(Warp& warp, const WgmmaStart& start);
  void fence_wgmma(Warp& warp);
  void commit_wgmma(Warp& warp);
  // All but the last `unfinished` groups are over, and with them the first `products` wgmma of
  // every warp of the warpgroup.
  void wait_wgmma(Warp& warp, std::uint32_t unfinished, std::uint32_t products);
  // All warps have exited.
  void end_wgmma(Block& block);

  // --- mbarriers
  void init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier);
  void fence_inits(Warp& warp);  // fence.mbarrier_init of the lanes of the warp's mask
  // A tensor copy of the lane will complete on it.
  void complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier, std::uint32_t address);
  void use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier, std::uint32_t address);

  // --- findings
  void ended_unawaited(Block& block, const AsyncOperation& operation);
  void report(HazardKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
              const std::string& message, const std::string& advice);

 private:
  [[nodiscard]] HazardSide side(const AccessRecord& record, std::size_t bytes) const;
  [[nodiscard]] HazardSide side(std::uint64_t block, std::uint32_t pc, std::uint32_t thread,
                                std::string what) const;
  void add(Hazard hazard, std::uint32_t pc, std::uint32_t other_pc);
  // What one lane or copy accesses, and the word of it that is looked at.
  struct Range {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    Block* target = nullptr;  // whose shared memory; null for global memory
    std::uint64_t word = 0;
  };
  void touch(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer,
             const Range& range, bool proxy);
  void conflict(const AccessRecord& here, const AccessRecord& there, const Range& range,
                bool proxy);
  // A store that races with another: whether it changes what that left, `before`, shows once it is
  // made, before the next instruction.
  struct UndecidedStore {
    Hazard hazard;
    std::uint32_t pc = 0;
    std::uint32_t other_pc = 0;
    const std::byte* word = nullptr;
    std::uint8_t bytes = 0;  // of the word, those that both store
    std::array<std::byte, 4> before{};

    [[nodiscard]] bool changed() const;
  };
  void decide_stores();
  [[nodiscard]] const std::byte* word_at(const Range& range) const;
  void excuse(Warp& exited, std::uint32_t barrier);
  void read_uninitialised(const AccessRecord& here, std::uint64_t address, std::size_t bytes,
                          bool is_shared);
  void store_over_mbarrier(Warp& warp, Block& target, std::uint32_t lane, std::uint64_t address,
                           std::size_t bytes);
  void stale_read(const AccessRecord& here, const AccessRecord& there, const Range& range);
  void note_unwritten(Warp& warp, UnwrittenRead read);
  void report_unwritten(Warp& warp, const UnwrittenRead& read, std::uint32_t lanes,
                        std::uint32_t use);
  void synchronise(Warp& warp, Block* target, std::uint32_t lane, std::uint64_t address,
                   AccessKind kind, std::uint8_t order);
  void step_flights(Warp& warp, RegisterChecks& checks, std::uint32_t pc);
  void step_feeder(RegisterChecks& checks, std::uint32_t pc) const;
  void require_wgmma_fence(Warp& warp, RegisterChecks& checks, bool adds);
  void compare_in_group(Warp& warp, const WgmmaStart& start);
  void step_undefined(Warp& warp, RegisterChecks& checks, std::uint32_t pc, std::uint32_t active);
  void step_unwritten(Warp& warp, RegisterChecks& checks, std::uint32_t pc, std::uint32_t active);
  [[nodiscard]] std::uint8_t order_of(std::uint32_t pc);  // Order bits of the instruction
  [[nodiscard]] std::string copy_name(std::uint32_t pc) const;

  const LaunchContext* context_;
  std::vector<std::unique_ptr<BlockChecks>> blocks_;
  Shadow global_;
  std::unordered_map<std::uint64_t, Knowledge> flags_;  // in global memory
  std::vector<std::uint8_t> orders_;                    // by pc; 0 not looked at yet
  std::vector<bool> wgmma_feeders_;                     // by pc; empty without any
  // By kind and both places; what came after kMostFindings of them is known, but not kept.
  std::map<std::tuple<HazardKind, std::uint64_t, std::uint64_t>, std::size_t> index_;
  std::vector<Hazard> hazards_;
  std::vector<UndecidedStore> undecided_;
};

}  // namespace warpwright::emu
