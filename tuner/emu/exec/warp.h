// One warp: 32 lanes that execute decoded instructions over rows of registers.
//
// Lanes with equal program counter and frame form a Group and run in lockstep. Among runnable
// groups, the one deepest in calls and then with the smallest program counter runs until it reaches
// the next group (they merge), blocks or exits; a group that keeps branching back while others
// could run is suspended for a while, so a lane may spin on another lane's store. Handlers get the
// lanes they execute from mask(), and change control flow through the methods below.
//
// Invariants: groups are disjoint and their union is live(); predicate 0 of every frame is all
// ones.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emu/emulator.h"
#include "emu/exec/memory.h"
#include "emu/exec/wgmma_progress.h"
#include "emu/model/clock.h"
#include "emu/model/load_rounds.h"
#include "emu/model/tally.h"
#include "emu/program/program.h"

namespace warpwright::emu {

// An iteration of a loop costs kSpinCost if it accesses memory that other lanes may write, and
// otherwise 1: a spin loop yields after 256 iterations, a long computation practically never, so
// its lanes still reconverge after it.
inline constexpr std::uint32_t kPatience = 1u << 20;
inline constexpr std::uint32_t kSpinCost = kPatience / 256;

// The iterations of a polling loop before the warp's turn ends, under seeds that start blocks in
// any order: the block that it waits for may be among the last. Seed 1 keeps its schedule, which
// starts blocks in order.
inline constexpr std::uint32_t kSpinTurns = 32;

// The local memory that CUDA allows for one thread.
inline constexpr std::size_t kMaxLocalBytes = std::size_t{512} * 1024;

class Block;
class LineProfile;

struct AlignedFree {
  void operator()(std::uint32_t* rows) const { ::operator delete[](rows, std::align_val_t{64}); }
};
using Rows = std::unique_ptr<std::uint32_t[], AlignedFree>;

// Registers, parameters and local memory of one activation of a function.
struct Frame {
  const Function* function = nullptr;
  Rows rows;
  std::vector<std::uint32_t> predicates;
  std::vector<std::byte> params;  // 32 areas of function->param_bytes
  std::uint32_t parent = 0;
  std::uint32_t return_pc = 0;
  const CallSite* call = nullptr;
  std::uint32_t depth = 0;
  std::size_t local_base = 0;
  std::uint32_t users = 0;  // groups and child frames in it
};

enum class Wait : std::uint8_t {
  kNone,     // runnable
  kSync,     // a .sync operation that waits for the members of its mask
  kBarrier,  // a barrier of the block
  // Waits that execute their instruction again when woken:
  kMbarrier,   // a phase of an mbarrier
  kCluster,    // the barrier of the cluster
  kRegisters,  // setmaxnreg.inc
  kWarpgroup,  // wgmma that other warps of the warpgroup still have to issue
};

struct Group {
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  std::uint32_t frame = 0;
  Wait wait = Wait::kNone;
  std::uint32_t members = 0;  // kSync
  // kBarrier: its number; kMbarrier: its shared address; kWarpgroup: number of wgmma
  std::uint32_t barrier = 0;
  bool arrived = false;  // kBarrier: already counted in the block
};

// Counters by InstClass, and those of memory. Instructions and lanes of a class are adjacent,
// because the loop adds to both.
struct WarpCounters {
  std::array<InstructionTally, static_cast<std::size_t>(InstClass::kCount)> classes{};
  Counters memory;  // only the members that memory operations and barriers count

  void count(InstClass klass, std::uint32_t mask) {
    InstructionTally& tally = classes[static_cast<std::size_t>(klass)];
    ++tally.instructions;
    // std::popcount is a function call if the compiler may not use the popcnt instruction.
    tally.lanes += mask == kAllLanes ? kWarpSize : static_cast<std::uint32_t>(std::popcount(mask));
  }
  // Undoes count() for these lanes, and for the instruction if they were all of its lanes.
  void discount(InstClass klass, std::uint32_t mask, bool all) {
    InstructionTally& tally = classes[static_cast<std::size_t>(klass)];
    if (all) --tally.instructions;
    tally.lanes -= static_cast<std::uint32_t>(std::popcount(mask));
  }
};

// Thrown by handlers and caught where the block runs; pc and lanes are filled in there.
struct KernelFault {
  FindingKind kind{};
  std::string message;  // "{place}" stands for block, thread and source line
  std::uint32_t lane = 0;
};

class Warp {
 public:
  enum class State { kRunnable, kBlocked, kExited };

