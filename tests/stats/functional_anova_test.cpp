#include <gtest/gtest.h>

#include <cmath>

#include "stats/forest_grid.h"
#include "stats/regression_forest.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

using testing::full_grid;
using testing::Levels;

FunctionalAnova anova_of(const ForestData& data) {
  return functional_anova(RegressionForest(data), data);
}

double total(const FunctionalAnova& anova) {
  double sum = anova.higher;
  for (const double share : anova.main) sum += share;
  for (const AnovaPair& pair : anova.pairs) sum += pair.share;
  return sum;
}

TEST(FunctionalAnova, ASumIsMainEffects) {
  // The variances of 2a and b over 0..7 have the ratio 4 to 1; c is irrelevant.
  const FunctionalAnova anova = anova_of(
      full_grid({{8}, {8}, {4}}, [](const Levels& at) { return 2.0 * at[0] + 1.0 * at[1]; }));
  EXPECT_NEAR(anova.main[0], 0.8, 0.03);
  EXPECT_NEAR(anova.main[1], 0.2, 0.03);
  EXPECT_LT(anova.main[2], 0.002);
  EXPECT_NEAR(total(anova), 1, 1e-9);
}

TEST(FunctionalAnova, AnExclusiveOrIsAllInteraction) {
  const FunctionalAnova anova = anova_of(
      full_grid({{2}, {2}, {4}, {4}}, [](const Levels& at) { return at[0] != at[1] ? 1.0 : 0.0; }));
  EXPECT_LT(anova.main[0], 0.02);
  EXPECT_LT(anova.main[1], 0.02);
  ASSERT_EQ(anova.pairs[0].first, 0u);
  ASSERT_EQ(anova.pairs[0].second, 1u);
  EXPECT_GT(anova.pairs[0].share, 0.9);
}

TEST(FunctionalAnova, AParityOfThreeIsHigherThanPairs) {
  const FunctionalAnova anova = anova_of(full_grid({{2}, {2}, {2}, {8}}, [](const Levels& at) {
    return (at[0] + at[1] + at[2]) % 2 == 0 ? 0.0 : 1.0;
  }));
  EXPECT_GT(anova.higher, 0.8);
  for (const double share : anova.main) EXPECT_LT(share, 0.05);
}

TEST(FunctionalAnova, AProductDividesAsTheAlgebraSays) {
  // With a and b in {0, 1, 2, 3}: Var(E[ab|a]) = 1.5^2 * 1.25, twice; Var(ab) = 3.5^2 - 1.5^4.
  const double whole = 3.5 * 3.5 - std::pow(1.5, 4);
  const double alone = 1.5 * 1.5 * 1.25 / whole;
  const FunctionalAnova anova =
      anova_of(full_grid({{4}, {4}, {8}}, [](const Levels& at) { return 1.0 * at[0] * at[1]; }));
  EXPECT_NEAR(anova.main[0], alone, 0.03);
  EXPECT_NEAR(anova.main[1], alone, 0.03);
  EXPECT_NEAR(anova.pairs[0].share, 1 - 2 * alone, 0.04);
  EXPECT_NEAR(anova.variance, whole, 0.1 * whole);
}

TEST(FunctionalAnova, RareLevelsWeighLittle) {
  // Level 2 of the first feature is slow but occurs in one row of 101.
  ForestData data{{{3}, {2}}, {}, {}};
  for (std::uint32_t i = 0; i < 100; ++i) {
    data.rows.push_back({i % 2, (i / 2) % 2});
    data.responses.push_back((i / 2) % 2 == 0 ? 0.0 : 1.0);
  }
  data.rows.push_back({2, 0});
  data.responses.push_back(1.5);
  const FunctionalAnova anova = anova_of(data);
  EXPECT_GT(anova.main[1], 0.9);
  EXPECT_LT(anova.main[0], 0.05);
}

TEST(FunctionalAnova, EqualResponsesHaveNoShares) {
  for (const double response : {0.0, 0.1, -1e6}) {
    const FunctionalAnova anova =
        anova_of(full_grid({{4}, {3}}, [&](const Levels&) { return response; }));
    EXPECT_EQ(anova.variance, 0) << response;
    EXPECT_EQ(total(anova), 0) << response;
    EXPECT_EQ(anova.pairs.size(), 1u);
  }
}

TEST(FunctionalAnova, AFarOffMeanDoesNotDrownTheVariance) {
  const FunctionalAnova anova = anova_of(
      full_grid({{8}, {8}}, [](const Levels& at) { return 1e6 + 1e-3 * (2.0 * at[0] + at[1]); }));
  EXPECT_NEAR(anova.main[0], 0.8, 0.04);
}

TEST(FunctionalAnova, LargeSpacesAreSampledAndAgree) {
  // There are 2^20 combinations, of which the data contain 600.
  SplitMix64 random(3);
  ForestData data{std::vector<ForestFeature>(20, ForestFeature{2}), {}, {}};
  for (int i = 0; i < 600; ++i) {
    Levels row;
    for (int k = 0; k < 20; ++k) row.push_back(random.below(2));
    data.responses.push_back(2.0 * row[0] + 1.0 * row[1]);
    data.rows.push_back(std::move(row));
  }
  const FunctionalAnova anova = anova_of(data);
  EXPECT_NEAR(anova.main[0], 0.8, 0.05);
  EXPECT_NEAR(anova.main[1], 0.2, 0.05);
  for (std::size_t i = 2; i < 20; ++i) EXPECT_LT(anova.main[i], 0.003);
}

TEST(FunctionalAnova, OneFeatureExplainsAll) {
  const FunctionalAnova anova =
      anova_of(full_grid({{16}}, [](const Levels& at) { return std::sqrt(1.0 * at[0]); }));
  EXPECT_NEAR(anova.main[0], 1, 1e-9);
  EXPECT_TRUE(anova.pairs.empty());
  EXPECT_NEAR(anova.higher, 0, 1e-9);
}

TEST(FunctionalAnova, OneRow) {
  const FunctionalAnova anova = anova_of({{{3}, {2}}, {{1, 0}}, {2.5}});
  EXPECT_EQ(anova.variance, 0);
  EXPECT_EQ(anova.main, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace warpwright
