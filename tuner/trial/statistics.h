// Order statistics of timing samples: the median, and an interval for it that assumes nothing about
// the distribution.
#pragma once

#include <cstddef>
#include <span>

namespace warpwright {

// The mean of the two middle values when their number is even; 0 for none.
[[nodiscard]] double median(std::span<const double> samples);

// Ranks (from 1) of the order statistics x(low) <= median <= x(high) whose binomial coverage is the
// smallest that reaches `confidence`, taken symmetrically. Fewer than 6 samples cannot reach 95 %:
// then 1 and n.
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
[[nodiscard]] MedianInterval median_interval(std::span<const double> samples,
                                             double confidence = 0.95);

}  // namespace warpwright
