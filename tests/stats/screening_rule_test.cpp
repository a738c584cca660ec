#include "stats/screening_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "core/error.h"
#include "stats/median.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

using Samples = std::vector<double>;

void expect_continue(const ScreeningStep& step, std::size_t more) {
  EXPECT_EQ(step.decision, ScreeningDecision::kContinue);
  EXPECT_EQ(step.more, more);
  EXPECT_EQ(step.at_least_us, 0);
}

void expect_pruned(const ScreeningStep& step, double at_least_us) {
  EXPECT_EQ(step.decision, ScreeningDecision::kPruned);
  EXPECT_EQ(step.more, 0u);
  EXPECT_EQ(step.at_least_us, at_least_us);
}

void expect_enough(const ScreeningStep& step) {
  EXPECT_EQ(step.decision, ScreeningDecision::kEnough);
  EXPECT_EQ(step.more, 0u);
  EXPECT_EQ(step.at_least_us, 0);
}

// Noise of about 10 %: the interval is far too wide for kEnough.
Samples noisy(std::size_t count, double around_us) {
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(around_us * (i % 2 == 0 ? 1 : 1.2));
  return samples;
}

TEST(AfterCorrectnessTest, OverOneAndAQuarterTimesTheBestIsPruned) {
  expect_pruned(after_correctness(Samples{21, 12.6, 35}, 10), 12.6);
}

TEST(AfterCorrectnessTest, OneLaunchWithinOneAndAQuarterTimesTheBestGoesOn) {
  expect_continue(after_correctness(Samples{100, 12.5, 100}, 10), 6);
}

TEST(AfterCorrectnessTest, ADeviceThatHoldsItsClockBackHasMoreRoom) {
  expect_continue(after_correctness(Samples{15}, 10, true), 6);
  expect_pruned(after_correctness(Samples{15.1}, 10, true), 15.1);
}

TEST(AfterCorrectnessTest, WithoutABestOrALaunchItGoesOn) {
  expect_continue(after_correctness(Samples{1e6}, std::nullopt), 6);
  expect_continue(after_correctness(Samples{}, 10), 6);
}

TEST(ScreeningTest, TwoSamplesTellWhatIsFarTooSlow) {
  expect_continue(next_step(Samples{}, 0, 10), 2);
  expect_continue(next_step(Samples{1e6}, 1e6, 10), 1);
  expect_pruned(next_step(Samples{16, 15.1}, 31.1, 10), 15.1);
}

TEST(ScreeningTest, HalfAsSlowAgainGetsItsFirstSamplesWhateverTheyCost) {
  expect_continue(next_step(Samples{16, 15}, 2e6, 10), 4);
  expect_continue(next_step(Samples{1e6, 1e6}, 2e6, std::nullopt), 4);
}

TEST(ScreeningTest, OverAQuarterSlowerAfterSixSamplesIsPruned) {
  expect_pruned(next_step(Samples{14, 13, 12.6, 15, 14, 14}, 84, 10), 12.6);
}

TEST(ScreeningTest, ExactlyAQuarterSlowerIsNotPruned) {
  expect_continue(next_step(Samples{14, 13, 12.5, 15, 14, 14}, 84, 10), 4);
}

TEST(ScreeningTest, NothingIsPrunedWithoutABest) {
  expect_continue(next_step(noisy(6, 1000), 6000, std::nullopt), 4);
}

TEST(ScreeningTest, ANarrowIntervalIsEnough) {
  expect_enough(next_step(Samples(6, 10.0), 60, 10));
  expect_enough(next_step(Samples{100, 100.9, 100.2, 100.4, 100.3, 100.1}, 600, 100));
  expect_continue(next_step(Samples{100, 101.1, 100.2, 100.4, 100.3, 100.1}, 600, 100), 4);
}

TEST(ScreeningTest, TheUsualSamplesAreTakenWhileTimeLasts) {
  expect_continue(next_step(noisy(6, 11), 66, 10), 4);
  expect_continue(next_step(noisy(18, 11), 200, 10), 2);
}

// 6 samples took 8 ms: one more fits into 10 ms. At 9.9 ms none does, but time is left.
TEST(ScreeningTest, TimeLimitsTheUsualSamples) {
  expect_continue(next_step(noisy(6, 1333), 8000, 1300), 1);
  expect_continue(next_step(noisy(6, 1600), 9900, 1500), 1);
  expect_continue(next_step(noisy(6, 1100), 6600, 1000), 3);
}

TEST(ScreeningTest, EnoughWhenTimeIsUpAndTheTopSetOutOfReach) {
  expect_enough(next_step(noisy(6, 2000), 12000, 1800));
}

TEST(ScreeningTest, SpentTimeOfZeroLimitsNothing) {
  expect_continue(next_step(noisy(6, 11), 0, 10), 4);
}

TEST(ScreeningTest, TwentySamplesAreEnoughOutsideTheTopSet) {
  expect_enough(next_step(noisy(20, 10.6), 212, 10));
}

TEST(ScreeningTest, TheTopSetIsExtendedToFifty) {
  expect_continue(next_step(noisy(20, 10.5), 210, 10), 4);
  expect_continue(next_step(noisy(48, 10.5), 504, 10), 2);
  expect_enough(next_step(noisy(50, 10.5), 525, 10));
}

