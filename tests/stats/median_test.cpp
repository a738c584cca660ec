#include "stats/median.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "stats/hypothesis_tests.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

TEST(FairBinomialTest, TailsOfTenCoins) {
  EXPECT_NEAR(fair_binomial_tail(10, 0), 1.0 / 1024, 1e-15);
  EXPECT_NEAR(fair_binomial_tail(10, 2), 56.0 / 1024, 1e-14);
  EXPECT_NEAR(fair_binomial_tail(10, 5), 638.0 / 1024, 1e-14);
  EXPECT_EQ(fair_binomial_tail(10, 10), 1);
  EXPECT_EQ(fair_binomial_tail(0, 0), 1);
}

// A million fair coins, 1,000.5 below the middle with the continuity correction: Phi(-2.001).
TEST(FairBinomialTest, LargeNumbersApproachTheNormalDistribution) {
  const double normal_tail = 0.5 * std::erfc(2.001 / std::sqrt(2.0));
  EXPECT_NEAR(fair_binomial_tail(1000000, 498999), normal_tail, 1e-6);
}

TEST(MedianTest, OddEvenAndEmpty) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median(std::vector<double>{}), 0);
}

TEST(MedianTest, InPlaceEqualsTheCopy) {
  SplitMix64 random(1);
  for (std::size_t n = 1; n < 40; ++n) {
    std::vector<double> samples(n);
    for (double& sample : samples) sample = std::floor(10 * random.uniform());
    const double copied = median(samples);
    EXPECT_EQ(median_in_place(samples), copied) << n;
  }
}

TEST(MedianTest, NonFiniteSamplesBreakAnInvariant) {
  EXPECT_THROW((void)median(std::vector<double>{1, std::nan("")}), Error);
  EXPECT_THROW(
      (void)median_interval(std::vector<double>{1, std::numeric_limits<double>::infinity()}),
      Error);
}

// Tables of distribution-free intervals for the median, for example Conover, Practical
// Nonparametric Statistics, A3.
TEST(MedianRanksTest, KnownRanksAt95Percent) {
  struct Row {
    std::size_t n, low, high;
    double coverage;
  };
  for (const Row& row :
       {Row{6, 1, 6, 0.96875}, Row{10, 2, 9, 0.978515625}, Row{20, 6, 15, 0.958610535},
        Row{50, 18, 33, 0.967160964}, Row{100, 40, 61, 0.9647998}}) {
    const MedianRanks ranks = median_ranks(row.n);
    EXPECT_EQ(ranks.low, row.low) << row.n;
    EXPECT_EQ(ranks.high, row.high) << row.n;
    EXPECT_NEAR(ranks.coverage, row.coverage, 1e-6) << row.n;
  }
}

TEST(MedianRanksTest, NarrowestRanksThatReachTheConfidence) {
  for (std::size_t n = 6; n <= 300; ++n) {
    const MedianRanks ranks = median_ranks(n);
    EXPECT_NEAR(ranks.coverage, 1 - 2 * fair_binomial_tail(n, ranks.low - 1), 1e-12) << n;
    EXPECT_GE(ranks.coverage, 0.95) << n;
    EXPECT_LT(1 - 2 * fair_binomial_tail(n, ranks.low), 0.95) << n;
  }
}

TEST(MedianRanksTest, TooFewSamplesSpanEverything) {
  const MedianRanks ranks = median_ranks(3);
  EXPECT_EQ(ranks.low, 1u);
  EXPECT_EQ(ranks.high, 3u);
  EXPECT_NEAR(ranks.coverage, 0.75, 1e-12);
}

TEST(MedianRanksTest, NoSamplesHaveNoRanks) { EXPECT_EQ(median_ranks(0).high, 0u); }

TEST(MedianIntervalTest, IntervalOfTwentySamples) {
  std::vector<double> samples;
  for (int i = 20; i >= 1; --i) samples.push_back(i);
  const MedianInterval interval = median_interval(samples);
  EXPECT_EQ(interval.median, 10.5);
  EXPECT_EQ(interval.low, 6);
  EXPECT_EQ(interval.high, 15);
  EXPECT_DOUBLE_EQ(interval.relative_half_width(), 4.5 / 10.5);
}

