#include "analysis/insight/landscape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/valued_rows.h"

namespace warpwright {
namespace {

using testing::ValuedRows;

Landscape landscape_of(const ValuedRows& made) { return make_landscape(made.board()).value(); }

// A line of configurations with N from 1, in the order given.
ValuedRows line(const std::vector<double>& times) {
  ValuedRows made;
  int n = 0;
  for (const double us : times) made.ok("a", {{"N", ++n}}, us);
  return made;
}

TEST(Landscape, CountsWhatIsNearTheBest) {
  const Landscape landscape = landscape_of(line({100, 101, 105, 110, 125, 150, 151}));
  std::vector<std::size_t> counts;
  for (const NearBest& near : landscape.near_best) {
    counts.push_back(near.configurations);
    EXPECT_EQ(near.at_most, near.configurations);
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 3, 4, 5, 6}));
  EXPECT_EQ(landscape.best_us, 100);
}

TEST(Landscape, ABoundLeavesOpenWhetherItIsNear) {
  ValuedRows made = line({100, 102});
  made.pruned("a", {{"N", 8}}, 130);
  made.pruned("a", {{"N", 9}}, 160);
  const Landscape landscape = landscape_of(made);
  EXPECT_EQ(landscape.near_best[3].at_most, 2u);  // 25 %
  EXPECT_EQ(landscape.near_best[4].configurations, 2u);
  EXPECT_EQ(landscape.near_best[4].at_most, 3u);
  EXPECT_EQ(landscape.pruned, 2u);
  EXPECT_EQ(landscape.configurations, 4u);
}

TEST(Landscape, QuantilesBeyondABoundAreBounds) {
  ValuedRows made = line({100, 110, 120});
  made.pruned("a", {{"N", 9}}, 130);
  const Landscape landscape = landscape_of(made);
  ASSERT_EQ(landscape.quantiles.size(), 6u);
  EXPECT_EQ(landscape.quantiles[2].fraction, 0.5);
  EXPECT_DOUBLE_EQ(landscape.quantiles[2].slowdown.us, 1.1);
  EXPECT_FALSE(landscape.quantiles[2].slowdown.at_least);
  EXPECT_DOUBLE_EQ(landscape.quantiles[5].slowdown.us, 1.3);
  EXPECT_TRUE(landscape.quantiles[5].slowdown.at_least);
}

TEST(Landscape, BinsHoldEverythingOnce) {
  std::vector<double> times;
  for (int i = 0; i < 100; ++i) times.push_back(100 * std::pow(10, 0.01 * i));
  const Landscape landscape = landscape_of(line(times));
  std::size_t held = 0;
  double high = 1;
  for (const SlowdownBin& bin : landscape.bins) {
    EXPECT_DOUBLE_EQ(bin.low, high);
    high = bin.high;
    held += bin.timed + bin.pruned;
    EXPECT_GT(bin.timed, 8u);  // evenly spread in logarithms
  }
  EXPECT_EQ(held, 100u);
  EXPECT_NEAR(high, std::pow(10, 0.99), 1e-9);
}

TEST(Landscape, EqualTimesAreOneBin) {
  const Landscape landscape = landscape_of(line({5, 5, 5}));
  ASSERT_EQ(landscape.bins.size(), 1u);
  EXPECT_EQ(landscape.bins[0].timed, 3u);
  EXPECT_EQ(landscape.near_best[0].configurations, 3u);
  EXPECT_EQ(landscape.trials_for_good, 1u);
}

TEST(Landscape, OneConfiguration) {
  const Landscape landscape = landscape_of(line({5}));
  EXPECT_EQ(landscape.bins.size(), 1u);
  EXPECT_EQ(landscape.minima.isolated, 1u);
  EXPECT_EQ(landscape.minima.minima, 0u);
  EXPECT_EQ(landscape.budget.size(), 1u);
  EXPECT_EQ(landscape.budget[0].expected_slowdown, 1);
  EXPECT_EQ(landscape.budget[0].good_chance, 1);
}

TEST(Landscape, NothingTimedHasNone) {
  ValuedRows made;
  made.failed("a", {{"N", 1}}, Status::kCompileFailed, "error");
  made.pruned("a", {{"N", 2}}, 100);
  EXPECT_FALSE(make_landscape(made.board()).has_value());
}

TEST(Landscape, NoisyIsLeftOutAndFailedIsCounted) {
  ValuedRows made = line({5, 6});
  made.failed("a", {{"N", 8}}, Status::kNoisy, "the clocks moved");
  made.failed("a", {{"N", 9}}, Status::kInvalid, "too many threads");
  const Landscape landscape = landscape_of(made);
  EXPECT_EQ(landscape.noisy, 1u);
  EXPECT_EQ(landscape.failed, 1u);
  EXPECT_EQ(landscape.configurations, 2u);
}

// A 3 x 3 grid with minima at two opposite corners; the second is 20 % slower.
ValuedRows two_basins() {
  const double us[3][3] = {{100, 150, 190}, {150, 200, 160}, {190, 160, 120}};
  ValuedRows made;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) made.ok("a", {{"X", x}, {"Y", y}}, us[x][y]);
  return made;
}

TEST(LocalMinima, AreThoseThatNoNeighbourBeats) {
  const LocalMinima minima = landscape_of(two_basins()).minima;
  EXPECT_EQ(minima.minima, 2u);
  EXPECT_EQ(minima.good, 1u);
  EXPECT_EQ(minima.isolated, 0u);
  EXPECT_DOUBLE_EQ(minima.mean_neighbours, 4);  // any value of either parameter
}

