#include "stats/random_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace warpwright {
namespace {

struct Drawn {
  double score = 0, near = 0;
};

// Averages over every set of `draws` configurations; those at times.size() and beyond failed.
Drawn every_draw(const std::vector<double>& times, std::size_t configurations, int draws,
                 double within) {
  const double best = *std::min_element(times.begin(), times.end());
  Drawn sum;
  double sets = 0;
  for (unsigned set = 0; set < 1u << configurations; ++set) {
    if (std::popcount(set) != draws) continue;
    double found = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i)
      if (set >> i & 1u) found = std::min(found, times[i]);
    sum.score += best / found;
    sum.near += found <= best * (1 + within);
    ++sets;
  }
  return {sum.score / sets, sum.near / sets};
}

const std::vector<double> kRanTimes = {7, 2, 2.08, 3, 3, 11};

TEST(RandomSearch, IsTheMeanOverEveryDraw) {
  for (const std::size_t configurations : {6, 7, 11}) {
    const RandomSearch random(kRanTimes, configurations);
    for (int draws = 1; draws <= static_cast<int>(configurations); ++draws) {
      const Drawn expected = every_draw(kRanTimes, configurations, draws, 0.05);
      EXPECT_NEAR(random.expected_score(draws), expected.score, 1e-13)
          << draws << " of " << configurations;
      EXPECT_NEAR(random.chance_within(0.05, draws), expected.near, 1e-13)
          << draws << " of " << configurations;
    }
  }
}

TEST(RandomSearch, AllThatIsDrawnFindsTheBest) {
  const RandomSearch random(kRanTimes, 9);
  for (const std::size_t draws : {9, 10, 1000}) {
    EXPECT_DOUBLE_EQ(random.expected_score(draws), 1);
    EXPECT_DOUBLE_EQ(random.chance_within(0, draws), 1);
  }
}

TEST(RandomSearch, NothingDrawnFindsNothing) {
  const RandomSearch random(kRanTimes, 9);
  EXPECT_EQ(random.expected_score(0), 0);
  EXPECT_EQ(random.chance_within(1, 0), 0);
}

TEST(RandomSearch, OneThatRanAmongManyThatFailed) {
  const RandomSearch random({5}, 1000);
  EXPECT_NEAR(random.expected_score(100), 0.1, 1e-15);
  EXPECT_NEAR(random.chance_within(0, 100), 0.1, 1e-12);
}

TEST(RandomSearch, TheAreaIsTheMeanOfTheScoresUpToTheBudget) {
  const RandomSearch random(kRanTimes, 9);
  for (const std::size_t budget : {1, 5, 9, 30}) {
    double sum = 0;
    for (std::size_t draws = 1; draws <= budget; ++draws) sum += random.expected_score(draws);
    EXPECT_NEAR(random.expected_area(budget), sum / static_cast<double>(budget), 1e-14) << budget;
  }
}

TEST(RandomSearch, ALargeSpaceIsSummedToTheEnd) {
  std::vector<double> times;
  for (int i = 1; i <= 200'000; ++i) times.push_back(i);
  // The expected inverse of the smallest of 10 of 1 .. N has no closed form; for one draw it is a
  // harmonic number.
  double harmonic = 0;
  for (int i = 200'000; i >= 1; --i) harmonic += 1.0 / i;
  EXPECT_NEAR(RandomSearch(times, times.size()).expected_score(1), harmonic / 200'000, 1e-12);
}

TEST(WithinOfBest, TheLimitItselfIsWithin) {
  EXPECT_TRUE(within_of_best(1.05, 0.05));
  EXPECT_TRUE(within_of_best(0.42 / 0.4, 0.05));
  EXPECT_FALSE(within_of_best(1.0500001, 0.05));
}

}  // namespace
}  // namespace warpwright
