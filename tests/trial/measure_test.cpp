// The number of samples for each configuration, and the samples that are not used.
#include "trial/timing/measure.h"

#include <gmock/gmock.h>

#include "support/fake_device.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

// Returns the same time repeatedly, or the times that a test sets.
class ScriptedPlan : public TimingPlan {
 public:
  Samples take(int samples, std::chrono::milliseconds) override {
    asked.push_back(samples);
    Samples taken;
    taken.protocol = "cold-graph-1";
    taken.floor_us = floor_us;
    for (int i = 0; i < samples; ++i) {
      if (clock_mhz) taken.clock_mhz.push_back(clock_mhz(total));
      taken.elapsed_us.push_back(time_us(total++));
    }
    return taken;
  }
  std::function<double(int)> time_us = [](int) { return 103.0; };
  std::function<double(int)> clock_mhz;  // none when empty
  double floor_us = 3;
  std::vector<int> asked;
  int total = 0;
};

class MeasureTest : public ::testing::Test {
 protected:
  static DeviceState clock(int mhz) { return {mhz, 3201, 300, 50, {}, {}, 0}; }
  FakeDevice device;
  ScriptedPlan plan;
};

TEST_F(MeasureTest, TheFirstConfigurationGetsAllSamples) {
  plan.time_us = [](int i) { return i % 2 == 0 ? 101 : 105; };
  const Measurement measurement = measure(device, plan, {});
  EXPECT_EQ(measurement.status, Status::kOk);
  EXPECT_EQ(measurement.samples_us.size(), 50u);
  EXPECT_DOUBLE_EQ(measurement.time->median_us, 100);
}

TEST_F(MeasureTest, WhatIsSlowerThanTheBestIsPrunedAfterSixSamplesAndHasNoTime) {
  const Measurement measurement = measure(device, plan, {true, 79.0});
  EXPECT_EQ(measurement.status, Status::kPruned);
  EXPECT_EQ(measurement.samples_us.size(), 6u);
  EXPECT_FALSE(measurement.time.has_value());
  EXPECT_DOUBLE_EQ(*measurement.at_least_us, 100);
  EXPECT_EQ(measurement.reason,
            "the fastest of 6 samples took 100 µs, the best configuration takes 79 µs");
}

TEST_F(MeasureTest, WhatIsFarSlowerIsPrunedAfterTwo) {
  const Measurement measurement = measure(device, plan, {true, 65.0});
  EXPECT_EQ(measurement.status, Status::kPruned);
  EXPECT_EQ(measurement.samples_us.size(), 2u);
}

TEST_F(MeasureTest, OneTenthOfAMicrosecondPrunesNothing) {
  plan.time_us = [](int) { return 3.5; };
  EXPECT_EQ(measure(device, plan, {true, 0.39}).status, Status::kOk);
}

TEST_F(MeasureTest, AnIntervalThatIsNarrowIsEnough) {
  plan.time_us = [](int i) { return 103 + 0.2 * (i % 5); };
  EXPECT_EQ(measure(device, plan, {true, 100.0}).samples_us.size(), 6u);
}

TEST_F(MeasureTest, WhatIsSlowerButNotHopelessGetsTheUsualSamples) {
  plan.time_us = [](int i) { return i % 2 == 0 ? 103 : 113; };
  EXPECT_EQ(measure(device, plan, {true, 90.0}).samples_us.size(), 20u);
}

TEST_F(MeasureTest, WithoutScreeningNothingIsPruned) {
  const Measurement measurement = measure(device, plan, {false, 10.0});
  EXPECT_EQ(measurement.status, Status::kOk);
  EXPECT_GE(measurement.samples_us.size(), 30u);
}

TEST_F(MeasureTest, AClockThatMovesWithinABlockSpoilsItAndItIsMeasuredAgain) {
  device.states = {clock(1980), clock(1900), clock(1980)};
  int call = 0;
  plan.time_us = [&](int) { return call++ < 2 ? 999.0 : 103.0; };
  const Measurement measurement = measure(device, plan, {true, 90.0});
  EXPECT_EQ(measurement.status, Status::kOk);
  EXPECT_EQ(measurement.validity.tagged, 1);
  EXPECT_EQ(measurement.validity.sm_clock_min_mhz, 1900);
  EXPECT_DOUBLE_EQ(*std::max_element(measurement.samples_us.begin(), measurement.samples_us.end()),
                   103);
}

