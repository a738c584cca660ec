// Samples of kernels that the power cap slows down, on a device whose clock is set by the test.
#include "trial/timing/paced_plan.h"

#include <gmock/gmock.h>

#include <chrono>
#include <deque>

#include "support/fake_device.h"

namespace warpwright::testing {
namespace {

using std::chrono::milliseconds;

class PacedPlanTest : public ::testing::Test {
 protected:
  PacedPlanTest() {
    device.sampler = [this](const TimingRequest&, int samples) {
      Samples taken;
      taken.protocol = "cold-graph-1";
      taken.elapsed_us.assign(static_cast<std::size_t>(samples), kernel_us);
      taken.sequences = static_cast<std::uint64_t>(samples);
      for (int i = 0; i < samples && !told_mhz.empty(); ++i) {
        taken.clock_mhz.push_back(told_mhz.front());
        if (told_mhz.size() > 1) told_mhz.pop_front();
      }
      return taken;
    };
  }
  static DeviceState clock(int mhz) {
    DeviceState state;
    state.sm_clock_mhz = mhz;
    return state;
  }
  FakeDevice device;
  double kernel_us = 3000;
  std::deque<double> told_mhz;  // reported by the next samples; the last one stays; none when empty
};

TEST_F(PacedPlanTest, TakesAllAtOnceWhileTheClockHolds) {
  device.states = {clock(1980), clock(1960)};
  const Samples taken = plan_paced(device, {})->take(20, milliseconds(1000));
  EXPECT_EQ(taken.elapsed_us.size(), 20u);
  EXPECT_FALSE(taken.disturbed);
  EXPECT_EQ(device.log, std::vector<std::string>{"sample 20"});
}

TEST_F(PacedPlanTest, TakesSlowedSamplesAgainAFewAtATime) {
  // Slowed down once; then, with cool-downs, a little slower than before the first sample.
  device.states = {clock(1980), clock(1600), clock(1920)};
  const Samples taken = plan_paced(device, {})->take(4, milliseconds(1000));
  EXPECT_EQ(taken.elapsed_us.size(), 4u);
  EXPECT_EQ(taken.sequences, 4u);
  EXPECT_FALSE(taken.disturbed);
  // First the four samples that were slowed down, then one at a time, because two would take more
  // than 5 ms.
  EXPECT_EQ(device.log,
            (std::vector<std::string>{"sample 4", "sample 1", "sample 1", "sample 1", "sample 1"}));
}

TEST_F(PacedPlanTest, SaysWhenRestsDoNotHelp) {
  device.states = {clock(1980)};
  for (int mhz = 1900; mhz > 100; mhz = mhz * 9 / 10) device.states.push_back(clock(mhz));
  const Samples taken = plan_paced(device, {})->take(2, milliseconds(1000));
  EXPECT_EQ(taken.elapsed_us.size(), 2u);
  EXPECT_TRUE(taken.disturbed);
}

TEST_F(PacedPlanTest, KernelsKnownToBeLongAreTakenAFewAtATimeAndRestOnlyUnderAPowerCap) {
  device.states = {clock(1980)};
  const Samples taken = plan_paced(device, {}, kernel_us)->take(3, milliseconds(1000));
  EXPECT_EQ(taken.elapsed_us.size(), 3u);
  EXPECT_FALSE(taken.disturbed);
  EXPECT_EQ(device.log, (std::vector<std::string>{"sample 1", "sample 1", "sample 1"}));
  EXPECT_EQ(device.rests_until, std::chrono::steady_clock::time_point());
}

TEST_F(PacedPlanTest, WhatKernelsKnownToBeLongTakeBeforeTheirFirstRestUnderAPowerCapIsDropped) {
  DeviceState capped = clock(1980);
  capped.limits = {kPowerCap};
  device.states = {clock(1980), capped};
  const Samples taken = plan_paced(device, {}, kernel_us)->take(3, milliseconds(1000));
  EXPECT_EQ(taken.elapsed_us.size(), 3u);
  EXPECT_FALSE(taken.disturbed);
  EXPECT_EQ(device.log, (std::vector<std::string>(4, "sample 1")));
  EXPECT_GT(device.rests_until, std::chrono::steady_clock::time_point());
}

TEST_F(PacedPlanTest, WithRestsTheClockThatSamplesTellMustNotFallBelowWhatItWas) {
  DeviceState capped = clock(1980);
  capped.limits = {kPowerCap};
  device.states = {clock(1980), capped};
  // Before the first cool-down; then after a cool-down, after one that was too short, and after a
  // longer one.
  told_mhz = {1500, 1700, 1560, 1690};
  const Samples taken = plan_paced(device, {}, kernel_us)->take(3, milliseconds(1000));
  EXPECT_FALSE(taken.disturbed);
  EXPECT_EQ(taken.clock_mhz, (std::vector<double>{1700, 1690, 1690}));
  EXPECT_EQ(device.log, (std::vector<std::string>(5, "sample 1")));
}

TEST_F(PacedPlanTest, OneLaunchThatToldAHighClockDoesNotMakeAllOthersSlow) {
  DeviceState capped = clock(1980);
  capped.limits = {kPowerCap};
  device.states = {clock(1980), capped};
  told_mhz = {1500, 1640, 1660, 1630, 1650, 1760, 1640};
  const auto plan = plan_paced(device, {}, kernel_us);
  const Samples taken = plan->take(10, milliseconds(1000));
  EXPECT_TRUE(taken.paced);
  EXPECT_FALSE(taken.disturbed);
  EXPECT_EQ(device.log.size(), 11u) << "only the first, before any rest, is taken again";
}

TEST_F(PacedPlanTest, ARestIsOwedByWhoeverSamplesNext) {
  const auto until = std::chrono::steady_clock::now() + milliseconds(30);
  device.rests_until = until;
  (void)plan_paced(device, {})->take(1, milliseconds(1000));
  EXPECT_GE(std::chrono::steady_clock::now(), until);
}

TEST_F(PacedPlanTest, LongLaunchesUnderAPowerCapOweARest) {
  device.states = {clock(1980)};
  owe_rest(device, 50'000);
  EXPECT_EQ(device.rests_until, std::chrono::steady_clock::time_point()) << "no power cap";
  device.states.front().limits = {kPowerCap};
  owe_rest(device, 500);
  EXPECT_EQ(device.rests_until, std::chrono::steady_clock::time_point()) << "short";
  const auto before = std::chrono::steady_clock::now();
  owe_rest(device, 50'000);
  EXPECT_GE(device.rests_until, before + milliseconds(100));
  owe_rest(device, 5e6);
  EXPECT_LE(device.rests_until, std::chrono::steady_clock::now() + milliseconds(200));
}

TEST_F(PacedPlanTest, KernelsKnownToBeShortHaveNone) {
  kernel_us = 100;
  device.states = {clock(1980)};
  const Samples taken = plan_paced(device, {}, kernel_us)->take(60, milliseconds(1000));
  EXPECT_EQ(taken.elapsed_us.size(), 60u);
  EXPECT_EQ(device.log, std::vector<std::string>{"sample 60"});
}

TEST_F(PacedPlanTest, ADeviceThatDoesNotTellItsClockIsNotPaced) {
  const Samples taken = plan_paced(device, {})->take(20, milliseconds(1000));
  EXPECT_FALSE(taken.disturbed);
  EXPECT_EQ(device.log, std::vector<std::string>{"sample 20"});
}

TEST_F(PacedPlanTest, HandsOnWhatFails) {
  device.sampler = [](const TimingRequest&, int) {
    Samples taken;
    taken.status = Status::kLaunchFailed;
    taken.reason = "illegal address";
    return taken;
  };
  const Samples taken = plan_paced(device, {})->take(2, milliseconds(1000));
  EXPECT_EQ(taken.status, Status::kLaunchFailed);
  EXPECT_EQ(taken.reason, "illegal address");
}

}  // namespace
}  // namespace warpwright::testing
