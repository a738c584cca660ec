#include "stats/pareto_front.h"

#include <gmock/gmock.h>

#include "stats/split_mix.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Points = std::vector<std::vector<double>>;

TEST(ParetoFront, KeepsWhatNothingDominates) {
  EXPECT_THAT(pareto_front({}), IsEmpty());
  EXPECT_THAT(pareto_front({{3}, {1}, {2}}), ElementsAre(1));
  EXPECT_THAT(pareto_front({{1, 9}, {5, 5}, {9, 1}, {6, 6}, {5, 6}}), ElementsAre(0, 1, 2));
}

TEST(ParetoFront, EqualPointsAreAllOnIt) {
  EXPECT_THAT(pareto_front({{1, 1}, {2, 2}, {1, 1}}), ElementsAre(0, 2));
  EXPECT_FALSE(dominates({1, 1}, {1, 1}));
  EXPECT_TRUE(dominates({1, 1}, {1, 2}));
}

TEST(ParetoFront, IsWhatTheDefinitionSays) {
  SplitMix64 random(7);
  for (const std::size_t costs : {1U, 2U, 3U, 4U}) {
    Points points(200, std::vector<double>(costs));
    for (auto& point : points)
      for (double& cost : point) cost = static_cast<double>(random.below(12));
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < points.size(); ++i) {
      bool dominated = false;
      for (const auto& other : points) dominated = dominated || dominates(other, points[i]);
      if (!dominated) expected.push_back(i);
    }
    EXPECT_EQ(pareto_front(points), expected) << costs;
  }
}

}  // namespace
}  // namespace warpwright