TEST(ScreeningTest, WithoutABestTheConfigurationIsTheTopSet) {
  expect_continue(next_step(noisy(20, 10.5), 210, std::nullopt), 4);
}

// Sorted, the 6th of 20 is the low end: five fast samples do not reach the top set, six do.
TEST(ScreeningTest, TheLowEndOfTheIntervalDecides) {
  Samples samples(20, 11.0);
  for (std::size_t i = 15; i < 20; ++i) samples[i] = 12;
  samples[14] = 12;
  for (std::size_t i = 0; i < 5; ++i) samples[i] = 10.2;
  expect_enough(next_step(samples, 220, 10));
  samples[5] = 10.2;
  expect_continue(next_step(samples, 220, 10), 4);
}

TEST(ScreeningTest, LimitsAreRespected) {
  ScreeningLimits limits;
  limits.glance_samples = 1;
  limits.glance_ratio = 5;
  limits.first_samples = 3;
  limits.prune_ratio = 2;
  limits.usual_samples = 4;
  limits.most_samples = 4;
  limits.half_width = 0.01;
  expect_continue(next_step(Samples{}, 0, 10, limits), 1);
  expect_pruned(next_step(Samples{51}, 51, 10, limits), 51);
  expect_continue(next_step(Samples{49}, 49, 10, limits), 2);
  expect_pruned(next_step(Samples(3, 21.0), 63, 10, limits), 21);
  expect_continue(next_step(Samples{19, 19, 15}, 53, 10, limits), 1);
  expect_enough(next_step(Samples{10, 10, 12, 12}, 44, 10, limits));
}

TEST(ScreeningTest, BadTimesBreakAnInvariant) {
  EXPECT_THROW((void)next_step(Samples{0}, 0, 10), Error);
  EXPECT_THROW((void)next_step(Samples{std::nan("")}, 0, 10), Error);
  EXPECT_THROW((void)next_step(Samples{1}, -1, 10), Error);
  EXPECT_THROW((void)next_step(Samples{1}, std::nan(""), 10), Error);
  EXPECT_THROW((void)next_step(Samples{1}, 0, 0), Error);
  EXPECT_THROW((void)after_correctness(Samples{HUGE_VAL}, 10), Error);
}

struct Screened {
  ScreeningDecision decision = ScreeningDecision::kContinue;
  Samples samples;
};

// Asks and measures until there is a verdict, as a caller does.
Screened screen(SplitMix64& random, double true_us, double noise, double best_us) {
  Screened screened;
  double spent_us = 0;
  while (screened.decision == ScreeningDecision::kContinue) {
    const ScreeningStep step = next_step(screened.samples, spent_us, best_us);
    screened.decision = step.decision;
    for (std::size_t i = 0; i < step.more; ++i) {
      screened.samples.push_back(true_us * std::exp(noise * normal(random)));
      spent_us += screened.samples.back();
    }
  }
  return screened;
}

TEST(ScreeningTest, EndsWithinItsLimitsForEveryTime) {
  SplitMix64 random(1);
  for (int i = 0; i < 5000; ++i) {
    const double true_us = std::exp(12 * random.uniform());
    const Screened screened = screen(random, true_us, 0.05, 100);
    EXPECT_LE(screened.samples.size(), 50u);
    EXPECT_GE(screened.samples.size(), screened.decision == ScreeningDecision::kPruned ? 2u : 6u);
  }
}

// 2 % noise: a configuration that is 3 % slower than the best is in the top set and must reach the
// final.
TEST(ScreeningTest, TheTopSetIsNeverPrunedAndMeasuredUntilItsIntervalIsNarrow) {
  SplitMix64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const Screened screened = screen(random, 103, 0.02, 100);
    EXPECT_EQ(screened.decision, ScreeningDecision::kEnough);
    EXPECT_TRUE(screened.samples.size() == 50u ||
                median_interval(screened.samples).relative_half_width() <= 0.005);
  }
}

// Stopping when the interval is narrow must not make it miss the median; see the comment at
// ScreeningLimits::half_width.
TEST(ScreeningTest, IntervalsHoldTheMedianThoughTheyEndWhenNarrow) {
  SplitMix64 random(4);
  constexpr int kTimes = 4000;
  for (const double noise : {0.002, 0.003, 0.006, 0.01, 0.02}) {
    int held = 0;
    double squares = 0;
    for (int i = 0; i < kTimes; ++i) {
      const MedianInterval interval = median_interval(screen(random, 100, noise, 100).samples);
      held += interval.low <= 100 && 100 <= interval.high ? 1 : 0;
      squares += (interval.median / 100 - 1) * (interval.median / 100 - 1);
    }
    EXPECT_GE(held, 0.935 * kTimes) << noise;
    EXPECT_LE(std::sqrt(squares / kTimes), 0.004) << noise;
  }
}

TEST(ScreeningTest, MoreThanHalfAsSlowAgainCostsTwoSamples) {
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Screened screened = screen(random, 170, 0.02, 100);
    EXPECT_EQ(screened.decision, ScreeningDecision::kPruned);
    EXPECT_EQ(screened.samples.size(), 2u);
  }
}

}  // namespace
}  // namespace warpwright
