#include <gtest/gtest.h>

#include <vector>

#include "device/timing.h"

namespace warpwright {
namespace {

// SMs count from different numbers; a millisecond at 1.5 GHz.
const std::vector<ClockStamp> kBefore = {{5'000'000, 70}, {5'000'500, 900'000}, {5'001'000, 1}};

std::vector<ClockStamp> later(const std::vector<ClockStamp>& stamps, std::uint64_t ns,
                              std::uint64_t cycles) {
  std::vector<ClockStamp> moved = stamps;
  for (ClockStamp& stamp : moved) stamp = {stamp.ns + ns, stamp.cycles + cycles};
  return moved;
}

TEST(ClockStampTest, CyclesOverTime) {
  EXPECT_DOUBLE_EQ(clock_between(kBefore, later(kBefore, 1'000'000, 1'500'000)), 1500);
}

TEST(ClockStampTest, TheMedianOfTheMultiprocessors) {
  std::vector<ClockStamp> after = later(kBefore, 1'000'000, 1'500'000);
  after[1].cycles += 400'000;
  EXPECT_DOUBLE_EQ(clock_between(kBefore, after), 1500);
}

TEST(ClockStampTest, StampsOfOtherLaunchesDoNotCount) {
  std::vector<ClockStamp> before = kBefore;
  before[0] = {3'000'000, 0};  // no block of the latest launch ran there
  before[2] = {};
  std::vector<ClockStamp> after = later(kBefore, 1'000'000, 1'500'000);
  EXPECT_DOUBLE_EQ(clock_between(before, after), 1500);
  after[1] = before[1];
  EXPECT_EQ(clock_between(before, after), 0);
}

TEST(ClockStampTest, NothingIsKnownWithoutStamps) {
  const std::vector<ClockStamp> never(4);
  EXPECT_EQ(clock_between(never, never), 0);
  EXPECT_EQ(clock_between({}, {}), 0);
}

}  // namespace
}  // namespace warpwright
