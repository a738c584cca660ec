// The interface by which the machine reports the events of a launch: accesses, synchronisation,
// asynchronous operations and suspicious instructions. Handlers call it if the block has an
// observer. An observer never changes what a kernel computes; it serves one launch on one host
// thread. Each event has one function; what follows from it is the observer's business. The
// checkers (check/checker.h) and the recorder of descriptions (observe/launch_observer.h) implement
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emu/emulator.h"
#include "emu/exec/address.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Block;
class Warp;
struct BlockChecks;  // an observer's state of one block, to which the block points
struct AsyncOperation;
struct Frame;
struct Mbarrier;

// The operands of a wgmma other than registers.
struct WgmmaStart {
  bool adds = false;    // to what its sums held before
  std::uint64_t a = 0;  // descriptor; 0 where A is in registers
  std::uint64_t b = 0;
};

// A fence orders ordinary accesses with each other, and in addition:
struct FenceKinds {
  bool async_proxy = false;     // ordinary accesses before operations of the asynchronous proxy
  bool mbarrier_inits = false;  // inits of mbarriers before copies that complete on them
  bool tensor_maps = false;     // the acquiring side, which every reader of a map needs
};

class Observer {
 public:
  virtual ~Observer() = default;

  // --- blocks
  virtual void start(Block& block) = 0;
  // All warps have exited.
  virtual void end_block(Block& block) = 0;
  // The number of atomic, volatile or ordered stores so far, which other threads may wait for.
  [[nodiscard]] std::uint64_t strong_writes() const { return strong_writes_; }
  // Records that an operation whose outcome may depend on the schedule was executed.
  virtual void schedule_matters() = 0;
  // A warp executes the place of an instruction that was left out.
  virtual void pass_left_out() = 0;

  // --- orders
  virtual void arrive_at_barrier(Warp& warp, std::uint32_t id) = 0;
  // The barrier is complete, and the warps of `waiting` leave it. Warps of `exited`, one bit each,
  // have exited before they arrived at it, and count as arrived.
  virtual void complete_barrier(Block& block, std::uint32_t id,
                                const std::vector<std::uint32_t>& waiting,
                                std::uint32_t exited) = 0;
  virtual void arrive_at_cluster(Warp& warp) = 0;
  // For every block of the cluster.
  virtual void complete_cluster(Block& block) = 0;
  virtual void sync_lanes(Warp& warp, std::uint32_t lanes) = 0;
  virtual void acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) = 0;
  // Every lane waits for its own part of a copy.
  virtual void acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes) = 0;
  // Adds to `to` everything that happened before the actor.
  virtual void publish(Knowledge& to, const Actor& actor, std::uint32_t lanes) = 0;
  virtual void fence(Warp& warp, const FenceKinds& kinds) = 0;

  // --- accesses
  // Handles an access of the lanes of `mask` to shared memory of `target` (addresses in its window)
  // or to global memory (`target` null).
  virtual void access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
                      std::size_t bytes, AccessKind kind) = 0;
  // The same for constant memory, which no launch writes.
  virtual void constant_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                               std::size_t bytes, AccessKind kind) = 0;
  // The same for the lanes' own local memory.
  virtual void local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                            std::size_t bytes, AccessKind kind) = 0;
  // A lane uses a generic address in local memory.
  virtual void local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) = 0;

  // --- asynchronous operations
  // A new operation of the asynchronous proxy, or of the lanes of a cp.async.
  [[nodiscard]] virtual Actor begin_async(Warp& warp) = 0;
  // Bytes that it will read or write at a generic address, tagged if it is shared memory of the
  // cluster. `proxy` is false for cp.async, which sees ordinary writes without a fence. `combines`
  // means a reduction: the data is combined with the memory word by word, as by an atomic.
  virtual void async_access(Warp& warp, std::uint32_t lane, const Actor& actor,
                            std::uint64_t address, std::size_t bytes, bool write, bool proxy,
                            bool combines = false) = 0;
  // A tensor copy reads the map at a generic address.
  virtual void use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) = 0;
  // The kernel ended without waiting for the operation.
  virtual void ended_unawaited(Block& block, const AsyncOperation& operation) = 0;

  // --- mbarriers
  virtual void init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier) = 0;
  virtual void use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                            std::uint32_t address) = 0;
  // A tensor copy of the lane will complete on it.
  virtual void complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                           std::uint32_t address) = 0;
  // A lane publishes its clocks in `arriving` of the barrier, which is in shared memory of `owner`.
  virtual void arrive_at_mbarrier(Warp& warp, std::uint32_t lane, Block& owner,
                                  Mbarrier& barrier) = 0;

  // --- wgmma
  // A wgmma of the warp starts; it reads shared memory as the actor that this returns.
  [[nodiscard]] virtual Actor begin_wgmma(Warp& warp, const WgmmaStart& start) = 0;
  virtual void fence_wgmma(Warp& warp) = 0;
  virtual void commit_wgmma(Warp& warp) = 0;
  // All but the last `unfinished` groups are over, and with them the first `products` wgmma of
  // every warp of the warpgroup.
  virtual void wait_wgmma(Warp& warp, std::uint32_t unfinished, std::uint32_t products) = 0;

  // --- instructions and registers
  // The warp's lanes enter a function: its registers and local variables hold nothing yet.
  virtual void enter_function(Warp& warp, const Frame& frame) = 0;
  // step() is called before the lanes of the warp's mask execute the instruction; `active` are the
  // lanes before its guard was applied. It can be skipped when watches_registers() and looks_at()
  // are false.
  [[nodiscard]] bool looks_at(std::uint32_t pc) const {
    return looked_at_[pc] != 0 || looks_always_;
  }
  // Whether registers of the warp hold something that step() has to follow.
  [[nodiscard]] virtual bool watches_registers(const Warp& warp) const = 0;
  virtual void step(Warp& warp, std::uint32_t pc, std::uint32_t active) = 0;
  // The lanes for which step() was called wait, and will execute the instruction again.
  virtual void executes_again(Warp& /*warp*/, std::uint32_t /*pc*/) {}
  // Lanes that waited have executed the instruction together with lanes elsewhere, without a
  // step().
  virtual void executed_with_others(Warp& /*warp*/, std::uint32_t /*pc*/) {}
  // The lanes of the warp's mask have executed a warp-wide operation whose mask names `members`. If
  // it is a shuffle, each got its value from the lane in `source`, which is empty otherwise; the
  // lanes of `absent` read from a lane that does not take part.
  virtual void exchanged(Warp& warp, std::uint32_t pc, std::uint32_t members,
                         std::span<const std::uint8_t> source, std::uint32_t absent) = 0;
  // Lanes execute a warp-wide operation together with different masks: the lanes `named` by
  // `members` have the mask `theirs`.
  virtual void masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members,
                            std::uint32_t named, std::uint32_t theirs) = 0;

  // --- findings
  // A handler has found something by itself about the instruction that it executes.
  virtual void report(FindingKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
                      const std::string& message, const std::string& advice) = 0;

 protected:
  std::vector<std::uint8_t> looked_at_;  // by pc: whether step() has work to do
  bool looks_always_ = false;            // at every instruction, until step() has run
  std::uint64_t strong_writes_ = 0;
};

}  // namespace warpwright::emu
