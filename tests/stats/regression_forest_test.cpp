#include "stats/regression_forest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "stats/forest_grid.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

using testing::full_grid;
using testing::Levels;

double squared_error(const RegressionForest& forest, const ForestData& data) {
  double error = 0;
  for (std::size_t i = 0; i < data.rows.size(); ++i)
    error += std::pow(forest.predict(data.rows[i]) - data.responses[i], 2);
  return error;
}

TEST(RegressionForest, LearnsASum) {
  const ForestData data = full_grid(
      {{8}, {8}, {4}}, [](const Levels& at) { return 1.0 * at[0] + 0.5 * at[1] + 0.1 * at[2]; });
  const RegressionForest forest(data);
  EXPECT_GT(forest.out_of_bag_r2().value(), 0.97);
  EXPECT_LT(squared_error(forest, data) / static_cast<double>(data.rows.size()), 0.02);
}

TEST(RegressionForest, LearnsAnExclusiveOrThatNoSingleSplitShows) {
  const ForestData data =
      full_grid({{2}, {2}, {8}, {8}}, [](const Levels& at) { return at[0] != at[1] ? 1.0 : 0.0; });
  EXPECT_GT(RegressionForest(data).out_of_bag_r2().value(), 0.9);
}

TEST(RegressionForest, NamesHaveNoOrder) {
  // The response depends on whether the level is odd: neighbours differ, yet one split suffices.
  const ForestData data =
      full_grid({{8, false}, {8}}, [](const Levels& at) { return at[0] % 2 == 0 ? 0.0 : 1.0; });
  const RegressionForest forest(data);
  EXPECT_DOUBLE_EQ(forest.out_of_bag_r2().value(), 1);
  for (const RegressionTree& tree : forest.trees()) EXPECT_LE(tree.size(), 7u);
}

TEST(RegressionForest, NoiseIsNotPredicted) {
  SplitMix64 random(7);
  const ForestData data =
      full_grid({{6}, {6}, {6}}, [&](const Levels&) { return random.uniform(); });
  EXPECT_LT(RegressionForest(data).out_of_bag_r2().value(), 0.05);
}

TEST(RegressionForest, ShufflingWhatMattersCostsWhatItExplains) {
  const ForestData data =
      full_grid({{8}, {8}, {4}}, [](const Levels& at) { return 3.0 * at[0] + 1.0 * at[1]; });
  const std::vector<double> loss = RegressionForest(data).permutation_loss();
  EXPECT_NEAR(loss[0], 0.9, 0.1);  // variances have the ratio 9 to 1
  EXPECT_NEAR(loss[1], 0.1, 0.05);
  EXPECT_NEAR(loss[2], 0, 0.01);
}

TEST(RegressionForest, EqualSeedsGiveEqualForests) {
  const ForestData data = full_grid({{5}, {5, false}, {3}}, [](const Levels& at) {
    return std::sin(1.0 * at[0]) + at[1] * at[2];
  });
  const RegressionForest a(data), b(data), other(data, {.seed = 2});
  EXPECT_EQ(a.permutation_loss(), b.permutation_loss());
  EXPECT_NE(a.permutation_loss(), other.permutation_loss());
  for (const Levels& row : data.rows) EXPECT_EQ(a.predict(row), b.predict(row));
}

TEST(RegressionForest, EqualResponsesAreOneLeafAndSayNothing) {
  const ForestData data = full_grid({{4}, {3}}, [](const Levels&) { return 0.1; });
  const RegressionForest forest(data);
  EXPECT_FALSE(forest.out_of_bag_r2().has_value());
  EXPECT_EQ(forest.permutation_loss(), (std::vector<double>{0, 0}));
  for (const RegressionTree& tree : forest.trees()) EXPECT_EQ(tree.size(), 1u);
}

TEST(RegressionForest, OneRow) {
  const RegressionForest forest({{{3}}, {{1}}, {2.5}});
  EXPECT_EQ(forest.predict({0}), 2.5);
  EXPECT_FALSE(forest.out_of_bag_r2().has_value());
}

TEST(RegressionForest, RowsThatDifferInTheResponseOnlyEndInOneLeaf) {
  const RegressionForest forest({{{2}}, {{1}, {1}, {1}, {1}}, {1, 2, 3, 4}});
  for (const RegressionTree& tree : forest.trees()) EXPECT_EQ(tree.size(), 1u);
  EXPECT_GE(forest.predict({0}), 1);
  EXPECT_LE(forest.predict({0}), 4);
}

TEST(RegressionForest, ALevelThatNoRowHasGoesWithItsNeighbours) {
  // No row has level 1 of 0, 1, 2, 3; level 0 is slow, 2 and 3 are fast.
  const RegressionForest forest(
      {{{4}}, {{0}, {0}, {0}, {2}, {2}, {2}, {3}, {3}, {3}}, {9, 9, 9, 1, 1, 1, 1, 1, 1}});
  const double between = forest.predict({1});
  EXPECT_GE(between, 1);
  EXPECT_LE(between, 9);
}

TEST(RegressionForest, HugeAndTinyResponsesStayFinite) {
  const ForestData data =
      full_grid({{4}, {4}}, [](const Levels& at) { return at[0] == 0 ? 1e150 : 1e-150 * at[1]; });
  const RegressionForest forest(data);
  EXPECT_TRUE(std::isfinite(forest.predict({1, 1})));
  EXPECT_TRUE(std::isfinite(forest.out_of_bag_r2().value()));
}

TEST(RegressionForest, RefusesWhatIsNotFiniteOrNotALevel) {
  EXPECT_THROW(RegressionForest({{{2}}, {{0}, {1}}, {1, std::nan("")}}), Error);
  EXPECT_THROW(RegressionForest({{{2}}, {{0}, {2}}, {1, 2}}), Error);
  EXPECT_THROW(RegressionForest({{{2}}, {}, {}}), Error);
}

}  // namespace
}  // namespace warpwright
