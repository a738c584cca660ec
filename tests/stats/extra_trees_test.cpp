#include "stats/extra_trees.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stats/split_mix.h"

namespace warpwright {
namespace {

double truth(float a, float b, float name) { return a * a / 10 + (name == 2 ? 5 : 0) - b; }

// Two numbers in 0 .. 9 and one of four names.
ExtraTreesData sample(int rows, std::uint64_t seed) {
  ExtraTreesData data({0, 0, 4});
  SplitMix64 random(seed);
  for (int i = 0; i < rows; ++i) {
    const std::array<float, 3> row = {static_cast<float>(random.below(10)),
                                      static_cast<float>(random.below(10)),
                                      static_cast<float>(random.below(4))};
    data.add(row, truth(row[0], row[1], row[2]), row[1] == 9);
  }
  return data;
}

TEST(ExtraTrees, PredictsWhatItHasNotSeen) {
  const ExtraTrees forest(sample(300, 1));
  double error = 0;
  double variation = 0;
  SplitMix64 random(2);
  for (int i = 0; i < 200; ++i) {
    const std::array<float, 3> row = {static_cast<float>(random.below(10)),
                                      static_cast<float>(random.below(10)),
                                      static_cast<float>(random.below(4))};
    const double expected = truth(row[0], row[1], row[2]);
    error += std::pow(forest.predict(row).mean - expected, 2);
    variation += std::pow(expected - 0.0, 2);
  }
  EXPECT_LT(error, 0.1 * variation);
}

TEST(ExtraTrees, TellsApartNamesWithoutAnOrder) {
  ExtraTreesData data({5});
  for (int i = 0; i < 50; ++i) {
    const std::array<float, 1> row = {static_cast<float>(i % 5)};
    data.add(row, i % 5 == 1 || i % 5 == 3 ? 1 : 0, false);
  }
  const ExtraTrees forest(data);
  for (int name = 0; name < 5; ++name) {
    const std::array<float, 1> row = {static_cast<float>(name)};
    EXPECT_NEAR(forest.predict(row).mean, name == 1 || name == 3 ? 1 : 0, 1e-9);
  }
}

TEST(ExtraTrees, KnowsWhereRowsFail) {
  const ExtraTrees forest(sample(400, 3));
  const std::array<float, 3> fails = {4, 9, 0};
  const std::array<float, 3> runs = {4, 3, 0};
  EXPECT_GT(forest.predict(fails).failing, 0.6);
  EXPECT_LT(forest.predict(runs).failing, 0.2);
}

TEST(ExtraTrees, TreesDisagreeWhereNothingIsKnown) {
  ExtraTreesData data({0, 0});
  for (int i = 0; i < 40; ++i) {
    const std::array<float, 2> row = {static_cast<float>(i % 4), static_cast<float>(i / 4 % 2)};
    data.add(row, row[0], false);
  }
  const std::array<float, 2> far = {20, 9};
  data.add(far, 30, false);
  data.add(far, 30, false);
  const ExtraTrees forest(data);
  const std::array<float, 2> between = {10, 4};
  const std::array<float, 2> known = {2, 1};
  EXPECT_GT(forest.predict(between).spread, 3);
  EXPECT_LT(forest.predict(known).spread, 0.5);
}

TEST(ExtraTrees, TheSeedDecides) {
  const ExtraTreesData data = sample(60, 5);
  const std::array<float, 3> row = {5, 5, 1};
  const auto mean = [&](std::uint64_t seed) {
    return ExtraTrees(data, {.trees = 5, .seed = seed}).predict(row).mean;
  };
  EXPECT_EQ(mean(1), mean(1));
  EXPECT_NE(mean(1), mean(2));
}

TEST(ExtraTrees, OneRowIsEnough) {
  ExtraTreesData data({0});
  const std::array<float, 1> row = {3};
  data.add(row, 7, true);
  const ExtraTrees::Prediction guess = ExtraTrees(data).predict(row);
  EXPECT_EQ(guess.mean, 7);
  EXPECT_EQ(guess.spread, 0);
  EXPECT_EQ(guess.failing, 1);
}

}  // namespace
}  // namespace warpwright
