#include "workers/watchdog.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

using std::chrono::seconds;

DeviceInfo device(bool has_clock) {
  DeviceInfo info;
  info.has_clock = has_clock;
  return info;
}

TEST(Watchdog, AFirstLaunchHasTenSeconds) {
  EXPECT_EQ(launch_time_limit(device(true), std::nullopt), seconds(10));
}

TEST(Watchdog, AFastBoardStillLeavesTwoSeconds) {
  EXPECT_EQ(launch_time_limit(device(true), 8.5), seconds(2));
}

TEST(Watchdog, ASlowBoardLeavesTwentyTimesItsBest) {
  EXPECT_EQ(launch_time_limit(device(true), 3e6), seconds(60));
}

TEST(Watchdog, AnEmulatedLaunchIsNotBoundByModelledTime) {
  EXPECT_EQ(launch_time_limit(device(false), 3e6), launch_time_limit(device(false), 1.0));
}

TEST(Watchdog, SilenceAroundALaunchIsBoundByItsLimit) {
  EXPECT_EQ(silence_limit("validate", seconds(2), seconds(600)), seconds(32));
  EXPECT_EQ(silence_limit("measure", seconds(60), seconds(600)), seconds(90));
}

TEST(Watchdog, TheContractsWorkMayTakeAllThePatienceThereIs) {
  for (const char* phase : {"", "inputs", "reference"})
    EXPECT_EQ(silence_limit(phase, seconds(2), seconds(600)), seconds(600)) << phase;
}

TEST(Watchdog, NoLimitExceedsThePatience) {
  EXPECT_EQ(silence_limit("measure", seconds(1000), seconds(600)), seconds(600));
}

}  // namespace
}  // namespace warpwright
