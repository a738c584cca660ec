#include "analysis/insight/importance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/valued_rows.h"

namespace warpwright {
namespace {

using testing::ValuedRows;

// A grid in which THREADS decides most, UNROLL some, and STYLE, which is a name, nothing.
ValuedRows grid() {
  ValuedRows made;
  for (const int threads : {64, 128, 256, 512}) {
    for (const int unroll : {1, 2, 4, 8}) {
      for (const char* style : {"plain", "streaming"}) {
        const double log_us = 3 + 0.5 * std::log2(threads / 64) + 0.25 * std::log2(unroll);
        made.ok("plain", {{"THREADS", threads}, {"UNROLL", unroll}, {"STYLE", style}},
                std::exp(log_us));
      }
    }
  }
  return made;
}

const ParameterImportance& parameter(const VariantImportance& variant, const std::string& name) {
  for (const ParameterImportance& one : variant.parameters)
    if (one.name == name) return one;
  throw std::runtime_error("no parameter " + name);
}

TEST(Importance, SharesFollowTheVariances) {
  const Importance importance = parameter_importance(grid().board());
  ASSERT_EQ(importance.variants.size(), 1u);
  const VariantImportance& variant = importance.variants[0];
  EXPECT_EQ(variant.why_not, "");
  EXPECT_EQ(variant.configurations, 32u);
  EXPECT_GT(variant.r_squared.value(), 0.9);
  EXPECT_EQ(variant.parameters[0].name, "THREADS");
  EXPECT_NEAR(variant.parameters[0].main_share, 0.8, 0.05);
  EXPECT_NEAR(parameter(variant, "UNROLL").main_share, 0.2, 0.05);
  EXPECT_LT(parameter(variant, "STYLE").main_share, 0.01);
  EXPECT_FALSE(importance.variant_share.has_value());
}

TEST(Importance, EveryValueHasItsBestAndMedian) {
  const Importance importance = parameter_importance(grid().board());
  const ParameterImportance& threads = parameter(importance.variants[0], "THREADS");
  ASSERT_EQ(threads.values.size(), 4u);
  EXPECT_EQ(threads.values[1].value, Value(128));
  EXPECT_EQ(threads.values[1].configurations, 8u);
  EXPECT_NEAR(threads.values[1].best.us, std::exp(3.5), 1e-9);
  EXPECT_NEAR(threads.values[1].median.us, (std::exp(3.75) + std::exp(4.0)) / 2, 1e-9);
  EXPECT_FALSE(threads.values[1].median.at_least);
}

TEST(Importance, WhatDoesNotVaryIsNotListed) {
  ValuedRows made;
  for (int n = 1; n <= 12; ++n) made.ok("a", {{"N", n}, {"FIXED", 4}}, 10 + n);
  const Importance importance = parameter_importance(made.board());
  ASSERT_EQ(importance.variants[0].parameters.size(), 1u);
  EXPECT_EQ(importance.variants[0].parameters[0].name, "N");
}

TEST(Importance, TooFewConfigurationsSayWhy) {
  ValuedRows made;
  made.ok("a", {{"N", 1}}, 10);
  EXPECT_EQ(parameter_importance(made.board()).variants[0].why_not,
            "1 configuration, at least 12 are needed");
  made.ok("a", {{"N", 2}}, 11);
  const VariantImportance two = parameter_importance(made.board()).variants[0];
  EXPECT_EQ(two.why_not, "2 configurations, at least 12 are needed");
  EXPECT_TRUE(two.parameters.empty());
  EXPECT_FALSE(two.r_squared.has_value());
}

TEST(Importance, ConstantTimesSayWhy) {
  ValuedRows made;
  for (int n = 1; n <= 20; ++n) made.ok("a", {{"N", n}}, 10);
  EXPECT_EQ(parameter_importance(made.board()).variants[0].why_not, "all times are equal");
}

TEST(Importance, WithoutParametersSaysWhy) {
  ValuedRows made;
  for (int n = 1; n <= 12; ++n) {
    made.ok("a", ValuedRows::Json::object(), 10 + n);
    made.rows.back().trial.configuration_text = "a " + std::to_string(n);
  }
  EXPECT_EQ(parameter_importance(made.board()).variants[0].why_not, "no parameter varies");
}

TEST(Importance, NothingTimedIsEmpty) {
  ValuedRows made;
  made.failed("a", {{"N", 1}}, Status::kCompileFailed, "error");
  const Importance importance = parameter_importance(made.board());
  EXPECT_EQ(importance.configurations, 0u);
  EXPECT_TRUE(importance.variants.empty());
  EXPECT_FALSE(importance.variant_share.has_value());
}

TEST(Importance, PrunedConfigurationsCountWithTheirBounds) {
  ValuedRows made;
  for (int n = 1; n <= 8; ++n) {
    made.ok("a", {{"N", n}, {"SLOW", false}}, 10 + 0.1 * n);
    made.pruned("a", {{"N", n}, {"SLOW", true}}, 30 + n);
  }
  const Importance importance = parameter_importance(made.board());
  EXPECT_EQ(importance.configurations, 16u);
  EXPECT_EQ(importance.pruned, 8u);
  const VariantImportance& variant = importance.variants[0];
  EXPECT_EQ(variant.pruned, 8u);
  EXPECT_EQ(variant.parameters[0].name, "SLOW");
  EXPECT_GT(variant.parameters[0].main_share, 0.9);
  const ValueTimes& slow = variant.parameters[0].values[1];
  EXPECT_EQ(slow.value, Value(true));
  EXPECT_EQ(slow.pruned, 8u);
  EXPECT_TRUE(slow.best.at_least);
  EXPECT_TRUE(slow.median.at_least);
  EXPECT_FALSE(variant.parameters[0].values[0].median.at_least);
}

TEST(Importance, FailedAndNoisyConfigurationsDoNotCount) {
  ValuedRows made = grid();
  made.failed("plain", {{"THREADS", 2048}, {"UNROLL", 1}}, Status::kInvalid, "too many threads");
  made.failed("plain", {{"THREADS", 32}, {"UNROLL", 1}}, Status::kNoisy, "the clocks moved");
  EXPECT_EQ(parameter_importance(made.board()).configurations, 32u);
}

TEST(Importance, VariantsAreJudgedAloneAndTheirChoiceApart) {
  ValuedRows made;
  for (int n = 1; n <= 12; ++n) {
    made.ok("fast", {{"N", n}}, 10 * std::exp(0.01 * n));
    made.ok("slow", {{"WARPS", n}}, 100 * std::exp(0.01 * n));
  }
  const Importance importance = parameter_importance(made.board());
  EXPECT_GT(importance.variant_share.value(), 0.99);
  ASSERT_EQ(importance.variants.size(), 2u);
  EXPECT_EQ(importance.variants[0].variant, "fast");
  EXPECT_EQ(importance.variants[0].parameters[0].name, "N");
  EXPECT_EQ(importance.variants[1].parameters[0].name, "WARPS");
}

TEST(Importance, VariantsThatAreAlikeExplainNothing) {
  ValuedRows made;
  for (int n = 1; n <= 12; ++n) {
    made.ok("a", {{"N", n}}, 10 + n);
    made.ok("b", {{"N", n}}, 10 + n);
  }
  EXPECT_NEAR(parameter_importance(made.board()).variant_share.value(), 0, 1e-9);
}

TEST(Importance, AllEqualVariantsHaveNoShare) {
  ValuedRows made;
  for (int n = 1; n <= 3; ++n) {
    made.ok("a", {{"N", n}}, 0.1);
    made.ok("b", {{"N", n}}, 0.1);
  }
  EXPECT_FALSE(parameter_importance(made.board()).variant_share.has_value());
}

TEST(Importance, InteractionsAreNamedAndSorted) {
  ValuedRows made;
  for (const int a : {0, 1})
    for (const int b : {0, 1})
      for (int c = 0; c < 8; ++c) made.ok("v", {{"A", a}, {"B", b}, {"C", c}}, a != b ? 20 : 10);
  const VariantImportance variant = parameter_importance(made.board()).variants[0];
  ASSERT_FALSE(variant.interactions.empty());
  EXPECT_EQ(variant.interactions[0].first, "A");
  EXPECT_EQ(variant.interactions[0].second, "B");
  EXPECT_GT(variant.interactions[0].share, 0.9);
  const auto pair = most_important_pair(parameter_importance(made.board()));
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->first + pair->second == "AB" || pair->first + pair->second == "BA", true);
}

TEST(Importance, NumbersOfAnyTypeAndTextsMix) {
  ValuedRows made;
  for (const auto& value : {ValuedRows::Json(1), ValuedRows::Json(2.5), ValuedRows::Json("auto"),
                            ValuedRows::Json(true)})
    for (int n = 0; n < 4; ++n) made.ok("v", {{"P", value}, {"N", n}}, 10 + n);
  const VariantImportance variant = parameter_importance(made.board()).variants[0];
  EXPECT_EQ(variant.parameters[0].name, "N");
  EXPECT_EQ(parameter(variant, "P").values.size(), 4u);
}

TEST(Importance, ManyConfigurationsAreSampledTheSameWayEveryTime) {
  ValuedRows made;
  for (int a = 0; a < 100; ++a)
    for (int b = 0; b < 100; ++b) made.ok("v", {{"A", a}, {"B", b}}, 10 + a + 0.1 * b);
  const Leaderboard board = made.board();
  const VariantImportance first = parameter_importance(board).variants[0];
  const VariantImportance second = parameter_importance(board).variants[0];
  EXPECT_EQ(first.configurations, 10000u);
  EXPECT_GT(first.parameters[0].main_share, 0.9);
  EXPECT_EQ(first.parameters[0].main_share, second.parameters[0].main_share);
  EXPECT_EQ(first.r_squared, second.r_squared);
}

TEST(Importance, AModelledBoardSaysSo) {
  ValuedRows made;
  made.make.has_clock = false;
  made.ok("a", {{"N", 1}}, 10);
  EXPECT_TRUE(parameter_importance(made.board()).modelled);
}

TEST(MostImportantPair, NeedsTwoParametersWithShares) {
  ValuedRows made;
  for (int n = 1; n <= 12; ++n) made.ok("a", {{"N", n}}, 10 + n);
  EXPECT_FALSE(most_important_pair(parameter_importance(made.board())).has_value());
  const auto pair = most_important_pair(parameter_importance(grid().board()));
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->variant, "plain");
  EXPECT_EQ(pair->first, "THREADS");
  EXPECT_EQ(pair->second, "UNROLL");
}

}  // namespace
}  // namespace warpwright
