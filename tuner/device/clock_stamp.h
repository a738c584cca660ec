// The actual clock of a GPU's multiprocessors (SMs) while something ran, computed from stamps taken
// before and after it. The driver only reports the clock at the moment of the query, which misses a
// clock that falls for milliseconds.
#pragma once

#include <cstdint>
#include <span>

namespace warpwright {

// The stamp of one SM; zeros if no stamp was ever taken on it.
struct ClockStamp {
  std::uint64_t ns = 0;      // from a clock that all SMs share
  std::uint64_t cycles = 0;  // of the SM
};

// MHz: the median over SMs of cycles over time between the stamps of one index. Blocks that take
// stamps run on arbitrary SMs, so an SM may hold an older stamp than others: such SMs do not count.
// 0 when none is left.
[[nodiscard]] double clock_between(std::span<const ClockStamp> before,
                                   std::span<const ClockStamp> after);

}  // namespace warpwright
