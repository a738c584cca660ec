// Uniform random search without replacement in a space in which every time is known, computed
// exactly instead of by sampling. With N configurations, of which S ran in times t1 <= ... <= tS,
// and B draws,
//   P(the best drawn is the one of rank k) = C(N - k, B - 1) / C(N, B),
// the order statistics of a sample without replacement. A score is t1 / the best time found, or 0
// if none of the draws ran.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright {

class RandomSearch {
 public:
  // Preconditions: `times` are those of the configurations that ran, in any order, finite and > 0,
  // at least one and at most `configurations`.
  RandomSearch(std::vector<double> times, std::size_t configurations);

  // If there are more draws than configurations, all of them are drawn.
  [[nodiscard]] double expected_score(std::size_t draws) const;
  // The mean of expected_score(1) .. expected_score(budget). Precondition: budget > 0.
  [[nodiscard]] double expected_area(std::size_t budget) const;
  // The chance that one of the draws takes at most (1 + `fraction`) times as long as the best.
  [[nodiscard]] double chance_within(double fraction, std::size_t draws) const;

 private:
  std::vector<double> scores_;  // best / time, descending
  std::size_t configurations_;
};

// Returns true if `slowdown`, a ratio of two doubles, is at most 1 + `fraction`; a configuration
// that is exactly 5 % slower is within 5 %.
[[nodiscard]] bool within_of_best(double slowdown, double fraction);

}  // namespace warpwright
