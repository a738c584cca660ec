#include "bench/argument_use.h"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using Ranges = std::vector<emu::ByteRange>;

TEST(Region, WholeRowsAreABox) {
  const ArrayRegion region = region_of({{64, 192}}, {8, 16}, 4);
  EXPECT_THAT(region.box, ElementsAre(Pair(1, 3), Pair(0, 16)));
  EXPECT_TRUE(region.fills_box);
  EXPECT_EQ(region.bytes, 128u);
}

TEST(Region, ColumnsOfSomeRowsAreABox) {
  const ArrayRegion region = region_of({{8, 16}, {72, 80}}, {8, 16}, 4);
  EXPECT_THAT(region.box, ElementsAre(Pair(0, 2), Pair(2, 4)));
  EXPECT_TRUE(region.fills_box);
  EXPECT_EQ(region.ranges, 2u);
}

// It begins in row 0 and ends in row 1, so that all columns occur.
TEST(Region, ARangeAcrossRowsDoesNotFillItsBox) {
  const ArrayRegion region = region_of({{32, 96}}, {8, 16}, 4);
  EXPECT_THAT(region.box, ElementsAre(Pair(0, 2), Pair(0, 16)));
  EXPECT_FALSE(region.fills_box);
}

// From the end of plane 0 to the start of plane 1: the middle axis goes round as well.
TEST(Region, ARangeAcrossPlanesTakesInAllOfTheInnerAxes) {
  const ArrayRegion region = region_of({{28, 36}}, {2, 2, 4}, 4);
  EXPECT_THAT(region.box, ElementsAre(Pair(0, 2), Pair(0, 2), Pair(0, 4)));
  EXPECT_FALSE(region.fills_box);
}

TEST(Region, WithoutAccessHasNoBox) { EXPECT_THAT(region_of({}, {8, 16}, 4).box, IsEmpty()); }

TEST(Region, PartsOfElementsHaveNoBox) {
  const ArrayRegion region = region_of({{1, 3}}, {8}, 4);
  EXPECT_THAT(region.box, IsEmpty());
  EXPECT_EQ(region.bytes, 2u);
}

}  // namespace
}  // namespace warpwright
