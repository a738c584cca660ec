#include "stats/paired_gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

// Noise-free blocks whose candidate takes `ratio` times as long.
std::vector<AbbaBlock> exact_blocks(std::size_t count, double ratio) {
  return std::vector<AbbaBlock>(count, {50.0, 50.0 * ratio});
}

std::vector<AbbaBlock> noisy_blocks(SplitMix64& random, std::size_t count, double ratio,
                                    double noise) {
  std::vector<AbbaBlock> blocks(count);
  for (AbbaBlock& block : blocks) {
    const double common = 50 * std::exp(0.03 * normal(random));
    block.baseline_us = common * std::exp(noise * normal(random));
    block.candidate_us = common * ratio * std::exp(noise * normal(random));
  }
  return blocks;
}

TEST(PairedGateTest, VerdictsWithoutNoise) {
  EXPECT_EQ(judge_blocks(exact_blocks(20, 1), 0).verdict, GateVerdict::kOk);
  EXPECT_EQ(judge_blocks(exact_blocks(20, 1.019), 0).verdict, GateVerdict::kOk);
  EXPECT_EQ(judge_blocks(exact_blocks(20, 1.021), 0).verdict, GateVerdict::kRegression);
  EXPECT_EQ(judge_blocks(exact_blocks(20, 1 / 1.019), 0).verdict, GateVerdict::kOk);
  EXPECT_EQ(judge_blocks(exact_blocks(20, 1 / 1.021), 0).verdict, GateVerdict::kImproved);
}

TEST(PairedGateTest, ReportsTheNumbersOfItsVerdict) {
  const GateResult result = judge_blocks(exact_blocks(20, 1.05), 0);
  EXPECT_NEAR(result.median_d, std::log(1.05), 1e-12);
  EXPECT_NEAR(result.low_bound, std::log(1.05), 1e-12);
  EXPECT_NEAR(result.high_bound, std::log(1.05), 1e-12);
  EXPECT_EQ(result.delta, 0.02);
  EXPECT_NEAR(result.p, std::ldexp(1, -19), 1e-15);
}

TEST(PairedGateTest, NoiseRaisesDelta) {
  EXPECT_EQ(gate_delta(0), 0.02);
  EXPECT_EQ(gate_delta(0.005), 0.02);
  EXPECT_DOUBLE_EQ(gate_delta(0.01), 0.03);
  EXPECT_EQ(judge_blocks(exact_blocks(20, 1.025), 0.01).verdict, GateVerdict::kOk);
}

// 2^-6 is above 1 %, 2^-7 below.
TEST(PairedGateTest, FewerThanSevenBlocksAreInconclusive) {
  for (const std::size_t count : {0, 1, 2, 6}) {
    EXPECT_EQ(judge_blocks(exact_blocks(count, 2), 0).verdict, GateVerdict::kInconclusive) << count;
    EXPECT_EQ(judge_blocks(exact_blocks(count, 1), 0).verdict, GateVerdict::kInconclusive) << count;
  }
  EXPECT_EQ(judge_blocks(exact_blocks(7, 2), 0).verdict, GateVerdict::kRegression);
}

// Eleven blocks 3 % slower and nine equal: the median exceeds the limit, the bound does not.
TEST(PairedGateTest, AMedianWithoutItsBoundIsInconclusive) {
  std::vector<AbbaBlock> blocks = exact_blocks(11, 1.03);
  blocks.resize(20, {50, 50});
  EXPECT_EQ(judge_blocks(blocks, 0).verdict, GateVerdict::kInconclusive);
}

// Eleven blocks equal and nine 3 % slower: no evidence of a regression, but none against one
// either.
TEST(PairedGateTest, ABoundOverTheLimitIsNotOk) {
  std::vector<AbbaBlock> blocks = exact_blocks(9, 1.03);
  blocks.resize(20, {50, 50});
  EXPECT_EQ(judge_blocks(blocks, 0).verdict, GateVerdict::kInconclusive);
}

