// Values in registers that were never computed, or that were read from memory that was never
// written or from a lane that takes no part in a shuffle. Lanes beyond the edge of a tile may
// compute anything, so such a value is followed from register to register, and reported when it
// affects something: a branch, an address, a stored value or another lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "emu/check/registers.h"

namespace warpwright::emu {

class Block;
class Findings;
struct LaunchContext;

class UnsetValues {
 public:
  UnsetValues(const LaunchContext& context, Findings& findings)
      : context_(&context), findings_(&findings) {}
  // Needs the registers of the block's warps to be reset.
  void start(Block& block);
  // The function's registers hold nothing yet in the lanes of the warp's mask.
  void enter_function(Warp& warp, const Function& function);

  // All registers that the instruction of the read defines hold its value.
  void track(Warp& warp, const UnwrittenRead& read);
  // This register does.
  void track(Warp& warp, std::uint32_t reg, const UnwrittenRead& read);
  // Lanes in which a store to local memory of `values` values stores only values that were read
  // from local memory that was never written. A copy of such values has no effect yet.
  [[nodiscard]] std::uint32_t lanes_of_copies(const Warp& warp, std::uint32_t pc,
                                              std::size_t values) const;
  // A shuffle, as in Observer::exchanged.
  void shuffled(Warp& warp, std::uint32_t pc, std::span<const std::uint8_t> source,
                std::uint32_t absent);

  // Before the warp executes an instruction, as in Observer::step; for a warp that has such values.
  void step_undefined(Warp& warp, ValueChecks& checks, std::uint32_t pc, std::uint32_t active);
  void step_unwritten(Warp& warp, ValueChecks& checks, std::uint32_t pc, std::uint32_t active);

 private:
  void report(Warp& warp, const UnwrittenRead& read, std::uint32_t lanes, std::uint32_t use);

  const LaunchContext* context_;
  Findings* findings_;
};

}  // namespace warpwright::emu