TEST(MedianIntervalTest, OneSample) {
  const MedianInterval interval = median_interval(std::vector<double>{5});
  EXPECT_EQ(interval.low, 5);
  EXPECT_EQ(interval.high, 5);
}

TEST(MedianIntervalTest, TwoSamplesSpanEverything) {
  const MedianInterval interval = median_interval(std::vector<double>{7, 5});
  EXPECT_EQ(interval.median, 6);
  EXPECT_EQ(interval.low, 5);
  EXPECT_EQ(interval.high, 7);
}

TEST(MedianIntervalTest, EqualSamplesHaveNoWidth) {
  EXPECT_EQ(median_interval(std::vector<double>(20, 3.5)).relative_half_width(), 0);
}

TEST(MedianIntervalTest, NoSamplesAreAllZero) {
  EXPECT_EQ(median_interval(std::vector<double>{}).high, 0);
}

// The fraction of simulated samples whose interval covers the true median.
template <typename Draw>
double coverage(std::size_t n, double true_median, Draw draw) {
  constexpr int kCases = 50000;
  SplitMix64 random(n);
  std::vector<double> samples(n);
  int covered = 0;
  for (int i = 0; i < kCases; ++i) {
    for (double& sample : samples) sample = draw(random);
    const MedianInterval interval = median_interval(samples);
    if (interval.low <= true_median && true_median <= interval.high) ++covered;
  }
  return static_cast<double>(covered) / kCases;
}

// Three standard errors of 50,000 cases at 95 %.
constexpr double kSimulationError = 0.003;

TEST(MedianIntervalTest, CoversTheMedianOfNormalSamplesAsStated) {
  for (const std::size_t n : {20, 30, 50}) {
    const double covered = coverage(n, 0, normal);
    EXPECT_NEAR(covered, median_ranks(n).coverage, kSimulationError) << n;
    EXPECT_GT(covered, 0.93) << n;
    EXPECT_LT(covered, 0.97) << n;
  }
}

TEST(MedianIntervalTest, CoversTheMedianOfSkewedSamplesAsStated) {
  for (const std::size_t n : {20, 30, 50}) {
    const double covered =
        coverage(n, 1, [](SplitMix64& random) { return std::exp(normal(random)); });
    EXPECT_NEAR(covered, median_ranks(n).coverage, kSimulationError) << n;
    EXPECT_GT(covered, 0.93) << n;
    EXPECT_LT(covered, 0.97) << n;
  }
}

// A clock with 32 ns steps shows 5 us with noise of 5 ns as one or two values.
TEST(MedianIntervalTest, CoarseClocksOnlyRaiseTheCoverage) {
  for (const std::size_t n : {20, 30, 50}) {
    const double covered = coverage(n, 0.032 * 156, [](SplitMix64& random) {
      return 0.032 * std::round((5 + 0.005 * normal(random)) / 0.032);
    });
    EXPECT_GT(covered, median_ranks(n).coverage - kSimulationError) << n;
    EXPECT_GT(covered, 0.99) << n;
  }
}

// The clock has ten steps per standard deviation of the noise: coverage is up to two points higher.
TEST(MedianIntervalTest, FineClocksHardlyChangeTheCoverage) {
  for (const std::size_t n : {20, 30, 50}) {
    const double covered = coverage(n, 0.032 * 156, [](SplitMix64& random) {
      return 0.032 * std::round((0.032 * 156 + 0.32 * normal(random)) / 0.032);
    });
    EXPECT_GT(covered, median_ranks(n).coverage) << n;
    EXPECT_LT(covered, median_ranks(n).coverage + 0.02) << n;
  }
}

// No interval can detect this error: the clock rounds the samples to 4.992 although the time is 5.
TEST(MedianIntervalTest, CoversWhatTheClockShowsNotWhatItRoundsAway) {
  EXPECT_LT(coverage(30, 5,
                     [](SplitMix64& random) {
                       return 0.032 * std::round((5 + 0.005 * normal(random)) / 0.032);
                     }),
            0.01);
}

TEST(MedianIntervalTest, FewSamplesCoverLessAndSayHowMuch) {
  for (const std::size_t n : {3, 5}) {
    EXPECT_NEAR(coverage(n, 0, normal), median_ranks(n).coverage, 2 * kSimulationError) << n;
  }
}

}  // namespace
}  // namespace warpwright
