// Takes accesses of shared and global memory apart, into lanes with the same address and the same
// clocks and then into words, and passes these on to the parts that check them. Keeps the shadow
// memory that records the accesses of each word.
//
// Most accesses are plain, and their lanes have equal clocks: touch_groups() handles these over
// adjacent words, and leaves the other cases to touch_together().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emu/check/happened.h"
#include "emu/check/lookups.h"
#include "emu/check/registers.h"
#include "emu/check/shadow.h"
#include "emu/exec/address.h"

namespace warpwright::emu {

class Block;
class Bounds;
class Initialisation;
class Lifetimes;
class MbarrierUse;
class Orders;
class Races;
struct LaunchContext;

// An access of several lanes in one instruction. A load that a compiler may have moved up is
// checked twice: for its address and its value at once, and for conflicts when it counts.
struct LanesAccess {
  enum Phase : std::uint8_t { kCounts, kIsTentative, kSettles };
  std::uint32_t pc = 0;
  std::size_t bytes = 0;
  AccessKind kind{};
  Phase phase = kCounts;
};

class Accesses {
 public:
  // The parts that check the accesses.
  struct Parts {
    Orders& orders;
    Bounds& bounds;
    MbarrierUse& mbarriers;
    Lifetimes& lifetimes;
    Initialisation& initialisation;
    Races& races;
  };
  Accesses(const LaunchContext& context, bool trust_cas_reads, const Parts& parts);
  void start(Block& block);

  // --- events, as in Observer
  void access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
              const LanesAccess& what);
  void async_access(Warp& warp, std::uint32_t lane, const Actor& actor, std::uint64_t address,
                    std::size_t bytes, bool write, bool proxy, bool combines);
  void use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address);

  // The number of atomic, volatile or ordered stores so far.
  [[nodiscard]] std::uint64_t strong_writes() const { return strong_writes_; }
  // Whether the launch has written to any of these words of global memory.
  [[nodiscard]] bool has_written(std::uint64_t begin, std::uint64_t end) {
    return global_.any_written(begin, end);
  }

 private:
  void touch_groups(Warp& warp, Block* target, std::uint32_t mask, const LaneGroups& groups,
                    const LaneAddresses& addresses, const LanesAccess& what, AccessRecord& now,
                    std::optional<UnwrittenRead>& unwritten);
  void touch_together(Warp& warp, Block* target, std::uint64_t address, const LanesAccess& what,
                      AccessRecord& now, const AccessIssuer& issuer,
                      std::optional<UnwrittenRead>& unwritten, std::size_t done = 0);
  // Returns a record of the warp with `lanes` and `bytes` not set.
  [[nodiscard]] AccessRecord record_of(Warp& warp, const Block* target, std::uint32_t pc,
                                       AccessKind kind, std::uint8_t order);
  [[nodiscard]] std::uint32_t alike(Warp& warp, std::uint32_t lanes,
                                    const LaneAddresses& addresses) const;
  // The groups that alike() would form, in order, if all of `lanes` agree; null otherwise.
  [[nodiscard]] const LaneGroups* groups_of(const Warp& warp, std::uint32_t pc, std::uint32_t lanes,
                                            const LaneAddresses& addresses);

  Parts to_;
  Shadow global_;
  CoverMemo memo_;
  std::vector<std::unique_ptr<LaneGroups>> groups_;  // by pc; null: none yet
  std::vector<bool> cas_reads_;                      // by pc: the trusted reads; empty without any
  std::uint64_t strong_writes_ = 0;
};

}  // namespace warpwright::emu
