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

TEST(AfterCorrectnessTest, OverThreeTimesTheBestIsPruned) {
  expect_pruned(after_correctness(Samples{31, 30.1, 45}, 10), 30.1);
}

TEST(AfterCorrectnessTest, OneLaunchWithinThreeTimesTheBestGoesOn) {
  expect_continue(after_correctness(Samples{100, 30, 100}, 10), 5);
}

TEST(AfterCorrectnessTest, WithoutABestOrALaunchItGoesOn) {
  expect_continue(after_correctness(Samples{1e6}, std::nullopt), 5);
  expect_continue(after_correctness(Samples{}, 10), 5);
}

TEST(ScreeningTest, TheFirstSamplesAreTakenWhateverTheyCost) {
  expect_continue(next_step(Samples{}, 0, 10), 5);
  expect_continue(next_step(Samples{1e6, 1e6}, 2e6, 10), 3);
}

TEST(ScreeningTest, OverAQuarterSlowerAfterFiveSamplesIsPruned) {
  expect_pruned(next_step(Samples{14, 13, 12.6, 15, 14}, 70, 10), 12.6);
}

TEST(ScreeningTest, ExactlyAQuarterSlowerIsNotPruned) {
  expect_continue(next_step(Samples{14, 13, 12.5, 15, 14}, 70, 10), 15);
}

TEST(ScreeningTest, NothingIsPrunedWithoutABest) {
  expect_continue(next_step(Samples(5, 1000.0), 5000, std::nullopt), 5);
}

TEST(ScreeningTest, TheUsualSamplesAreTakenWhileTimeLasts) {
  expect_continue(next_step(Samples(5, 11.0), 55, 10), 15);
  expect_continue(next_step(Samples(12, 11.0), 132, 10), 8);
}

// 5 samples took 8 ms: one more fits into 10 ms. At 9.9 ms none does, but time is left.
TEST(ScreeningTest, TimeLimitsTheUsualSamples) {
  expect_continue(next_step(Samples(5, 1600.0), 8000, 1500), 1);
  expect_continue(next_step(Samples(5, 1980.0), 9900, 1800), 1);
  expect_continue(next_step(Samples(5, 1000.0), 5000, 900), 5);
}

TEST(ScreeningTest, EnoughWhenTimeIsUpAndTheTopSetOutOfReach) {
  expect_enough(next_step(Samples(5, 2000.0), 10000, 1800));
}

TEST(ScreeningTest, SpentTimeOfZeroTakesAllUsualSamples) {
  expect_continue(next_step(Samples(5, 11.0), 0, 10), 15);
}

TEST(ScreeningTest, TwentySamplesAreEnoughOutsideTheTopSet) {
  expect_enough(next_step(Samples(20, 10.6), 212, 10));
}

TEST(ScreeningTest, TheTopSetIsExtendedToFifty) {
  expect_continue(next_step(Samples(20, 10.5), 210, 10), 5);
  expect_continue(next_step(Samples(48, 10.5), 504, 10), 2);
  expect_enough(next_step(Samples(50, 10.5), 525, 10));
}

TEST(ScreeningTest, WithoutABestTheConfigurationIsTheTopSet) {
  expect_continue(next_step(Samples(20, 10.5), 210, std::nullopt), 5);
}

// Sorted, the 6th of 20 is the low end: five fast samples do not reach the top set, six do.
TEST(ScreeningTest, TheLowEndOfTheIntervalDecides) {
  Samples samples(20, 11.0);
  for (std::size_t i = 0; i < 5; ++i) samples[i] = 10.2;
  expect_enough(next_step(samples, 220, 10));
  samples[5] = 10.2;
  expect_continue(next_step(samples, 220, 10), 5);
}

TEST(ScreeningTest, LimitsAreRespected) {
  ScreeningLimits limits;
  limits.first_samples = 3;
  limits.prune_ratio = 2;
  limits.usual_samples = 4;
  limits.most_samples = 4;
  expect_continue(next_step(Samples{}, 0, 10, limits), 3);
  expect_pruned(next_step(Samples(3, 21.0), 63, 10, limits), 21);
  expect_continue(next_step(Samples(3, 19.0), 57, 10, limits), 1);
  expect_enough(next_step(Samples(4, 10.0), 40, 10, limits));
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
    EXPECT_GE(screened.samples.size(), 5u);
    EXPECT_LE(screened.samples.size(), 50u);
    if (screened.decision == ScreeningDecision::kPruned) {
      EXPECT_EQ(screened.samples.size(), 5u);
    }
  }
}

// 2 % noise: what is 3 % slower than the best, and so in the top set, must reach the final.
TEST(ScreeningTest, TheTopSetIsNeverPrunedAndMeasuredLongest) {
  SplitMix64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const Screened screened = screen(random, 103, 0.02, 100);
    EXPECT_EQ(screened.decision, ScreeningDecision::kEnough);
    EXPECT_EQ(screened.samples.size(), 50u);
  }
}

TEST(ScreeningTest, HalfAsSlowAgainCostsFiveSamples) {
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Screened screened = screen(random, 150, 0.02, 100);
    EXPECT_EQ(screened.decision, ScreeningDecision::kPruned);
    EXPECT_EQ(screened.samples.size(), 5u);
  }
}

}  // namespace
}  // namespace warpwright
