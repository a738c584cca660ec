#include "trial/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpwright {
namespace {

double median_of_sorted(std::span<const double> sorted) {
  if (sorted.empty()) return 0;
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

std::vector<double> sorted_copy(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double median(std::span<const double> samples) { return median_of_sorted(sorted_copy(samples)); }

MedianRanks median_ranks(std::size_t samples, double confidence) {
  if (samples == 0) return {};
  const auto n = static_cast<double>(samples);
  // P(B = k) for B ~ Binomial(n, 1/2), through logarithms so that n may be large.
  const auto probability = [&](std::size_t k) {
    const auto x = static_cast<double>(k);
    return std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) -
                    n * std::log(2.0));
  };
  // [x(l), x(n+1-l)] covers the median with probability 1 - 2 P(B <= l - 1).
  MedianRanks ranks{1, samples, 1 - 2 * probability(0)};
  double below = probability(0);
  while (2 * (ranks.low + 1) <= samples + 1) {
    below += probability(ranks.low);
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
  const std::vector<double> sorted = sorted_copy(samples);
  const MedianRanks ranks = median_ranks(sorted.size(), confidence);
  return {median_of_sorted(sorted), sorted[ranks.low - 1], sorted[ranks.high - 1]};
}

}  // namespace warpwright