TEST_F(MeasureTest, WhatSamplesToldOfTheirClockIsKeptBesideWhatTheDeviceSaid) {
  device.states = {clock(1980)};
  plan.clock_mhz = [](int i) { return i == 0 ? 0.0 : i % 2 == 0 ? 1700.0 : 1710.0; };
  const Measurement measurement = measure(device, plan, {true, 90.0});
  EXPECT_EQ(measurement.sm_clock_mhz, 1980);
  ASSERT_TRUE(measurement.validity.clock_during_mhz.has_value());
  EXPECT_GE(*measurement.validity.clock_during_mhz, 1700);
  EXPECT_LE(*measurement.validity.clock_during_mhz, 1710);
  plan.clock_mhz = nullptr;
  EXPECT_FALSE(measure(device, plan, {true, 90.0}).validity.clock_during_mhz.has_value());
}

TEST_F(MeasureTest, ASlowdownSpoilsABlockAndAPowerCapAloneDoesNot) {
  DeviceState hot = clock(1980);
  hot.slowdown = {"hardware thermal slowdown"};
  DeviceState capped = clock(1980);
  capped.limits = {"power cap"};
  device.states = {hot, capped, capped};
  const Measurement measurement = measure(device, plan, {true, 90.0});
  EXPECT_EQ(measurement.status, Status::kOk);
  EXPECT_EQ(measurement.validity.tagged, 1);
  EXPECT_THAT(measurement.validity.throttle,
              ::testing::ElementsAre("hardware thermal slowdown", "power cap"));
}

TEST_F(MeasureTest, AClockThatNeverSettlesIsNoisyAndHasNoTime) {
  for (int i = 0; i < 200; ++i) device.states.push_back(clock(i % 2 == 0 ? 1980 : 1500));
  const Measurement measurement = measure(device, plan, {});
  EXPECT_EQ(measurement.status, Status::kNoisy);
  EXPECT_FALSE(measurement.time.has_value());
  EXPECT_THAT(measurement.reason, HasSubstr("10 of 10 blocks of samples were disturbed: SM clock "
                                            "between 1500 and 1980 MHz"));
}

TEST_F(MeasureTest, AClockThatFellForGoodSinceTheFirstBlockIsNotAveragedIn) {
  device.states = {clock(1980), clock(1980), clock(1600)};
  const Measurement measurement = measure(device, plan, {});
  EXPECT_EQ(measurement.status, Status::kNoisy);
}

TEST_F(MeasureTest, AClockThatRisesSpoilsWhatWasTakenBefore) {
  // Three blocks at a low clock, and all others at the usual one.
  device.states.assign(6, clock(1600));
  device.states.push_back(clock(1980));
  std::size_t calls = 0;
  plan.time_us = [&](int) {
    const double noise_us = ++calls % 2 == 0 ? 0 : 10;
    return (device.states.size() > 1 ? 104 : 103) + noise_us;
  };
  const Measurement measurement = measure(device, plan, {true, 90.0});
  EXPECT_EQ(measurement.status, Status::kOk) << measurement.reason;
  EXPECT_THAT(measurement.samples_us, ::testing::Each(::testing::AnyOf(103, 113)));
  EXPECT_EQ(measurement.samples_us.size(), 20u);
  EXPECT_EQ(measurement.validity.tagged, 3);
  EXPECT_EQ(measurement.validity.retaken, 3);
}

TEST_F(MeasureTest, AClockThatRisesWithinABlockOnlySpoilsThatBlock) {
  device.states = {clock(1600), clock(1980)};
  const Measurement measurement = measure(device, plan, {});
  EXPECT_EQ(measurement.status, Status::kOk) << measurement.reason;
  EXPECT_EQ(measurement.validity.tagged, 1);
}

TEST_F(MeasureTest, TheDeviceIsWarmedUpBeforeItIsTimed) {
  (void)measure(device, plan, {});
  EXPECT_EQ(device.warm_ups, 1);
}

TEST_F(MeasureTest, SteadyMeasuringStopsOnceTheIntervalIsNarrow) {
  const Measurement measurement =
      measure_steadily(device, plan, 0.005, 400, std::chrono::milliseconds(5000));
  EXPECT_EQ(measurement.samples_us.size(), 10u);
}

TEST_F(MeasureTest, SteadyMeasuringOfAWideDistributionGoesOnToTheEnd) {
  plan.time_us = [](int i) { return i % 2 == 0 ? 80.0 : 120.0; };
  const Measurement measurement =
      measure_steadily(device, plan, 0.005, 40, std::chrono::milliseconds(5000));
  EXPECT_EQ(measurement.samples_us.size(), 40u);
}

TEST_F(MeasureTest, AReadingBelowTheFloorIsNotNegative) {
  plan.time_us = [](int) { return 2.0; };
  EXPECT_GT(measure(device, plan, {}).time->median_us, 0);
}

}  // namespace
}  // namespace warpwright::testing
