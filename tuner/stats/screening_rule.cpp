#include "stats/screening_rule.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "stats/median.h"

namespace warpwright {
namespace {

void check_times(std::span<const double> times_us, std::optional<double> best_us) {
  for (const double time_us : times_us) {
    WARPWRIGHT_CHECK(std::isfinite(time_us) && time_us > 0, "a time must be finite and above 0");
  }
  WARPWRIGHT_CHECK(!best_us || (std::isfinite(*best_us) && *best_us > 0),
                   "the best time must be finite and above 0");
}

ScreeningStep take(std::size_t more) { return {ScreeningDecision::kContinue, more, 0}; }

// Returns true if even the shortest run exceeds `ratio` times the best.
std::optional<ScreeningStep> prune_over(double ratio, std::span<const double> times_us,
                                        std::optional<double> best_us) {
  if (!best_us || times_us.empty()) return std::nullopt;
  const double shortest = *std::min_element(times_us.begin(), times_us.end());
  if (shortest <= ratio * *best_us) return std::nullopt;
  return ScreeningStep{ScreeningDecision::kPruned, 0, shortest};
}

// The number of samples of the mean cost so far that still fit into the usual time: between 1 and
// `most`.
std::size_t samples_that_fit(std::size_t have, double spent_us, double usual_us, std::size_t most) {
  const double fit = std::floor((usual_us - spent_us) * static_cast<double>(have) / spent_us);
  if (!(fit < static_cast<double>(most))) return most;  // spent_us may be 0
  return std::max<std::size_t>(1, static_cast<std::size_t>(fit));
}

}  // namespace

ScreeningStep after_correctness(std::span<const double> launch_us, std::optional<double> best_us,
                                bool held_back, const ScreeningLimits& limits) {
  check_times(launch_us, best_us);
  const double ratio = held_back ? limits.held_back_ratio : limits.launch_ratio;
  if (const auto pruned = prune_over(ratio, launch_us, best_us)) return *pruned;
  return take(limits.first_samples);
}

ScreeningStep next_step(std::span<const double> samples_us, double spent_us,
                        std::optional<double> best_us, const ScreeningLimits& limits) {
  check_times(samples_us, best_us);
  WARPWRIGHT_CHECK(spent_us >= 0, "samples cannot take less than no time");
  WARPWRIGHT_CHECK(limits.glance_samples > 0 && limits.batch_samples > 0,
                   "a step that continues must take a sample");
  const std::size_t have = samples_us.size();
  if (have < limits.glance_samples) return take(limits.glance_samples - have);
  const bool early = have < limits.first_samples;
  const double ratio = early ? limits.glance_ratio : limits.prune_ratio;
  if (const auto pruned = prune_over(ratio, samples_us, best_us)) return *pruned;
  if (early) return take(limits.first_samples - have);
  const MedianInterval interval = median_interval(samples_us, limits.confidence);
  if (interval.relative_half_width() <= limits.half_width) return {};
  if (have < limits.usual_samples && spent_us < limits.usual_us) {
    const std::size_t most = std::min(limits.batch_samples, limits.usual_samples - have);
    return take(samples_that_fit(have, spent_us, limits.usual_us, most));
  }
  if (have < limits.most_samples && (!best_us || interval.low <= limits.top_ratio * *best_us)) {
    return take(std::min(limits.batch_samples, limits.most_samples - have));
  }
  return {};
}

}  // namespace warpwright
