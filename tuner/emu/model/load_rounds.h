// Estimates how often a warp has to wait for global memory. Loads of one loop iteration that do not
// need each other's results are in flight together and form one round. The compiler behind PTX
// moves loads ahead of code that does not need them, so their order in PTX does not matter; only
// barriers and calls stop it. Branches decide which loads of a round are executed: a warp enters a
// round with the first load that it executes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emu/program/program.h"
#include "emu/program/register_allocation.h"

namespace warpwright::emu {

// Assigns a round to every load. `loads` are the global loads of `code`, in order; `uses` are in
// instruction order and still name virtual registers.
void mark_load_rounds(std::vector<Inst>& code, const std::vector<RegisterUse>& uses,
                      const Successors& successors, const std::vector<std::uint32_t>& loads,
                      std::size_t registers);

// The round of a load, as stored in Inst::src[3]. The rounds of one stretch of code are numbered
// consecutively.
struct LoadRound {
  static constexpr std::uint32_t kNone = 0;  // no global memory
  static constexpr unsigned kRoundBits = 12;

  // Both start at 1; values beyond the range of the encoding share the last number.
  static std::uint32_t of(std::uint32_t stretch, std::uint32_t round) {
    constexpr std::uint32_t most_rounds = (1u << kRoundBits) - 1;
    constexpr std::uint32_t most_stretches = (1u << (32 - kRoundBits)) - 1;
    return std::min(stretch, most_stretches) << kRoundBits | std::min(round, most_rounds);
  }
};

// The current round of one warp.
class RoundsOfWarp {
 public:
  // Returns whether the load at `pc` begins another round. A stretch does not contain loops, so a
  // load that is not after the last one belongs to the next iteration.
  bool enter(std::uint32_t pc, std::uint32_t round) {
    const bool goes_on =
        pc > last_pc_ && round >> LoadRound::kRoundBits == latest_ >> LoadRound::kRoundBits;
    last_pc_ = pc;
    if (goes_on && round <= latest_) return false;
    latest_ = round;
    return true;
  }

 private:
  std::uint32_t last_pc_ = 0, latest_ = LoadRound::kNone;
};

}  // namespace warpwright::emu
