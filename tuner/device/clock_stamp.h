// The clock that a GPU's multiprocessors (SMs) really had while something ran, from stamps taken
// before and after it: what the driver says when asked is of that moment, and of a clock that falls
// for milliseconds it says nothing.
#pragma once

#include <cstdint>
#include <span>

namespace warpwright {

// Of one SM; zeros where no stamp was ever taken on it.
struct ClockStamp {
  std::uint64_t ns = 0;      // of a clock that all SMs share
  std::uint64_t cycles = 0;  // of the SM
};

// MHz: the median over SMs of cycles over time between the stamps of one index. Blocks that take
// stamps run where they may, so that an SM may hold an older stamp than others: such SMs do not
// count. 0 when none is left.
[[nodiscard]] double clock_between(std::span<const ClockStamp> before,
                                   std::span<const ClockStamp> after);

}  // namespace warpwright
