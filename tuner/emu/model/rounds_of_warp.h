// In which round of loads a warp is (load_rounds.h).
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpwright::emu {

// The round of a load, as Inst::src[3] has it: rounds of one stretch of code follow each other.
struct LoadRound {
  static constexpr std::uint32_t kNone = 0;  // no global memory
  static constexpr unsigned kRoundBits = 12;

  // Both from 1 on; what is beyond the numbers that there are shares the last.
  static std::uint32_t of(std::uint32_t stretch, std::uint32_t round) {
    constexpr std::uint32_t most_rounds = (1u << kRoundBits) - 1;
    constexpr std::uint32_t most_stretches = (1u << (32 - kRoundBits)) - 1;
    return std::min(stretch, most_stretches) << kRoundBits | std::min(round, most_rounds);
  }
};

// Which round a warp is in.
class RoundsOfWarp {
 public:
  // Whether its load at `pc` begins another. A stretch has no loops in it, so a load that does not
  // come after the last one is of its next turn.
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
