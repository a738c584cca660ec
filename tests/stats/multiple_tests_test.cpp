#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "stats/hypothesis_tests.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

// The 15 p-values of Benjamini and Hochberg (1995), section 4: at 5 % their procedure rejects 4.
const std::vector<double> kPublished = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201,
                                        0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
                                        0.4262, 0.5719, 0.6528, 0.7590, 1.0000};

long count_rejected(const std::vector<double>& adjusted, double level) {
  const std::vector<bool> rejected = rejected_at(adjusted, level);
  return std::count(rejected.begin(), rejected.end(), true);
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-12) << i;
}

TEST(BenjaminiHochbergTest, RejectsFourOfThePublishedExample) {
  EXPECT_EQ(count_rejected(benjamini_hochberg_adjusted(kPublished), 0.05), 4);
}

TEST(HolmTest, RejectsThreeOfThePublishedExample) {
  EXPECT_EQ(count_rejected(holm_adjusted(kPublished), 0.05), 3);
}

// By hand: 0.01 x 4, 0.02 x 3, then 0.03 x 2 and 0.04 x 1 raised to the largest before.
TEST(HolmTest, AdjustsInTheOrderGiven) {
  expect_near(holm_adjusted(std::vector<double>{0.04, 0.01, 0.03, 0.02}), {0.06, 0.04, 0.06, 0.06});
}

// By hand: 0.005 x 4 / 1, 0.03 x 4 / 2 lowered to 0.04 x 4 / 3, and 0.9.
TEST(BenjaminiHochbergTest, AdjustsInTheOrderGiven) {
  expect_near(benjamini_hochberg_adjusted(std::vector<double>{0.9, 0.005, 0.04, 0.03}),
              {0.9, 0.02, 0.16 / 3, 0.16 / 3});
}

TEST(MultipleTestsTest, EqualValuesAreAdjustedAlike) {
  expect_near(holm_adjusted(std::vector<double>{0.02, 0.02, 0.02}), {0.06, 0.06, 0.06});
  expect_near(benjamini_hochberg_adjusted(std::vector<double>{0.02, 0.02, 0.02}),
              {0.02, 0.02, 0.02});
}

TEST(MultipleTestsTest, NoneAndOneNeedNoCorrection) {
  EXPECT_TRUE(holm_adjusted(std::vector<double>{}).empty());
  EXPECT_TRUE(benjamini_hochberg_adjusted(std::vector<double>{}).empty());
  expect_near(holm_adjusted(std::vector<double>{0.3}), {0.3});
  expect_near(benjamini_hochberg_adjusted(std::vector<double>{0.3}), {0.3});
}

TEST(MultipleTestsTest, AdjustedValuesStayBelowOne) {
  expect_near(holm_adjusted(std::vector<double>{0.8, 0.9}), {1, 1});
  expect_near(benjamini_hochberg_adjusted(std::vector<double>{0.8, 1}), {1, 1});
}

TEST(MultipleTestsTest, WhatIsNoProbabilityBreaksAnInvariant) {
  EXPECT_THROW((void)holm_adjusted(std::vector<double>{-0.1}), Error);
  EXPECT_THROW((void)holm_adjusted(std::vector<double>{std::nan("")}), Error);
  EXPECT_THROW((void)benjamini_hochberg_adjusted(std::vector<double>{1.1}), Error);
}

// Twenty true null hypotheses, so any rejection is false: 5 % of families have one.
TEST(HolmTest, FalseRejectionsInAFamilyAreAsRareAsTheLevel) {
  constexpr int kFamilies = 20000;
  SplitMix64 random(2);
  std::vector<double> p_values(20);
  int wrong = 0;
  for (int i = 0; i < kFamilies; ++i) {
    for (double& p : p_values) p = random.uniform();
    if (count_rejected(holm_adjusted(p_values), 0.05) > 0) ++wrong;
  }
  // Independent tests: 1 - (1 - 0.05 / 20)^20 = 4.88 %.
  EXPECT_NEAR(static_cast<double>(wrong) / kFamilies, 0.0488, 0.005);
}

// Ten true and ten grossly false hypotheses: the mean fraction of false rejections is the level
// times the share of true ones.
TEST(BenjaminiHochbergTest, TheFalseFractionIsTheLevelTimesTheShareOfTrueNulls) {
  constexpr int kFamilies = 20000;
  SplitMix64 random(3);
  std::vector<double> p_values(20);
  double false_fraction = 0;
  for (int i = 0; i < kFamilies; ++i) {
    for (std::size_t j = 0; j < 20; ++j) p_values[j] = j < 10 ? random.uniform() : 1e-9;
    const std::vector<bool> rejected = rejected_at(benjamini_hochberg_adjusted(p_values), 0.05);
    const auto wrong = std::count(rejected.begin(), rejected.begin() + 10, true);
    const auto all = std::count(rejected.begin(), rejected.end(), true);
    false_fraction += static_cast<double>(wrong) / static_cast<double>(all) / kFamilies;
  }
  EXPECT_NEAR(false_fraction, 0.025, 0.002);
}

}  // namespace
}  // namespace warpwright
