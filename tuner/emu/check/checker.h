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
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "emu/async/async.h"
#include "emu/async/mbarrier.h"
#include "emu/check/cover_memo.h"
#include "emu/check/flag_table.h"
#include "emu/check/lane_groups.h"
#include "emu/check/registers.h"
#include "emu/check/shadow.h"
#include "emu/check/warpgroup.h"
#include "emu/emulator.h"
#include "emu/exec/address.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Block;
class Warp;
struct Frame;
struct LaunchContext;

// The last access of one lane or copy of a peer of the cluster to a block's shared memory; epoch 0:
// none.
struct PeerAccess {
  std::uint32_t epoch = 0;
  std::uint32_t pc = 0;
};

// What the checker keeps of one block; the block points to it.
struct BlockChecks {
  std::vector<Knowledge> lanes;       // warp * 32 + lane
  std::vector<std::uint32_t> epochs;  // by warp
  std::vector<std::uint64_t> polled;  // by lane: the generic address that it read last as a flag
  // By warp: the lanes that know, and have read as a flag, what lane 0 does; 0 where that is not
  // known, as after every change.
  std::vector<std::uint32_t> agreed;
  // By warp: lanes that have touched memory since they last told the others of their group.
  std::vector<std::uint32_t> dirty;
  std::array<std::uint32_t, kSlots> slots{};
  std::uint16_t next_slot = 0;
  std::array<Knowledge, 16> barriers;
  Knowledge cluster;  // arrivals at the cluster's barrier
  Shadow shared;
  FlagTable<Knowledge> flags;  // in shared memory
  // In global memory: what this block's threads say to each other.
  FlagTable<Knowledge> near_flags;
  std::vector<RegisterChecks> registers;  // by warp
  std::vector<WarpgroupChecks> warpgroups;
  std::vector<std::vector<std::uint32_t>> local_written;  // by warp and byte: lanes that wrote it
  std::vector<PeerAccess> peers;    // by rank, actor and lane; empty without any
  std::vector<std::uint32_t> told;  // by warp: lanes that have made relaxed stores
  FlagTable<ClockRef> tellings;     // of flags in shared memory, as Checker's
};

// Who makes an access, or starts the operation that makes it: what the lane knows to have happened,
// and all that it did itself, come before. Several lanes know the same.
struct AccessIssuer {
  const Knowledge& known;
  std::uint32_t block = 0;
  std::uint16_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint64_t flag = 0;  // the word that the lane read last as a flag, 0 none
  CoverMemo* memo = nullptr;
  // Of `known.happened`, what it covers of the own block in all lanes, where that was looked up.
  const std::uint32_t* epochs = kNoEpochs.data();
};

// "tile" of `_ZZ6kernelPfE4tile`, as the source calls a variable.
[[nodiscard]] std::string variable_name(const std::string& symbol);

// One number for a word of global memory or of a block's shared memory; never 0.
[[nodiscard]] std::uint64_t flag_address(const Block* target, std::uint64_t word);

// What a wgmma is given, beside registers.
struct WgmmaStart {
  bool adds = false;    // to what its sums held before
  std::uint64_t a = 0;  // descriptor; 0 where A is in registers
  std::uint64_t b = 0;
};