  Warp(Block& block, const Program& program, std::uint32_t index);
  // Restarts at the entry with the given lanes; keeps the storage.
  void reset(const Function& entry, std::uint32_t lanes);
  // Executes up to `budget` instructions; returns how many were left.
  std::uint32_t run(std::uint32_t budget);
  // Makes run() also count by program counter; null turns this off.
  void count_into(LineProfile* profile) { profile_ = profile; }

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] std::uint32_t index() const { return index_; }
  [[nodiscard]] std::uint32_t live() const { return live_; }
  [[nodiscard]] std::uint32_t current_pc() const { return executing_pc_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] WarpCounters& counters() { return counters_; }

  // --- for handlers
  [[nodiscard]] std::uint32_t mask() const { return mask_; }
  [[nodiscard]] std::uint32_t active() const { return active_; }
  [[nodiscard]] std::uint32_t* row(std::uint32_t index) const {
    return rows_ + std::size_t{index} * kWarpSize;
  }
  [[nodiscard]] std::uint64_t* wide(std::uint32_t index) const {
    return reinterpret_cast<std::uint64_t*>(rows_ + std::size_t{index} * kWarpSize);
  }
  [[nodiscard]] std::uint32_t predicate(std::uint32_t index) const { return predicates_[index]; }
  void set_predicate(std::uint32_t index, std::uint32_t bits) {
    if (index != kNoRegister) predicates_[index] = (predicates_[index] & ~mask_) | (bits & mask_);
  }
  std::uint32_t& carry() { return carry_; }
  const Allocation*& last_allocation() {
    return last_allocation_;
  }  // target of the last global access
  RoundsOfWarp& load_rounds() { return load_rounds_; }
  [[nodiscard]] Block& block() const { return *block_; }
  [[nodiscard]] const Program& program() const { return *program_; }
  [[nodiscard]] const std::uint32_t* extra(const Inst& inst) const {
    return program_->extra.data() + inst.extra;
  }
  [[nodiscard]] Frame& frame() { return *frames_[frame_]; }
  [[nodiscard]] std::uint64_t instructions() const;
  // The lane's local memory, grown to `bytes` if needed.
  std::byte* local(std::uint32_t lane, std::size_t bytes);
  [[nodiscard]] std::size_t local_limit();

  void branch(std::uint32_t target);  // lanes of mask() jump
  void branch_indexed(const std::uint32_t* targets, std::uint32_t count,
                      const std::uint32_t* index);
  void call(const CallSite& site, std::uint32_t function);
  void ret();
  void exit_lanes();
  void note_shared_progress() { touched_shared_state_ = true; }  // the loop around it may be a spin
  void note_poll() { polled_ = true; }                           // the same, for a pure read
  // Returns true when every live member has arrived at this operation; otherwise the lanes of
  // mask() wait and execute it again, and the caller must call uncount(). `orders`: the operation
  // orders the memory accesses of its members.
  bool arrive_sync(std::uint32_t members, bool orders);
  // These lanes of mask() will execute the instruction again.
  void uncount(std::uint32_t lanes);
  void wait_at_barrier(std::uint32_t barrier);
  // The lanes of mask() wait and execute this instruction again when woken.
  void wait_for(Wait what, std::uint32_t barrier);
  // Ends the warp's turn, because it would only poll the same memory again.
  void yield() {
    yields_ = true;
    reschedule();
  }
  // The actor of the running wgmma, for checkers.
  [[nodiscard]] const Actor& async_actor() const { return async_actor_; }
  void set_async_actor(const Actor& actor) { async_actor_ = actor; }
  [[nodiscard]] WgmmaProgress& wgmma() { return wgmma_; }
  [[nodiscard]] const WgmmaProgress& wgmma() const { return wgmma_; }
  [[nodiscard]] int registers() const { return registers_; }
  void set_registers(int registers) { registers_ = registers; }
  // Lanes that have arrived at the cluster's barrier in its current phase, and lanes that have not
  // waited since they arrived.
  [[nodiscard]] std::uint32_t cluster_arrived() const { return cluster_arrived_; }
  [[nodiscard]] std::uint32_t cluster_owing() const { return cluster_owing_; }
  void arrive_at_cluster() {
    cluster_arrived_ |= mask_;
    cluster_owing_ |= mask_;
  }
  void leave_cluster_barrier() { cluster_owing_ &= ~mask_; }
  // The warp's last turn ended because it only polled.
  [[nodiscard]] bool spins() const { return spins_; }
  // The same, and the number of writes was `writes` at that time.
  [[nodiscard]] bool spun_at(std::uint64_t writes) const { return spins_ && writes_ == writes; }
  void note_writes(std::uint64_t writes) { writes_ = writes; }
  // --- for the block
  void clear_cluster_arrived() { cluster_arrived_ = 0; }
  void wake(Wait what, std::uint32_t barrier);
  [[nodiscard]] std::uint32_t lanes_at_barrier(std::uint32_t barrier) const;
  // The lanes at the barrier that wait at a different instruction than the current one.
  [[nodiscard]] std::uint32_t lanes_at_barrier_elsewhere(std::uint32_t barrier) const;
  void mark_arrived(std::uint32_t barrier);
  // Releases the lanes that wait at this barrier; writes the result of a reduction if the
  // instruction has one.
  void release_barrier(std::uint32_t barrier, std::uint32_t reduced);
  // Runs `body` with mask() restricted to `lanes`.
  template <class Body>
  void as_lanes(std::uint32_t lanes, Body&& body) {
    const std::uint32_t mask = mask_;
    mask_ = lanes;
    body();
    mask_ = mask;
  }
  // Runs `body` with the group's lanes and frame as the current ones.
  template <class Body>
  void as_group(const Group& group, Body&& body) {
    const std::uint32_t frame = frame_;
    const std::uint32_t mask = mask_;
    bind(group.frame);
    mask_ = group.mask;
    body(program_->code[group.pc]);
    mask_ = mask;
    bind(frame);
  }

