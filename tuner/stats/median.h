// The median of timing samples, and an interval for it that assumes nothing about their
// distribution except that the samples are independent.
// Units: those of the samples. Every sample must be finite; anything else is a broken invariant.
// Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd ed. (2003), section 7.1.
#pragma once

#include <cstddef>
#include <span>

namespace warpwright {

// The mean of the two middle values when their number is even; 0 for none.
[[nodiscard]] double median(std::span<const double> samples);
// The same without a copy: reorders `samples`.
[[nodiscard]] double median_in_place(std::span<double> samples);

// Ranks (from 1) of the order statistics x(low) <= median <= x(high) whose binomial coverage is the
// smallest that reaches `confidence`, taken symmetrically. `coverage` is exact for a continuous
// distribution, never below `confidence` from 6 samples on (at 95 %), and up to a few per cent
// above it because ranks are whole numbers: 95.9 % for 20 samples, 95.7 % for 30, 96.7 % for 50.
// Where a clock's steps make samples equal the interval covers the median more often than that; but
// it is the median of what the clock shows, up to half a step from the truth.
// Fewer than 6 samples cannot reach 95 %: then the ranks are 1 and n, and `coverage` says what they
// do reach.
struct MedianRanks {
  std::size_t low = 0;
  std::size_t high = 0;
  double coverage = 0;
};
[[nodiscard]] MedianRanks median_ranks(std::size_t samples, double confidence = 0.95);

struct MedianInterval {
  double median = 0;
  double low = 0;
  double high = 0;
  // (high - low) / 2 over the median; 0 when the median is 0.
  [[nodiscard]] double relative_half_width() const;
};
// All zero for no samples.
[[nodiscard]] MedianInterval median_interval(std::span<const double> samples,
                                             double confidence = 0.95);

}  // namespace warpwright
