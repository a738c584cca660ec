// Estimates how likely it is that a better configuration is left. The model's own expectation is
// not used directly: the model is uncertain in unexplored regions, and the errors of its
// predictions are correlated. The chance is instead fitted to replays of recorded spaces: it falls
// with the number of answers, with the number of answers since the last improvement, and as the
// neighbours of the best look less promising. Internal to search.
#pragma once

#include <cstdint>
#include <vector>

namespace warpwright {

struct Remainder {
  struct One {
    double stands_for = 1;  // the number of untried configurations that it represents
    bool near = false;      // a neighbour of one of the best
    double mean = 0, spread = 0;
    double failing = 0;
  };
  std::vector<One> sample;
  double best = 0;  // the best response among the answers
  std::uint64_t answers = 0;
  std::uint64_t since_better = 0;  // answers since the last improvement
  std::uint64_t count = 0;         // configurations in the space
};

// The chance that an untried configuration has a response lower than the best by at least `gain`.
[[nodiscard]] double chance_of(const Remainder& rest, double gain);
// The median of the best response among the untried configurations.
[[nodiscard]] double likely_least(const Remainder& rest);

}  // namespace warpwright
