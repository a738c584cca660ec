// Simulated times with fixed seeds: the same cases in every run and on every platform.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "stats/split_mix.h"

namespace warpwright {

// A normal deviate with mean 0 and standard deviation 1 (Box and Muller).
inline double normal(SplitMix64& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

// Normal noise, but one in twenty is ten times as far to the right: an interrupt or a noisy
// neighbour.
inline double normal_with_outliers(SplitMix64& random) {
  const double value = normal(random);
  return random.uniform() < 0.05 ? 10 * std::fabs(value) : value;
}

// Simulates rounds of configurations with the given true times. Each round has common noise (3 %,
// which a ranking must cancel), and each time has noise of its own; noise is a fraction.
template <typename Noise>
std::vector<std::vector<double>> simulated_rounds(SplitMix64& random, std::size_t rounds,
                                                  const std::vector<double>& true_us, double noise,
                                                  Noise draw) {
  std::vector<std::vector<double>> times(rounds);
  for (std::vector<double>& round : times) {
    const double common = 0.03 * normal(random);
    for (const double us : true_us) round.push_back(us * std::exp(common + noise * draw(random)));
  }
  return times;
}

}  // namespace warpwright
