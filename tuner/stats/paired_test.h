// The exact sign test of whether paired differences have a median other than 0. It assumes only
// independent pairs, neither a shape nor equal spread, so outliers cannot mislead it. It is exact
// rather than resampled because corrections for many tests need p-values far below the resolution
// of a few thousand replicates. Differences must be finite.
// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd ed. (1999), section 3.4.
#pragma once

#include <cstddef>
#include <span>

namespace warpwright {

struct SignTest {
  std::size_t positive = 0;
  std::size_t negative = 0;
  std::size_t zero = 0;
  // Two-sided, in (0, 1]; 1 for no pairs. Below 1e-308 it becomes 0.
  double p = 1;
};

// Zeros (equal times on a coarse clock) count half to each side, with an odd one on the rarer side,
// and the test covers all pairs. This is never more significant than dropping them, as Conover
// does, so ties cannot decide anything.
[[nodiscard]] SignTest sign_test(std::span<const double> differences);
[[nodiscard]] double sign_test_p(std::size_t positive, std::size_t negative, std::size_t zero);

}  // namespace warpwright
