#include <gmock/gmock.h>

#include "trial/data/problem_data.h"

namespace warpwright {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(UnitSampleTest, SmallProblemsAreComplete) {
  const UnitSample sample = sample_units(4, 100, 1);
  EXPECT_THAT(sample.units, ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(sample.complete());
}

TEST(UnitSampleTest, LargeProblemsHaveTheLimit) {
  const UnitSample sample = sample_units(1'000'000, 200, 1);
  EXPECT_EQ(sample.units.size(), 200u);
  EXPECT_FALSE(sample.complete());
  EXPECT_TRUE(std::is_sorted(sample.units.begin(), sample.units.end()));
  EXPECT_EQ(std::adjacent_find(sample.units.begin(), sample.units.end()), sample.units.end());
}

TEST(UnitSampleTest, EndsAndTileEdgesAreAlwaysThere) {
  const UnitSample sample = sample_units(1000, 100, 1);
  for (const std::int64_t unit : {0, 1, 31, 32, 63, 64, 127, 128, 895, 896, 999}) {
    EXPECT_THAT(sample.units, Contains(unit)) << unit;
  }
}

TEST(UnitSampleTest, SeedsDrawOtherUnits) {
  EXPECT_EQ(sample_units(100'000, 100, 1).units, sample_units(100'000, 100, 1).units);
  EXPECT_NE(sample_units(100'000, 100, 1).units, sample_units(100'000, 100, 2).units);
}

TEST(UnitSampleTest, TheSmallestLimitKeepsBothEnds) {
  EXPECT_THAT(sample_units(1000, 0, 1).units, ElementsAre(0, 999));
}

}  // namespace
}  // namespace warpwright
