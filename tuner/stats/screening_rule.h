// Decides how long to measure a configuration during a sweep: hopeless ones stop early and get only
// a bound ("at least"), never a time; those that may be the best get more samples. The caller
// launches, sums and stores. The rule is stateless, so that a resumed sweep decides the same. Times
// are microseconds, finite and > 0; spent_us >= 0. Anything else is a broken invariant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warpwright {

struct ScreeningLimits {
  double launch_ratio = 1.25;  // above this times the best, nothing follows a validation's launches
  double held_back_ratio = 1.5;  // the same if the device throttled its clock meanwhile
  double glance_ratio = 1.5;     // above this times the best, nothing follows the first two samples
  double prune_ratio = 1.25;     // above this times the best, nothing follows the first samples
  double top_ratio = 1.05;       // the top set: up to this times the best
  std::size_t glance_samples = 2;
  std::size_t first_samples = 6;   // however long they take: fewer cannot bound a median at 95 %
  std::size_t usual_samples = 20;  // taken unless usual_us runs out first
  double usual_us = 10000;
  std::size_t most_samples = 50;  // for the top set
  std::size_t batch_samples = 4;  // between two looks
  double confidence = 0.95;       // of the median's interval
  // Half the width of that interval, as a fraction of the median. It need not be narrower, because
  // configurations close to the best are ranked again. In simulations such intervals still contain
  // the true median in 94 to 97 of 100 cases, for noise of 0.2 to 2 %, and their medians are off by
  // 0.09 to 0.36 % (rms).
  double half_width = 0.005;
};

enum class ScreeningDecision {
  kContinue,  // take `more` samples, then ask again
  kPruned,    // stop; the configuration is slower than the best and has no time
  kEnough,    // stop; the samples are its measurement
};

struct ScreeningStep {
  ScreeningDecision decision = ScreeningDecision::kEnough;
  std::size_t more = 0;    // > 0 with kContinue only
  double at_least_us = 0;  // > 0 with kPruned only: the shortest run seen
};

// Applies after the correctness launches, each of which was timed roughly; there may be none.
// Prunes iff the shortest exceeds launch_ratio times the best, or held_back_ratio times if that
// applies. These launches are not samples: `at_least_us` is then an observation, not a bound that
// holds for later runs. `best_us` is the median of the best configuration so far; without one
// nothing is pruned.
[[nodiscard]] ScreeningStep after_correctness(std::span<const double> launch_us,
                                              std::optional<double> best_us, bool held_back = false,
                                              const ScreeningLimits& limits = {});

// Applies after any number of samples, including 0. In this order:
//  1. fewer than glance_samples: continue up to them;
//  2. the shortest sample is over glance_ratio times the best, or, from first_samples on, over
//     prune_ratio times: pruned, at least that sample;
//  3. fewer than first_samples: continue up to them;
//  4. half the median's order-statistic interval is within half_width: enough;
//  5. fewer than usual_samples, and spent_us below usual_us: continue by batch_samples, or by the
//     number that fits into usual_us at the mean cost so far, but at least one;
//  6. fewer than most_samples, and the low end of the interval is at most top_ratio times the best:
//     continue by batch_samples. Without a best so far this configuration is the top set;
//  7. enough.
// `spent_us` is the total time of the samples by the caller's clock.
[[nodiscard]] ScreeningStep next_step(std::span<const double> samples_us, double spent_us,
                                      std::optional<double> best_us,
                                      const ScreeningLimits& limits = {});

}  // namespace warpwright
