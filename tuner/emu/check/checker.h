// Finds code that only worked by chance: accesses that nothing orders, reads of memory that was
// never written, and asynchronous operations whose results are used before their wait. The order
// comes from vector clocks (clock.h), so a race is found under any schedule; missing waits are
// found with a `LaunchOptions::seed` that completes copies late.
//
// One Checker serves one launch on one host thread. Handlers call it where they touch memory or
// synchronise; it never changes what a kernel computes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emu/check/lookups.h"
#include "emu/check/registers.h"
#include "emu/check/shadow.h"
#include "emu/emulator.h"
#include "emu/exec/address.h"
#include "emu/exec/async.h"
#include "emu/exec/mbarrier.h"
#include "emu/exec/observer.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Block;
class Warp;
struct Frame;
struct LaunchContext;

// The last access of one lane or copy of a cluster peer to a block's shared memory; epoch 0 means
// that there was none.
struct PeerAccess {
  std::uint32_t epoch = 0;
  std::uint32_t pc = 0;
};

// The checker's state of one block; the block points to it.
struct BlockChecks {
  std::vector<Knowledge> lanes;       // warp * 32 + lane
  std::vector<std::uint32_t> epochs;  // by warp
  std::vector<std::uint64_t> polled;  // by lane: generic address of the last flag that it read
  // By warp: the lanes whose clocks and last flag equal those of lane 0; 0 when not yet computed,
  // as after every change.
  std::vector<std::uint32_t> agreed;
  // By warp: lanes that have accessed memory since they last published to their group.
  std::vector<std::uint32_t> dirty;
  std::array<std::uint32_t, kSlots> slots{};
  std::uint16_t next_slot = 0;
  std::array<Knowledge, 16> barriers;
  Knowledge cluster;  // arrivals at the cluster's barrier
  Shadow shared;
  FlagTable<Knowledge> flags;  // in shared memory
  // Flags in global memory, as set and read with block scope by this block's threads.
  FlagTable<Knowledge> near_flags;
  std::vector<RegisterChecks> registers;  // by warp
  std::vector<WarpgroupChecks> warpgroups;
  std::vector<std::vector<std::uint32_t>> local_written;  // by warp and byte: lanes that wrote it
  std::vector<PeerAccess> peers;    // by rank, actor and lane; empty without any
  std::vector<std::uint32_t> told;  // by warp: lanes that have made relaxed stores
  FlagTable<ClockRef> tellings;     // like Checker::tellings_, for flags in shared memory
};

// The issuer of an access, or of the operation that makes it. Everything in the lane's clocks, and
// everything that the lane did itself, happened before the access. All `lanes` have equal clocks.
struct AccessIssuer {
  const Knowledge& known;
  std::uint32_t block = 0;
  std::uint16_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint64_t flag = 0;  // the word that the lane read last as a flag, 0 none
  CoverMemo* memo = nullptr;
  // The epochs of the own block that `known.happened` covers in all lanes, if looked up already.
  const std::uint32_t* epochs = kNoEpochs.data();
};

// The name of a variable in the source: "tile" for `_ZZ6kernelPfE4tile`.
[[nodiscard]] std::string variable_name(const std::string& symbol);

// A unique number for a word of global memory or of a block's shared memory; never 0.
[[nodiscard]] std::uint64_t flag_address(const Block* target, std::uint64_t word);

