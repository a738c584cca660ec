// Loads that a compiler may have moved up past the branch that guards them in the source
// (registers.h). Such a load counts as a read only by the lanes that use its value: it is compared
// with other accesses when the value first affects something, or when the lane next synchronises,
// and never if the value is thrown away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/check/registers.h"

namespace warpwright::emu {

class Accesses;
struct LaunchContext;

class TentativeReads {
 public:
  TentativeReads(const LaunchContext& context, Accesses& accesses);

  // Whether the instruction is such a load, and its value may be thrown away.
  [[nodiscard]] bool is_tentative(std::uint32_t pc) const { return !loads_.empty() && loads_[pc]; }
  void note(Warp& warp, std::uint32_t pc, std::uint32_t lanes, std::uint64_t address,
            std::size_t bytes);
  // Before the warp executes an instruction, as in Observer::step; for a warp that has such values.
  void step(Warp& warp, TentativeValues& values, std::uint32_t pc, std::uint32_t active);

 private:
  void settle(Warp& warp, TentativeRead& read, std::uint32_t lanes);

  const LaunchContext* context_;
  Accesses* accesses_;
  std::vector<bool> loads_;  // by pc; empty without any
};

}  // namespace warpwright::emu