TEST(PairedGateTest, SwappingTheSidesSwapsTheVerdict) {
  SplitMix64 random(1);
  for (int i = 0; i < 200; ++i) {
    std::vector<AbbaBlock> blocks = noisy_blocks(random, 20, 1.022, 0.01);
    const GateResult result = judge_blocks(blocks, 0);
    for (AbbaBlock& block : blocks) std::swap(block.baseline_us, block.candidate_us);
    const GateResult swapped = judge_blocks(blocks, 0);
    EXPECT_NEAR(swapped.low_bound, -result.high_bound, 1e-12);
    if (result.verdict == GateVerdict::kRegression) {
      EXPECT_EQ(swapped.verdict, GateVerdict::kImproved);
    } else {
      EXPECT_EQ(swapped.verdict, result.verdict);
    }
  }
}

TEST(PairedGateTest, BadNumbersBreakAnInvariant) {
  EXPECT_THROW((void)judge_blocks(std::vector<AbbaBlock>(20, {50, 0}), 0), Error);
  EXPECT_THROW((void)judge_blocks(std::vector<AbbaBlock>(20, {std::nan(""), 50}), 0), Error);
  EXPECT_THROW((void)judge_blocks(exact_blocks(20, 1), -0.01), Error);
  EXPECT_THROW((void)gate_delta(std::nan("")), Error);
}

TEST(AaNoiseTest, EstimatesTheNoiseOfOneSide) {
  SplitMix64 random(2);
  EXPECT_NEAR(aa_noise(noisy_blocks(random, 100000, 1, 0.005)), 0.005, 0.0001);
}

TEST(AaNoiseTest, NoBlocksAndEqualBlocksHaveNone) {
  EXPECT_EQ(aa_noise(std::vector<AbbaBlock>{}), 0);
  EXPECT_EQ(aa_noise(exact_blocks(20, 1)), 0);
}

TEST(AaNoiseTest, AnOutlierHardlyMatters) {
  SplitMix64 random(3);
  std::vector<AbbaBlock> blocks = noisy_blocks(random, 21, 1, 0.005);
  const double before = aa_noise(blocks);
  blocks[0].candidate_us *= 100;
  EXPECT_LT(aa_noise(blocks), 1.5 * before);
}

// The fraction of 2,000 gates of 20 blocks each that reach a verdict. The noise is estimated from
// 20 separate A/A blocks, as a caller does.
double rate(GateVerdict verdict, double ratio, double noise) {
  constexpr int kGates = 2000;
  SplitMix64 random(4);
  int found = 0;
  for (int i = 0; i < kGates; ++i) {
    const double estimated = aa_noise(noisy_blocks(random, 20, 1, noise));
    const auto blocks = noisy_blocks(random, 20, ratio, noise);
    if (judge_blocks(blocks, estimated).verdict == verdict) ++found;
  }
  return static_cast<double>(found) / kGates;
}

TEST(PairedGateTest, TheSameKernelRarelyAlarms) {
  for (const double noise : {0.005, 0.02}) {
    EXPECT_LE(rate(GateVerdict::kRegression, 1, noise), 0.01) << noise;
    EXPECT_LE(rate(GateVerdict::kImproved, 1, noise), 0.01) << noise;
  }
}

TEST(PairedGateTest, TheSameKernelIsOk) { EXPECT_GE(rate(GateVerdict::kOk, 1, 0.005), 0.99); }

// The caller underestimated the noise: the bound prevents the alarms that delta does not.
TEST(PairedGateTest, UnknownNoiseRarelyAlarms) {
  constexpr int kGates = 2000;
  SplitMix64 random(5);
  int alarms = 0;
  for (int i = 0; i < kGates; ++i) {
    const GateResult result = judge_blocks(noisy_blocks(random, 20, 1, 0.02), 0);
    if (result.verdict == GateVerdict::kRegression || result.verdict == GateVerdict::kImproved) {
      ++alarms;
    }
  }
  EXPECT_LE(alarms, kGates / 100);
}

TEST(PairedGateTest, CatchesThreePerCent) {
  EXPECT_GE(rate(GateVerdict::kRegression, 1.03, 0.005), 0.90);
}

TEST(PairedGateTest, CatchesFivePerCent) {
  EXPECT_GE(rate(GateVerdict::kRegression, 1.05, 0.005), 0.99);
}

TEST(PairedGateTest, SeesAnImprovementOfFivePerCent) {
  EXPECT_GE(rate(GateVerdict::kImproved, 1 / 1.05, 0.005), 0.99);
}

}  // namespace
}  // namespace warpwright