class Checker final : public Observer {
 public:
  Checker(const LaunchContext& context, bool trust_cas_reads);
  ~Checker() override;
  void start(Block& block) override;
  [[nodiscard]] std::vector<Hazard> take_hazards();
  // After the launch: true if there are no findings, and no other schedule can produce findings or
  // different results. See "One schedule for all" in emu/README.md.
  [[nodiscard]] bool same_under_all_schedules();
  void schedule_matters() override { schedule_matters_ = true; }
  void arrive_at_barrier(Warp& warp, std::uint32_t id) override;
  void complete_barrier(Block& block, std::uint32_t id,
                        const std::vector<std::uint32_t>& waiting) override;
  void barrier_without(Block& block, std::uint32_t id, const std::vector<std::uint32_t>& waiting,
                       std::uint32_t exited) override;
  void arrive_at_cluster(Warp& warp) override;
  void complete_cluster(Block& block) override;
  void sync_lanes(Warp& warp, std::uint32_t lanes) override;
  [[nodiscard]] Knowledge release(Warp& warp, std::uint32_t lanes) override;
  void acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) override;
  void acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes) override;
  void publish(Knowledge& to, const Actor& actor, std::uint32_t lanes) override;
  void fence(Warp& warp, bool async_proxy) override;
  void access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
              std::size_t bytes, AccessKind kind) override;
  void look_at_marks(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                     std::size_t bytes, AccessKind kind) override;
  [[nodiscard]] Actor begin_async(Warp& warp) override;
  void async_access(Warp& warp, std::uint32_t lane, const Actor& actor, std::uint64_t address,
                    std::size_t bytes, bool write, bool proxy, bool combines) override;
  void local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind) override;
  void local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) override;
  void fence_tensor_maps(Warp& warp) override;
  void use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) override;
  void enter_function(Warp& warp, const Frame& frame) override;
  void step(Warp& warp, std::uint32_t pc, std::uint32_t active) override;
  void outside_mask(Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                    std::uint32_t members) override;
  void masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                    std::uint32_t theirs) override;
  void shuffled(Warp& warp, std::uint32_t pc, std::span<const std::uint8_t> source,
                std::uint32_t absent) override;
  [[nodiscard]] Actor begin_wgmma(Warp& warp, const WgmmaStart& start) override;
  void fence_wgmma(Warp& warp) override;
  void commit_wgmma(Warp& warp) override;
  void wait_wgmma(Warp& warp, std::uint32_t unfinished, std::uint32_t products) override;
  void end_wgmma(Block& block) override;
  void end_block(Block& block) override;
  void init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier) override;
  void fence_inits(Warp& warp) override;
  void complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                   std::uint32_t address) override;
  void use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                    std::uint32_t address) override;
  void use_peer_mbarrier(Warp& warp, std::uint32_t lane, Block& owner) override;
  void ended_unawaited(Block& block, const AsyncOperation& operation) override;
  void report(HazardKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
              const std::string& message, const std::string& advice) override;
  [[nodiscard]] bool watches_registers(const Warp& warp) const override;

 private:
  [[nodiscard]] HazardSide side(const AccessRecord& record, std::size_t bytes) const;
  [[nodiscard]] std::uint32_t thread_of(const AccessRecord& record) const;
  [[nodiscard]] bool updates(const AccessRecord& now, const AccessRecord& then,
                             bool is_shared) const;
  // The distance between the two sides: lanes of a warp, warps of a block, or blocks.
  [[nodiscard]] int reach(const Hazard& hazard) const;
  [[nodiscard]] HazardSide side(std::uint64_t block, std::uint32_t pc, std::uint32_t thread,
                                std::string what) const;
  void add(Hazard hazard, std::uint32_t pc, std::uint32_t other_pc);
  // By kind and both places.
  using FindingKey = std::tuple<HazardKind, std::uint64_t, std::uint64_t>;
  // Keeps the finding, or counts an occurrence if there is one with that key already.
  void add_as(const FindingKey& key, Hazard hazard);
  // A unique number for the source line of an instruction, or for the instruction itself if its
  // line is not known.
  [[nodiscard]] std::uint64_t place_of(std::uint32_t pc) const;
  // The range that one lane or copy accesses, and the word of it that is being checked.
  struct Range {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    Block* target = nullptr;  // whose shared memory; null for global memory
    std::uint64_t word = 0;
  };
  [[nodiscard]] bool touch(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer,
                           const Range& range, bool proxy);
  void touch_flag(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer,
                  const Range& range);
  // An access of several lanes in one instruction. A load that a compiler may have moved up is
  // checked twice: for its address and its value at once, and for conflicts when it counts.
  struct LanesAccess {
    enum Phase : std::uint8_t { kCounts, kIsTentative, kSettles };
    std::uint32_t pc = 0;
    std::size_t bytes = 0;
    AccessKind kind{};
    Phase phase = kCounts;
  };
  void touch_lanes(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
                   const LanesAccess& what);
  void touch_groups(Warp& warp, Block* target, std::uint32_t mask, const LaneGroups& groups,
                    const LaneAddresses& addresses, const LanesAccess& what, AccessRecord& now,
                    std::optional<UnwrittenRead>& unwritten);
  void touch_together(Warp& warp, Block* target, std::uint64_t address, const LanesAccess& what,
                      AccessRecord& now, const AccessIssuer& issuer,
                      std::optional<UnwrittenRead>& unwritten, std::size_t done = 0);
  // Returns a record of the warp with `lanes` and `bytes` not set.
  [[nodiscard]] AccessRecord record_of(Warp& warp, const Block* target, std::uint32_t pc,
                                       AccessKind kind);
  void note_tentative(Warp& warp, std::uint32_t pc, std::uint32_t lanes, std::uint64_t address,
                      std::size_t bytes);
  void settle(Warp& warp, TentativeRead& read, std::uint32_t lanes);
  template <class Stays>
  void touch_by_read(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer,
                     Stays&& stays);
  // A word with this many records no longer takes the fast path for reads.
  static constexpr std::size_t kFewRecords = 16;
  void thin(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer);
  [[nodiscard]] bool polls(std::uint32_t pc);
  [[nodiscard]] std::uint32_t alike(Warp& warp, std::uint32_t lanes,
                                    const LaneAddresses& addresses) const;
  [[nodiscard]] std::uint32_t agreed(const Warp& warp) const;
  // The groups that alike() would form, in order, if all of `lanes` agree; null otherwise.
  [[nodiscard]] const LaneGroups* groups_of(const Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                                            const LaneAddresses& addresses);
  void conflict(const AccessRecord& here, const AccessRecord& there, const Range& range,
                bool proxy);
  // A store that races with another one. Whether it changes the bytes that the other one left,
  // `before`, is decided after it was made and before the next instruction.
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
  void read_kept(const AccessRecord& here, std::uint64_t address, std::size_t bytes);
  // Reports a read of global memory whose bytes hold nothing or were left by an earlier launch.
  void read_marked(const AccessRecord& here, std::uint64_t address, std::size_t bytes);
  void store_over_mbarrier(Warp& warp, Block& target, std::uint32_t lane, std::uint64_t address,
                           std::size_t bytes);
  void unfenced_map(const AccessRecord& here, const AccessRecord& there, std::uint64_t address);
  [[nodiscard]] bool is_within_bounds(const AccessRecord& now, std::uint64_t address,
                                      std::size_t bytes) const;
  void check_bounds(const AccessRecord& now, std::uint64_t address, std::size_t bytes);
  void overrun(const AccessRecord& now, std::uint64_t address, std::size_t bytes);
  void stale_read(const AccessRecord& here, const AccessRecord& there, const Range& range);
  void note_unwritten(Warp& warp, UnwrittenRead read);
  void note_peer(Block& owner, const Block& peer, std::uint16_t actor, std::uint32_t lane,
                 std::uint32_t epoch, std::uint32_t pc);
  void tell(Warp& warp, Block* target, std::uint32_t lanes, const LaneAddresses& addresses);
  void unordered_message(const AccessRecord& here, const AccessRecord& there, const Range& range);
  void report_unwritten(Warp& warp, const UnwrittenRead& read, std::uint32_t lanes,
                        std::uint32_t use);
  void synchronise(Warp& warp, Block* target, std::uint32_t lane, std::uint64_t address,
                   AccessKind kind, std::uint8_t order);
  void step_flights(Warp& warp, RegisterChecks& checks, std::uint32_t pc);
  void step_feeder(RegisterChecks& checks, std::uint32_t pc) const;
  void require_wgmma_fence(Warp& warp, RegisterChecks& checks, bool adds);
  void compare_in_group(Warp& warp, const WgmmaStart& start);
  void step_tentative(Warp& warp, RegisterChecks& checks, std::uint32_t pc, std::uint32_t active);
  void step_undefined(Warp& warp, RegisterChecks& checks, std::uint32_t pc, std::uint32_t active);
  void step_unwritten(Warp& warp, RegisterChecks& checks, std::uint32_t pc, std::uint32_t active);
  [[nodiscard]] std::uint8_t order_of(std::uint32_t pc);  // Order bits of the instruction
  [[nodiscard]] std::string copy_name(std::uint32_t pc) const;

  const LaunchContext* context_;
  std::vector<std::unique_ptr<BlockChecks>> blocks_;
  Shadow global_;
  ReadSets read_sets_;
  CoverMemo memo_;
  // Incremented whenever the records of a word change or something is published. An instruction
  // that always changes many of them counts once.
  std::uint64_t changes_ = 0;
  // A read of a flag that changed nothing. The same read changes nothing as long as `changes_`
  // stays the same.
  struct IdleRead {
    const ShadowWord* word = nullptr;
    std::uint64_t changes = 0;  // changes_ at the time
    AccessRecord read;
    // The fields of AccessIssuer that the result depended on.
    std::uint64_t flag = 0;
    ClockRef happened, heard;
  };
  std::array<IdleRead, 2 * 32> idle_reads_;  // by lane, for both words of one that takes two
  FlagTable<Knowledge> flags_;               // in global memory
  // By flag in global memory: everything that the threads had done before they set the flag by a
  // relaxed store.
  FlagTable<ClockRef> tellings_;
  std::vector<std::uint8_t> orders_;                 // by pc; 0: not computed yet
  std::vector<std::unique_ptr<LaneGroups>> groups_;  // by pc; null: none yet
  struct SharedBounds {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<SharedBounds> bounds_;  // by shared object
  // By pc: the bounds of the first object that it may access, or of all shared memory if unknown.
  std::vector<SharedBounds> likely_bounds_;
  bool believes_ = false;                          // there are relaxed loads that are not polled
  std::unordered_map<std::uint32_t, bool> polls_;  // cached results of is_polled(), by load
  std::vector<bool> wgmma_feeders_;                // by pc; empty without any
  std::vector<bool> tentative_loads_;              // by pc; empty without any
  std::vector<bool> schedule_sensitive_;           // by pc; empty without any
  bool schedule_matters_ = false;
  std::vector<bool> cas_reads_;  // by pc: the trusted reads; empty without any
  // Findings after the first kMostFindings are in the index, but not in `hazards_`.
  std::map<FindingKey, std::size_t> index_;
  std::vector<Hazard> hazards_;
  // The issuers of asynchronous operations: the last one of each table entry, and the last one of
  // each instruction for operations whose entry has been overwritten.
  struct Issuer {
    std::uint64_t block = 0;
    std::uint32_t epoch = 0;
    std::uint32_t thread = 0;
    std::uint16_t actor = 0;
  };
  [[nodiscard]] static std::size_t issuer_place(std::uint64_t block, std::uint16_t actor) {
    return (block * kActors + actor) % kIssuers;
  }
  static constexpr std::size_t kIssuers = 4096;
  std::vector<Issuer> issuers_;              // empty before the first
  std::vector<std::uint32_t> last_issuers_;  // by pc
  std::vector<UndecidedStore> undecided_;
};

}  // namespace warpwright::emu
