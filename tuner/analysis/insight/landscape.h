// Measures how hard a board's space is to search: how much of it is nearly as good as the best, how
// many local minima trap a search that changes one parameter at a time, and how well a random
// search would do. "Slowdown" is time / best time, 1 is the best. A pruned configuration counts
// with its bound; noisy ones do not count at all; failed ones cost a trial of the budget and give
// nothing. Related: R. Schoonhoven, B. van Werkhoven, K. J. Batenburg, Benchmarking Optimization
// Algorithms for Auto-Tuning GPU Kernels, IEEE Transactions on Evolutionary Computation (2022), who
// weigh minima by their PageRank in the graph of improving steps; here descents are counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/board/configuration_times.h"

namespace warpwright {

// "Good" means within this of the best if a single threshold is needed.
inline constexpr double kGoodWithin = 0.05;

struct NearBest {
  double within = 0;               // 0.05: up to 5 % slower than the best
  std::size_t configurations = 0;  // certainly
  std::size_t at_most = 0;         // including those whose bound does not rule it out
};

struct SlowdownQuantile {
  double fraction = 0;  // 0.5: half of the configurations are this fast or faster
  KnownTime slowdown;   // its `us` is time / best
};

// [low, high) of the slowdown, the last bin with its end; equally wide in logarithms.
struct SlowdownBin {
  double low = 1, high = 1;
  std::size_t timed = 0;
  std::size_t pruned = 0;  // placed by bound: the true slowdown is here or higher
};

// Neighbours are configurations of the same variant that differ in the value of one parameter. A
// local minimum has neighbours and none of them is faster.
struct LocalMinima {
  std::size_t minima = 0;
  std::size_t good = 0;         // within kGoodWithin of the best
  std::size_t isolated = 0;     // configurations without a neighbour, not counted as minima
  double mean_neighbours = 0;   // per configuration; few suggest that the space was only sampled
  double descents_to_good = 0;  // share of configurations from which steepest descent ends good
};

// The expected result of `trials` distinct random configurations, failed ones included: exact, from
// the order statistics of a sample without replacement.
struct BudgetPoint {
  std::size_t trials = 0;
  double expected_slowdown = 1;  // of the best so far, given that any ran
  double good_chance = 0;        // that the best so far is within kGoodWithin
  double nothing_chance = 0;     // that all of them failed
};

struct Landscape {
  bool modelled = false;
  bool imported = false;
  std::size_t configurations = 0;  // with a time or a bound
  std::size_t pruned = 0;          // of those
  std::size_t failed = 0, noisy = 0;
  double best_us = 0;
  std::vector<NearBest> near_best;          // 1, 5, 10, 25, 50 %
  std::vector<SlowdownQuantile> quantiles;  // 10, 25, 50, 75, 90, 100 %
  std::vector<SlowdownBin> bins;            // at most 20, without gaps; one when all are equal
  LocalMinima minima;
  std::vector<BudgetPoint> budget;  // 1, 2, 5, 10, 20, 50, ... and all
  // The fewest random trials that find a good configuration with a chance of 95 %.
  std::size_t trials_for_good = 0;
};

// Returns nullopt for a board without entries. The same board gives the same numbers on every
// machine.
[[nodiscard]] std::optional<Landscape> make_landscape(const Leaderboard& board);

}  // namespace warpwright
