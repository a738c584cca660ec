#include "stats/median.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "stats/hypothesis_tests.h"

namespace warpwright {
namespace {

std::vector<double> finite_copy(std::span<const double> samples) {
  for (const double sample : samples) {
    WARPWRIGHT_CHECK(std::isfinite(sample), "a median needs finite samples");
  }
  return {samples.begin(), samples.end()};
}

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

}  // namespace

double median(std::span<const double> samples) {
  std::vector<double> copy = finite_copy(samples);
  return median_in_place(copy);
}

double median_in_place(std::span<double> samples) {
  if (samples.empty()) return 0;
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 == 1) return *middle;
  return 0.5 * (*std::max_element(samples.begin(), middle) + *middle);
}

MedianRanks median_ranks(std::size_t samples, double confidence) {
  if (samples == 0) return {};
  const auto n = static_cast<double>(samples);
  // [x(l), x(n+1-l)] covers the median with probability 1 - 2 P(B <= l - 1), B ~ B(n, 1/2).
  double log_probability = log_fair_binomial(samples, 0);
  double below = std::exp(log_probability);
  MedianRanks ranks{1, samples, 1 - 2 * below};
  while (2 * (ranks.low + 1) <= samples + 1) {
    const auto k = static_cast<double>(ranks.low);
    log_probability += std::log((n - k + 1) / k);
    below += std::exp(log_probability);
    if (1 - 2 * below < confidence) break;
    ++ranks.low;
    --ranks.high;
    ranks.coverage = 1 - 2 * below;
  }
  return ranks;
}

double MedianInterval::relative_half_width() const {
  return median == 0 ? 0 : (high - low) / 2 / std::fabs(median);
}

MedianInterval median_interval(std::span<const double> samples, double confidence) {
  if (samples.empty()) return {};
  std::vector<double> sorted = finite_copy(samples);
  std::sort(sorted.begin(), sorted.end());
  const MedianRanks ranks = median_ranks(sorted.size(), confidence);
  return {median_of_sorted(sorted), sorted[ranks.low - 1], sorted[ranks.high - 1]};
}

}  // namespace warpwright
