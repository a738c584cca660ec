// The median of timing samples, and an interval for it that assumes nothing about their
// distribution except that the samples are independent.
// Units: those of the samples. Every sample must be finite; anything else is a broken invariant.
// Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd ed. (2003), section 7.1.
#pragma once

#include <cstddef>
#include <span>

namespace warpwright {

// The mean of the two middle values for an even number of samples; 0 for none.
[[nodiscard]] double median(std::span<const double> samples);
// The same without a copy: reorders `samples`.
[[nodiscard]] double median_in_place(std::span<double> samples);

// Ranks (from 1) of the order statistics x(low) <= median <= x(high) whose binomial coverage is the
// smallest that reaches `confidence`, taken symmetrically. `coverage` is exact for a continuous
// distribution. With at least 6 samples (at 95 %) it is never below `confidence`, and up to a few
// per cent above it because ranks are whole numbers: 95.9 % for 20 samples, 95.7 % for 30, 96.7 %
// for 50. If samples are equal because of the clock's resolution, the interval covers the median
// more often than that; but that is the median of the values that the clock shows, which is up to
// half a step off. Fewer than 6 samples cannot reach 95 %: the ranks are then 1 and n, and
// `coverage` is what they reach.
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
  // (high - low) / 2 divided by the median; 0 if the median is 0.
  [[nodiscard]] double relative_half_width() const;
};
// All fields are 0 without samples.
[[nodiscard]] MedianInterval median_interval(std::span<const double> samples,
                                             double confidence = 0.95);

}  // namespace warpwright