class Checker {
 public:
  Checker(const LaunchContext& context, bool trust_cas_reads);
  ~Checker();
  void start(Block& block);
  [[nodiscard]] std::vector<Hazard> take_hazards();
  // How many atomic, volatile or ordered stores there have been: what others may wait for.
  [[nodiscard]] std::uint64_t strong_writes() const { return strong_writes_; }
  // After the launch: nothing was found, and nothing can be found, or come out differently, under
  // another schedule. emu/README.md, "One schedule for all", says why.
  [[nodiscard]] bool same_under_all_schedules();
  // Something was executed whose outcome may depend on the schedule.
  void schedule_matters() { schedule_matters_ = true; }

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
  // Of the lanes of `mask` to global memory: what is known of the bytes themselves, whoever else
  // accesses them. Part of access(); reads of constant memory need no more.
  void look_at_marks(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                     std::size_t bytes, AccessKind kind);
  // A new operation of the asynchronous proxy, or of the lanes of a cp.async.
  [[nodiscard]] Actor begin_async(Warp& warp);
  // Bytes that it will read or write at a generic address, tagged where it is shared memory of the
  // cluster. `proxy` is false for cp.async, which sees ordinary writes without a fence. `combines`:
  // what is written is added, say, to what is there, word by word as by an atomic.
  void async_access(Warp& warp, std::uint32_t lane, const Actor& actor, std::uint64_t address,
                    std::size_t bytes, bool write, bool proxy, bool combines = false);
  // Of the lanes of `mask` to their local memory.
  void local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                    std::size_t bytes, AccessKind kind);
  // A lane uses a generic address in local memory.
  void local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address);
  void fence_tensor_maps(Warp& warp);
  // A tensor copy reads the map at a generic address.
  void use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address);

  // --- registers
  // The warp's lanes enter a function: its registers and local variables hold nothing yet.
  void enter_function(Warp& warp, const Frame& frame);
  // Before the lanes of the warp's mask execute the instruction; `active` are those that its guard
  // chose from. Not needed where the warp's RegisterChecks are idle and this is false.
  [[nodiscard]] bool looks_at(std::uint32_t pc) const {
    return looked_at_[pc] || !undecided_.empty();
  }
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
  void end_wgmma(Block& block);
  // All warps have exited.
  void end_block(Block& block);

  // --- mbarriers
  void init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier);
  void fence_inits(Warp& warp);  // fence.mbarrier_init of the lanes of the warp's mask
  // A tensor copy of the lane will complete on it.
  void complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier, std::uint32_t address);
  void use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier, std::uint32_t address);

  // A lane is about to publish what it knows at an mbarrier that may be a peer's.
  void use_peer_mbarrier(Warp& warp, std::uint32_t lane, Block& owner);

  // --- findings
  void ended_unawaited(Block& block, const AsyncOperation& operation);
  void report(HazardKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
              const std::string& message, const std::string& advice);

 private:
  [[nodiscard]] HazardSide side(const AccessRecord& record, std::size_t bytes) const;
  [[nodiscard]] std::uint32_t thread_of(const AccessRecord& record) const;
  [[nodiscard]] bool updates(const AccessRecord& now, const AccessRecord& then,
                             bool is_shared) const;
  // How far apart two sides are: lanes of a warp, warps of a block, blocks.
  [[nodiscard]] int reach(const Hazard& hazard) const;
  [[nodiscard]] HazardSide side(std::uint64_t block, std::uint32_t pc, std::uint32_t thread,
                                std::string what) const;
  void add(Hazard hazard, std::uint32_t pc, std::uint32_t other_pc);
  // By kind and both places.
  using FindingKey = std::tuple<HazardKind, std::uint64_t, std::uint64_t>;
  // Keeps it unless there is one of its key, whose occurrences are counted.
  void add_as(const FindingKey& key, Hazard hazard);
  // One number for the source line of an instruction, or for itself where that is not known.
  [[nodiscard]] std::uint64_t place_of(std::uint32_t pc) const;
  // What one lane or copy accesses, and the word of it that is looked at.
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
  // What some lanes do in one instruction. A load that a compiler may have moved up is looked at
  // twice: for its address and what it finds there at once, for what it conflicts with when it
  // counts.
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
  // Of the warp's threads, without lanes and bytes.
  [[nodiscard]] AccessRecord record_of(Warp& warp, const Block* target, std::uint32_t pc,
                                       AccessKind kind);
  void note_tentative(Warp& warp, std::uint32_t pc, std::uint32_t lanes, std::uint64_t address,
                      std::size_t bytes);
  void settle(Warp& warp, TentativeRead& read, std::uint32_t lanes);
  template <class Stays>
  void touch_by_read(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer,
                     Stays&& stays);
  // Records of a word from which on its reads are looked at more closely.
  static constexpr std::size_t kFewRecords = 16;
  void thin(ShadowWord& word, const AccessRecord& record, const AccessIssuer& issuer);
  [[nodiscard]] bool polls(std::uint32_t pc);
  [[nodiscard]] std::uint32_t alike(Warp& warp, std::uint32_t lanes,
                                    const LaneAddresses& addresses) const;
  [[nodiscard]] std::uint32_t agreed(const Warp& warp) const;
  // The lanes that alike() puts together, in order, where all of `lanes` agree; null elsewhere.
  [[nodiscard]] const LaneGroups* groups_of(const Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                                            const LaneAddresses& addresses);
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
  void read_kept(const AccessRecord& here, std::uint64_t address, std::size_t bytes);
  // Of global memory: told where it is of bytes that hold nothing, or what an earlier launch left.
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
  // Goes up whenever something else is remembered of a word, or told. An instruction that can only
  // change a lot counts once.
  std::uint64_t changes_ = 0;
  // A read of a flag that changed nothing: the same read will not either, for as long as nothing
  // else has changed anything.
  struct IdleRead {
    const ShadowWord* word = nullptr;
    std::uint64_t changes = 0;  // changes_ at the time
    AccessRecord read;
    // What it was judged by, of AccessIssuer.
    std::uint64_t flag = 0;
    ClockRef happened, heard;
  };
  std::array<IdleRead, 2 * 32> idle_reads_;  // by lane, for both words of one that takes two
  FlagTable<Knowledge> flags_;               // in global memory
  // By flag in global memory: what the threads that set it by relaxed stores had done before.
  FlagTable<ClockRef> tellings_;
  std::vector<std::uint8_t> orders_;                 // by pc; 0 not looked at yet
  std::vector<std::unique_ptr<LaneGroups>> groups_;  // by pc; null: none yet
  struct SharedBounds {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<SharedBounds> bounds_;  // by shared object
  // By pc: of the first of the objects that it may access; of everything where that is not known.
  std::vector<SharedBounds> likely_bounds_;
  bool believes_ = false;                          // there are relaxed loads that are not polled
  std::unordered_map<std::uint32_t, bool> polls_;  // is_polled() of loads that it was asked for
  std::vector<bool> wgmma_feeders_;                // by pc; empty without any
  std::vector<bool> tentative_loads_;              // likewise
  std::vector<bool> schedule_sensitive_;           // likewise
  std::vector<std::uint8_t> looked_at_;            // by pc: of those that step() has to do with
  bool schedule_matters_ = false;
  std::uint64_t strong_writes_ = 0;
  std::vector<bool> cas_reads_;  // likewise; those that are trusted
  // What came after kMostFindings of them is known, but not kept.
  std::map<FindingKey, std::size_t> index_;
  std::vector<Hazard> hazards_;
  // Who issued asynchronous operations: the last of each place in a table, and of each instruction
  // for those whose place another has taken.
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