TEST(LocalMinima, DescentsGoToTheBestNeighbour) {
  // These descents end at the 100: itself, both 150s, both 190s (their best neighbour is the 100),
  // and the 200 by way of a 150. These end at the 120: itself and the 160s.
  EXPECT_DOUBLE_EQ(landscape_of(two_basins()).minima.descents_to_good, 6.0 / 9);
}

TEST(LocalMinima, ValuesOfAParameterAreNeighboursHoweverFarApart) {
  EXPECT_EQ(landscape_of(line({100, 300, 110, 300, 105})).minima.minima, 1u);
}

TEST(LocalMinima, VariantsAreNoNeighbours) {
  ValuedRows made;
  for (const char* variant : {"a", "b"})
    for (int n = 0; n < 3; ++n) made.ok(variant, {{"N", n}}, variant[0] == 'a' ? 10 + n : 20 + n);
  EXPECT_EQ(landscape_of(made).minima.minima, 2u);
}

TEST(LocalMinima, TextsThatLookLikeNamesDoNotCollide) {
  ValuedRows made;
  made.ok("a", {{"A", "x\nB integer 1 1"}, {"B", 1}}, 10);
  made.ok("a", {{"A", "x"}, {"B", "1\nB integer 1 1"}}, 11);
  EXPECT_EQ(landscape_of(made).minima.isolated, 2u);
}

TEST(LocalMinima, EqualNeighboursAreBothMinima) {
  EXPECT_EQ(landscape_of(line({100, 100, 200})).minima.minima, 2u);
}

TEST(LocalMinima, ABoundIsNoMinimum) {
  ValuedRows made;
  made.ok("a", {{"X", 0}, {"Y", 0}}, 100);
  made.pruned("a", {{"X", 1}, {"Y", 1}}, 150);
  made.pruned("a", {{"X", 1}, {"Y", 2}}, 151);
  EXPECT_EQ(landscape_of(made).minima.minima, 0u);
}

// The mean of the best over every subset of the size, failures being infinite.
double brute_force(const std::vector<double>& slowdowns, std::size_t failed, std::size_t draws) {
  const std::size_t all = slowdowns.size() + failed;
  double sum = 0;
  double sets = 0;
  for (unsigned mask = 0; mask < 1u << all; ++mask) {
    if (static_cast<std::size_t>(__builtin_popcount(mask)) != draws) continue;
    double best = 0;
    for (std::size_t i = 0; i < slowdowns.size(); ++i)
      if ((mask >> i & 1u) != 0 && (best == 0 || slowdowns[i] < best)) best = slowdowns[i];
    if (best == 0) continue;
    sum += best;
    ++sets;
  }
  return sum / sets;
}

TEST(Budget, IsExact) {
  const std::vector<double> slowdowns = {1, 1.03, 1.2, 1.5, 2, 2, 3};
  ValuedRows made = line({100, 103, 120, 150, 200, 200, 300});
  for (int n = 20; n < 24; ++n)
    made.failed("a", {{"N", n}}, Status::kLaunchFailed, "out of resources");
  const Landscape landscape = landscape_of(made);
  ASSERT_EQ(landscape.budget.size(), 5u);  // 1, 2, 5, 10, 11
  for (const BudgetPoint& point : landscape.budget)
    EXPECT_NEAR(point.expected_slowdown, brute_force(slowdowns, 4, point.trials), 1e-12)
        << point.trials;
  EXPECT_NEAR(landscape.budget[0].good_chance, 2.0 / 11, 1e-12);
  EXPECT_NEAR(landscape.budget[0].nothing_chance, 4.0 / 11, 1e-12);
  EXPECT_NEAR(landscape.budget[1].nothing_chance, 4.0 / 11 * 3 / 10, 1e-12);
  EXPECT_EQ(landscape.budget[3].nothing_chance, 0);
  EXPECT_EQ(landscape.budget.back().trials, 11u);
  EXPECT_EQ(landscape.budget.back().expected_slowdown, 1);
  EXPECT_EQ(landscape.budget.back().good_chance, 1);
}

TEST(Budget, TheFewestTrialsReachTheChance) {
  std::vector<double> times(100, 200);
  times[0] = 100;
  // With one good one in a hundred, 95 trials include it with a chance of 95 %.
  EXPECT_EQ(landscape_of(line(times)).trials_for_good, 95u);
}

TEST(Budget, LargeSpacesStayFiniteAndFall) {
  std::vector<double> times;
  for (int i = 0; i < 20000; ++i) times.push_back(100 + i);
  const Landscape landscape = landscape_of(line(times));
  double last = 1e9;
  for (const BudgetPoint& point : landscape.budget) {
    EXPECT_TRUE(std::isfinite(point.expected_slowdown));
    EXPECT_LT(point.expected_slowdown, last);
    last = point.expected_slowdown;
  }
  // The mean of the least of 100 of 0..19999 is (20001 / 101) - 1.
  EXPECT_NEAR(landscape.budget[6].expected_slowdown, 1 + (20001.0 / 101 - 1) / 100, 1e-9);
}

TEST(Landscape, AScreeningBelowTheWinnerIsAsGoodAsTheWinner) {
  ValuedRows made = line({100, 100.5, 99});
  const auto rows = made.rows;
  const auto ranking = made.make.ranking({rows[0], rows[1]}, 101, 2);
  const auto boards = make_leaderboards(rows, {ranking});
  ASSERT_TRUE(boards[0].ranking.has_value());
  const Landscape landscape = make_landscape(boards[0]).value();
  EXPECT_EQ(landscape.best_us, 101);
  EXPECT_EQ(landscape.near_best[0].configurations, 3u);
  EXPECT_EQ(landscape.quantiles[0].slowdown.us, 1);
}

}  // namespace
}  // namespace warpwright