 private:
  void bind(std::uint32_t frame) {
    frame_ = frame;
    rows_ = frames_[frame]->rows.get();
    predicates_ = frames_[frame]->predicates.data();
  }
  std::uint32_t make_frame(const Function& function);
  void drop_frame_user(std::uint32_t frame);
  void fill_constants(Frame& frame) const;
  void split(std::uint32_t lanes,
             std::uint32_t pc);  // lanes leave the current group and form one at pc
  void reschedule() { stop_ = 0; }
  template <bool kByLine, bool kChecked>
  std::uint32_t run_loop(std::uint32_t budget);
  void schedule();
  void merge_groups();
  void complete_sync();
  void release_sync(std::uint32_t members);
  [[nodiscard]] bool before(const Group& a, const Group& b) const;

  // Accessed by every instruction.
  std::uint32_t* rows_ = nullptr;
  std::uint32_t* predicates_ = nullptr;
  std::uint32_t mask_ = 0;
  std::uint32_t active_ = 0;
  std::uint32_t pc_ = 0;
  std::uint32_t stop_ = 0;
  std::uint32_t executing_pc_ = 0;
  std::uint32_t frame_ = 0;
  std::uint32_t carry_ = 0;
  WarpCounters counters_;

  Block* block_;
  const Program* program_;
  std::uint32_t index_;
  State state_ = State::kExited;
  std::uint32_t live_ = 0;
  std::vector<Group> groups_;
  std::size_t current_ = 0;
  bool touched_shared_state_ = false;
  bool yields_ = false;
  bool polled_ = false;  // since the last branch backwards
  bool spins_ = false;
  std::uint64_t writes_ = 0;  // number of all writes when its last turn ended
  std::uint32_t polls_ = 0;   // backward branches of polling loops in this turn
  int registers_ = 0;
  Actor async_actor_;
  WgmmaProgress wgmma_;
  std::uint32_t cluster_arrived_ = 0;
  std::uint32_t cluster_owing_ = 0;
  const Allocation* last_allocation_ = nullptr;
  RoundsOfWarp load_rounds_;
  std::uint32_t patience_ = 0;  // backward branches left before another group gets its turn
  bool favoured_ = false;       // the current group runs out of turn
  std::uint32_t rotation_ = 0;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::uint32_t> free_frames_;
  LineProfile* profile_ = nullptr;
  std::vector<std::byte> local_;
  std::size_t local_stride_ = 0;
};

}  // namespace warpwright::emu
