#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "stats/median.h"
#include "stats/paired_gate.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

double mean(std::span<double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The first numbers of Vigna's splitmix64.c for this seed.
TEST(SplitMix64Test, GivesThePublishedNumbers) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.bits(), 6457827717110365317U);
  EXPECT_EQ(random.bits(), 3203168211198807973U);
  EXPECT_EQ(random.bits(), 9817491932198370423U);
}

TEST(SplitMix64Test, EveryValueOfARangeIsEquallyLikely) {
  SplitMix64 random(5);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  double chi_square = 0;
  for (const int count : counts) chi_square += std::pow(count - 10000, 2) / 10000.0;
  EXPECT_LT(chi_square, 22.5);  // the 99.9 % point of 6 degrees of freedom
}

TEST(SplitMix64Test, ARangeThatDoesNotDivideTheBitsIsNotBiased) {
  SplitMix64 random(6);
  constexpr std::uint32_t kCount = 3U << 30;  // without rejection, 3 divides half of the draws
  int divisible = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::uint32_t value = random.below(kCount);
    ASSERT_LT(value, kCount);
    if (value % 3 == 0) ++divisible;
  }
  EXPECT_NEAR(divisible, 10000, 300);
}

// Computed with Python's arbitrary-precision integers.
TEST(BootstrapTest, TheDrawsOfASeedAreTheSameEverywhere) {
  SplitMix64 random(1);
  std::vector<std::uint32_t> counts(8);
  draw_counts(random, counts);
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 0, 0, 2, 2, 1, 1, 2}));
}

TEST(BootstrapTest, ASeedDecidesTheInterval) {
  SplitMix64 random(10);
  std::vector<double> samples(20);
  for (double& sample : samples) sample = random.uniform();
  const auto of_seed = [&](std::uint64_t seed) {
    return bootstrap_interval(samples, mean, 0.95, {2000, seed}).low;
  };
  EXPECT_EQ(of_seed(1), of_seed(1));
  EXPECT_NE(of_seed(1), of_seed(2));
}

TEST(BootstrapTest, MedianOfCountsIsTheMedianOfTheResample) {
  SplitMix64 random(3);
  for (std::size_t n = 1; n < 30; ++n) {
    std::vector<double> samples(n);
    for (double& sample : samples) sample = random.uniform();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return samples[a] < samples[b]; });
    std::vector<std::uint32_t> counts(n);
    draw_counts(random, counts);
    std::vector<double> resample;
    for (std::size_t i = 0; i < n; ++i) resample.insert(resample.end(), counts[i], samples[i]);
    ASSERT_EQ(resample.size(), n);
    EXPECT_DOUBLE_EQ(median_of_counts(samples, order, counts), median(resample)) << n;
  }
}

TEST(BootstrapTest, PercentilesAreTheRanksOfEfronAndTibshirani) {
  std::vector<double> replicates(1999);
  std::iota(replicates.rbegin(), replicates.rend(), 1.0);
  const BootstrapInterval interval = percentile_interval(replicates, 0.95);
  EXPECT_EQ(interval.low, 50);
  EXPECT_EQ(interval.high, 1950);
  EXPECT_EQ(percentile_lower_bound(replicates, 0.95), 100);
}

// The general form with the same statistic; the two draw differently, so 2 % of the ranks differ.
TEST(BootstrapTest, TheMedianAgreesWithTheGeneralForm) {
  SplitMix64 random(4);
  std::vector<double> samples(1000);
  for (double& sample : samples) sample = normal(random);
  const BootstrapInterval fast = bootstrap_median_interval(samples);
  const BootstrapInterval general =
      bootstrap_interval(samples, [](std::span<double> values) { return median_in_place(values); });
  EXPECT_NEAR(fast.low, general.low, 0.02);
  EXPECT_NEAR(fast.high, general.high, 0.02);
}

// All 27 equally likely resamples of {0, 0, 3}: the mean is 3 in one of them, 0 in eight.
TEST(BootstrapTest, TheExtremesOfASmallSampleAreAsLikelyAsCounted) {
  const std::vector<double> samples = {0, 0, 3};
  int zero = 0;
  int three = 0;
  const auto count = [&](std::span<double> values) {
    const double value = mean(values);
    if (value == 0) ++zero;
    if (value == 3) ++three;
    return value;
  };
  (void)bootstrap_interval(samples, count, 0.95, {27000, 9});
  EXPECT_NEAR(zero, 8000, 250);
  EXPECT_NEAR(three, 1000, 100);
}

TEST(BootstrapTest, OneSampleAndEqualSamplesHaveNoWidth) {
  for (const std::size_t n : {1, 2, 15}) {
    const std::vector<double> samples(n, 4.25);
    const BootstrapInterval interval = bootstrap_median_interval(samples);
    EXPECT_EQ(interval.low, 4.25);
    EXPECT_EQ(interval.high, 4.25);
    EXPECT_EQ(bootstrap_median_lower_bound(samples), 4.25);
  }
}

TEST(BootstrapTest, NoSampleOrANonFiniteOneBreaksAnInvariant) {
  EXPECT_THROW((void)bootstrap_median_interval(std::vector<double>{}), Error);
  EXPECT_THROW((void)bootstrap_median_interval(std::vector<double>{1, std::nan("")}), Error);
  EXPECT_THROW((void)bootstrap_interval(std::vector<double>{}, mean), Error);
  EXPECT_THROW((void)bootstrap_interval(std::vector<double>{1},
                                        [](std::span<double>) { return std::nan(""); }),
               Error);
}

// The width for a mean is known: 2 x 1.96 standard errors.
TEST(BootstrapTest, TheIntervalOfAMeanIsAsWideAsTheory) {
  SplitMix64 random(8);
  std::vector<double> samples(400);
  for (double& sample : samples) sample = normal(random);
  const double center = mean(samples);
  double variance = 0;
  for (const double sample : samples) variance += (sample - center) * (sample - center) / 400;
  const BootstrapInterval interval = bootstrap_interval(samples, mean);
  EXPECT_NEAR(interval.high - interval.low, 2 * 1.96 * std::sqrt(variance / 400), 0.01);
}

TEST(BootstrapTest, TheIntervalOfTheMedianOfThirtyCoversIt) {
  constexpr int kCases = 5000;
  SplitMix64 random(30);
  std::vector<double> samples(30);
  int covered = 0;
  for (int i = 0; i < kCases; ++i) {
    for (double& sample : samples) sample = std::exp(normal(random));
    const auto interval =
        bootstrap_median_interval(samples, 0.95, {2000, static_cast<std::uint64_t>(i)});
    if (interval.low <= 1 && 1 <= interval.high) ++covered;
  }
  EXPECT_GT(covered, kCases * 0.93);
  EXPECT_LT(covered, kCases * 0.97);
}

// The interval that the gate uses: 20 blocks, 99 %. The true rate is 1.0 to 1.4 %.
TEST(BootstrapTest, TheOneSidedBoundOfTwentyIsRarelyTooHigh) {
  constexpr int kCases = 5000;
  SplitMix64 random(20);
  std::vector<double> samples(20);
  int too_high = 0;
  for (int i = 0; i < kCases; ++i) {
    for (double& sample : samples) sample = normal(random);
    const double bound =
        bootstrap_median_lower_bound(samples, 0.99, {2000, static_cast<std::uint64_t>(i)});
    if (bound > 0) ++too_high;
  }
  EXPECT_GT(too_high, kCases * 0.005);
  EXPECT_LT(too_high, kCases * 0.018);
}

}  // namespace
}  // namespace warpwright
