// How long to measure a configuration during a sweep: hopeless ones stop early and never get a
// time, only a bound ("at least"); those that may be the best get more samples. It only
// decides: the caller launches, sums and stores. Stateless, so that a resumed sweep decides the
// same. Times are microseconds, finite and > 0; spent_us >= 0. Anything else is a broken invariant.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace warpwright {

struct ScreeningLimits {
  double launch_ratio = 1.25;  // above this times the best, nothing follows a validation's launches
  double held_back_ratio = 1.5;  // the same where the device held its clock back meanwhile
  double glance_ratio = 1.5;     // above this times the best, nothing follows the first two samples
  double prune_ratio = 1.25;     // above this times the best, nothing follows the first samples
  double top_ratio = 1.05;       // the top set: up to this times the best
  std::size_t glance_samples = 2;
  std::size_t first_samples = 6;   // however long they take: the fewest that bound a median at 95 %
  std::size_t usual_samples = 20;  // taken unless usual_us runs out before
  double usual_us = 10000;
  std::size_t most_samples = 50;  // for the top set
  std::size_t batch_samples = 4;  // between two looks
  double confidence = 0.95;       // of the median's interval
  // Half that interval, as a fraction of the median: nothing narrower is needed, for what comes
  // close to the best is ranked anew. By simulation such intervals still hold the true median in 94
  // to 97 of 100 cases, for noise of 0.2 to 2 %, and their medians are off by 0.09 to 0.36 % (rms).
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

// After the correctness launches, each timed on its own and roughly; there may be none. Pruned iff
// the shortest is over launch_ratio times the best, or over held_back_ratio times where that
// applies. These are no samples: here `at_least_us` is what was seen, not a bound that holds for
// later runs. `best_us` is the median of the best configuration so far; without one nothing is
// pruned.
[[nodiscard]] ScreeningStep after_correctness(std::span<const double> launch_us,
                                              std::optional<double> best_us, bool held_back = false,
                                              const ScreeningLimits& limits = {});

// After any number of samples, 0 among them. In this order:
//  1. fewer than glance_samples: continue up to them;
//  2. the shortest sample is over glance_ratio times the best, or, from first_samples on, over
//     prune_ratio times: pruned, at least that sample;
//  3. fewer than first_samples: continue up to them;
//  4. half the median's order-statistic interval is within half_width: enough;
//  5. fewer than usual_samples, and spent_us below usual_us: continue by batch_samples, or as many
//     as the mean cost so far lets fit into usual_us, but at least one;
//  6. fewer than most_samples, and the low end of the interval is at most top_ratio times the best:
//     continue by batch_samples. Without a best so far this configuration is the top set;
//  7. enough.
// `spent_us` is what the samples took together, by the caller's clock.
[[nodiscard]] ScreeningStep next_step(std::span<const double> samples_us, double spent_us,
                                      std::optional<double> best_us,
                                      const ScreeningLimits& limits = {});

}  // namespace warpwright
