// A configuration that is validated once and sampled later.
#include <gmock/gmock.h>

#include "trial/timing/measure.h"
#include "trial/trial_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class KeptTrial : public TrialRunnerTest {
 protected:
  KeptTrial() {
    device.device_info.has_clock = true;
    device.states = {DeviceState{1980, 3201, 200, 40, {}, {}, 0}};
    device.sampler = [](const TimingRequest&, int wanted) {
      Samples samples;
      samples.protocol = "cold-graph-1";
      samples.floor_us = 3;
      samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 100);
      return samples;
    };
  }
  Outcome prepare() {
    runner.emplace(files.read(), device, options);
    return runner->prepare(tiny_configuration(), tiny_problem(), fake_compiled(), {});
  }
  std::optional<TrialRunner> runner;
};

TEST_F(KeptTrial, IsValidatedAndNotTimed) {
  const Outcome outcome = prepare();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_FALSE(outcome.time.has_value());
  EXPECT_EQ(outcome.samples_us.size(), 0u);
}

TEST_F(KeptTrial, GivesAsManySamplesAsAreAskedForAgainAndAgain) {
  (void)prepare();
  for (const int wanted : {1, 17, 256}) {
    const Measurement taken = runner->sample(wanted);
    EXPECT_EQ(taken.status, Status::kOk) << taken.reason;
    EXPECT_EQ(taken.samples_us, std::vector<double>(static_cast<std::size_t>(wanted), 100));
    EXPECT_EQ(taken.time->floor_us, 3);
    EXPECT_EQ(taken.time->protocol, "cold-graph-1");
  }
  EXPECT_EQ(runner->recheck().status, Status::kOk);
}

TEST_F(KeptTrial, AWrongConfigurationIsNotKept) {
  then([](const FakeArguments& arguments) { arguments.pointer<float>(1)[4] = 100; });
  EXPECT_EQ(prepare().status, Status::kWrongResult);
}

TEST_F(KeptTrial, WhatGoesWrongOnceItIsSampledIsFoundAfterwards) {
  device.checks_samples = false;
  then([this](const FakeArguments& arguments) {
    // Five runs with these inputs and one with others do not reveal the error.
    if (++launches > 6) arguments.pointer<float>(1)[4] = 100;
  });
  ASSERT_EQ(prepare().status, Status::kOk);
  EXPECT_EQ(runner->sample(3).status, Status::kOk);
  EXPECT_EQ(runner->recheck().status, Status::kWrongResult);
}

TEST_F(KeptTrial, MomentsInWhichTheClockMovedAreTakenAgain) {
  // The states before the block, before and after its samples, and after the block; then steady
  // again.
  const DeviceState steady{1980, 3201, 200, 40, {}, {}, 0};
  device.states = {steady, steady, steady, DeviceState{1500, 3201, 200, 40, {}, {}, 0}, steady};
  (void)prepare();
  device.log.clear();
  EXPECT_EQ(runner->sample(5).samples_us.size(), 5u);
  EXPECT_GE(std::count(device.log.begin(), device.log.end(), "sample 5"), 2);
}

TEST_F(KeptTrial, ADeviceThatNeverHoldsStillGivesNoSamples) {
  (void)prepare();
  device.states.clear();
  for (int i = 0; i < 100; ++i)
    device.states.push_back(DeviceState{1400 + i * 359 % 581, 3201, 200, 40, {}, {}, 0});
  const Measurement taken = runner->sample(5);
  EXPECT_EQ(taken.status, Status::kNoisy);
  EXPECT_THAT(taken.reason, HasSubstr("blocks of samples were disturbed: SM clock between 14"));
}

TEST_F(KeptTrial, WithoutAClockTheTimeIsTheModels) {
  device.device_info.has_clock = false;
  const Outcome outcome = prepare();
  EXPECT_EQ(outcome.status, Status::kOk);
  ASSERT_TRUE(outcome.time.has_value());
  EXPECT_TRUE(outcome.time->modelled);
}

}  // namespace
}  // namespace warpwright::testing
