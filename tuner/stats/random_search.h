// Uniform random search without replacement in a space whose every time is known, exactly instead
// of by sampling. With N configurations, of which S ran in times t1 <= ... <= tS, and B draws,
//   P(the best drawn is the one of rank k) = C(N - k, B - 1) / C(N, B),
// the order statistics of a sample without replacement. A score is t1 / the best time found, 0
// where none of the draws ran.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright {

class RandomSearch {
 public:
  // Preconditions: `times` are those that ran, in any order, finite and > 0, one at least, and no
  // more than `configurations`.
  RandomSearch(std::vector<double> times, std::size_t configurations);

  // More draws than there are configurations draw all of them.
  [[nodiscard]] double expected_score(std::size_t draws) const;
  // The mean of expected_score(1) .. expected_score(budget). Precondition: budget > 0.
  [[nodiscard]] double expected_area(std::size_t budget) const;
  // That one of the draws takes at most (1 + `fraction`) times as long as the best.
  [[nodiscard]] double chance_within(double fraction, std::size_t draws) const;

 private:
  std::vector<double> scores_;  // best / time, descending
  std::size_t configurations_;
};

// Whether `slowdown`, a ratio of two doubles, is at most 1 + `fraction`: one that is exactly 5 %
// slower is within 5 %.
[[nodiscard]] bool within_of_best(double slowdown, double fraction);

}  // namespace warpwright
