#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "trial/trial_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::StartsWith;

// In-out: y starts with the contract's fill and is accumulated.
class InOutTest : public TrialRunnerTest {
 protected:
  InOutTest() {
    files.replace("{name: y, out: f32, shape: [rows, V],",
                  "{name: y, inout: f32, shape: [rows, V], fill: ones,");
    files.reference = R"(#include "reference.h"
int ww_reference(const ww_call* call) {
  const ww_tensor* x = ww::find_tensor(call, "x");
  const ww_tensor* old = ww::find_tensor(call, "y");
  double* y = ww::find_output(call, "y");
  const int64_t width = ww::size(call, "V");
  for (int64_t u = 0; u < call->unit_count; ++u)
    for (int64_t i = 0; i < width; ++i) {
      const int64_t at = call->units[u] * width + i;
      y[u * width + i] = ww::load(old, at) + 2 * ww::load(x, at);
    }
  return 0;
}
)";
    device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
      const float* x = arguments.pointer<const float>(0);
      for (int i = 0; i < arguments.value<int>(2); ++i) arguments.pointer<float>(1)[i] += 2 * x[i];
    };
  }
};

TEST_F(InOutTest, InOutArgumentsAreRestoredBeforeEveryRun) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
}

TEST_F(InOutTest, InOutArgumentsAreRestoredBeforeSamples) {
  device.device_info.has_clock = true;
  std::size_t restores = 0;
  device.sampler = [&](const TimingRequest& request, int wanted) {
    restores = request.rotation.front().restore.size();
    Samples samples;
    samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 10);
    return samples;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(restores, 1u);
}

// The tiny problem's y has 3 x 7 elements.
TEST_F(TrialRunnerTest, SamplesFindAsMuchDirtyAsOutputsAndScratchHold) {
  files.replace(
      "  - {name: count, value: rows * V}",
      "  - {name: count, value: rows * V}\n  - {name: work, scratch: f32, shape: [THREADS]}");
  files.replace("block: [THREADS]}]", "block: [THREADS], arguments: [x, y, count, work]}]");
  device.device_info.has_clock = true;
  std::size_t written = 0;
  device.sampler = [&](const TimingRequest& request, int wanted) {
    written = request.written_bytes;
    Samples samples;
    samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 10);
    return samples;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(written, 3u * 7 * 4 + 128 * 4);
}

class TimedTrialTest : public TrialRunnerTest {
 protected:
  TimedTrialTest() {
    device.device_info.has_clock = true;
    device.states = {DeviceState{1980, 3201, 200, 40, {}, {}, 0}};
    device.sampler = [this](const TimingRequest&, int wanted) {
      Samples samples;
      samples.protocol = "cold-graph-1";
      samples.floor_us = 3;
      for (int i = 0; i < wanted; ++i) samples.elapsed_us.push_back(next_sample());
      return samples;
    };
  }
  double next_sample() {
    ++taken;
    return 100 + spread * (taken % 2 == 0 ? 1 : -1);
  }
  // Five with the sweep's inputs, one with those of another seed.
  static constexpr int kValidatedRuns = 6;
  double spread = 0;
  int taken = 0;
};

class CountedTrialTest : public TimedTrialTest {
 protected:
  CountedTrialTest() {
    device.device_info.counts_energy = true;
    // The counter moves with every reading.
    device.energy_counter = [this] { return static_cast<double>(readings++); };
    device.samplers[TimingMode::kHot] = [this](const TimingRequest&, int wanted) {
      // Runs until the counter has been read a few times, however late the reading thread is
      // scheduled.
      for (const int enough = readings + 10; readings < enough;)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      Samples samples;
      samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 80);
      samples.sequences = 100;
      return samples;
    };
  }
  Outcome run_with(bool energy) {
    TrialRunner runner(files.read(), device, options);
    return runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), {},
                      {.launch_time_limit = {}, .best_us = {}, .energy = energy});
  }
  std::atomic<int> readings{0};
};

TEST_F(CountedTrialTest, EnergyIsCountedWhereItIsAskedFor) {
  const Outcome asked = run_with(true);
  EXPECT_EQ(asked.status, Status::kOk) << asked.reason;
  ASSERT_TRUE(asked.energy_mj_per_launch.has_value());
  EXPECT_GT(*asked.energy_mj_per_launch, 0);
  EXPECT_GT(*asked.power_w, 0);
  const Outcome plain = run_with(false);
  EXPECT_FALSE(plain.energy_mj_per_launch.has_value());
}

TEST_F(CountedTrialTest, WithoutACounterThereIsNone) {
  device.device_info.counts_energy = false;
  const Outcome outcome = run_with(true);
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_FALSE(outcome.energy_mj_per_launch.has_value());
}

TEST_F(CountedTrialTest, WhatTheChainOfLaunchesSpoiltIsFound) {
  bool hot = false;
  device.samplers[TimingMode::kHot] = [&](const TimingRequest&, int wanted) {
    hot = true;
    Samples samples;
    samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 80);
    return samples;
  };
  then([&](const FakeArguments& arguments) {
    if (hot) arguments.pointer<float>(1)[0] += 1;
  });
  EXPECT_EQ(run_with(true).status, Status::kWrongResult);
}

TEST_F(TimedTrialTest, TheTimeIsWithoutTheFloorAndTheRawOneIsKept) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(outcome.samples_us.size(), 6u);
  EXPECT_DOUBLE_EQ(outcome.samples_us.front(), 100);
  EXPECT_DOUBLE_EQ(outcome.time->median_us, 97);
  EXPECT_DOUBLE_EQ(outcome.time->raw_median_us, 100);
  EXPECT_DOUBLE_EQ(outcome.time->floor_us, 3);
  EXPECT_EQ(outcome.time->protocol, "cold-graph-1");
  EXPECT_FALSE(outcome.time->modelled);
  EXPECT_EQ(outcome.sm_clock_mhz, 1980);
}

TEST_F(TimedTrialTest, TheIntervalIsThatOfTheMedian) {
  spread = 5;
  const Outcome outcome = run();
  EXPECT_EQ(outcome.time->ci_low_us, 92);
  EXPECT_EQ(outcome.time->ci_high_us, 102);
}

TEST_F(TimedTrialTest, AFailureWhileSamplingIsTheOutcome) {
  device.sampler = [](const TimingRequest&, int) {
    Samples samples;
    samples.status = Status::kLaunchFailed;
    samples.reason = "CUDA_ERROR_ILLEGAL_ADDRESS";
    samples.device_lost = true;
    return samples;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_EQ(outcome.reason, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_TRUE(outcome.worker_lost);
  EXPECT_FALSE(outcome.time.has_value());
}

class ScreenedTrialTest : public TimedTrialTest {
 protected:
  ScreenedTrialTest() { options.screening = true; }
  // The time of every launch of a validation; the best known configuration takes 5 ms.
  Outcome run_with_launches_of(double elapsed_us) {
    device.kernels["twice"] = [this, elapsed_us](const FakeArguments& arguments,
                                                 LaunchResult& result) {
      twice(arguments);
      ++launches;
      result.elapsed_us = elapsed_us;
    };
    TrialRunner runner(files.read(), device, options);
    TrialLimits limits;
    limits.best_us = 5000;
    return runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), {}, limits);
  }
};

TEST_F(ScreenedTrialTest, ALaunchThatIsFarTooSlowIsNotFollowedByAnother) {
  const Outcome outcome = run_with_launches_of(10'000);
  EXPECT_EQ(outcome.status, Status::kPruned);
  EXPECT_EQ(launches, 1);
  EXPECT_EQ(taken, 0);
  EXPECT_DOUBLE_EQ(*outcome.at_least_us, 7000) << "the first may have loaded the code";
}

TEST_F(ScreenedTrialTest, LaunchesOverOneAndAQuarterTimesTheBestAreEnough) {
  const Outcome outcome = run_with_launches_of(6'400);
  EXPECT_EQ(outcome.status, Status::kPruned);
  EXPECT_EQ(launches, 2);
  EXPECT_DOUBLE_EQ(*outcome.at_least_us, 6350);
}

TEST_F(ScreenedTrialTest, WhereThePowerCapSlowsLaunchesDownSamplesDecide) {
  device.states.front().limits = {kPowerCap};
  EXPECT_EQ(run_with_launches_of(6'400).status, Status::kOk);
  EXPECT_GT(taken, 0);
  EXPECT_EQ(run_with_launches_of(7'600).status, Status::kPruned);
}

TEST_F(TimedTrialTest, OutputsThatBecomeWrongWhileTimedAreWrong) {
  device.checks_samples = false;
  then([this](const FakeArguments& arguments) {
    if (++launches > kValidatedRuns) arguments.pointer<float>(1)[0] = 7;
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, StartsWith("after timing: output 'y' is wrong at [0, 0]: got 7, "));
  EXPECT_FALSE(outcome.time.has_value());
}

TEST_F(TimedTrialTest, OutputsOfADeclaredNondeterministicKernelAreValidatedAfterTiming) {
  files.contract += "deterministic: false\n";
  then([this](const FakeArguments& arguments) {
    if (++launches > kValidatedRuns) arguments.pointer<float>(1)[0] = 7;
  });
  EXPECT_THAT(run().reason, StartsWith("after timing: output 'y' is wrong at [0, 0]: got 7, "));
}

TEST_F(TimedTrialTest, InputsAreCheckedAfterTimingToo) {
  device.checks_samples = false;
  then([this](const FakeArguments& arguments) {
    if (++launches > kValidatedRuns) const_cast<float*>(arguments.pointer<const float>(0))[3] = 7;
  });
  EXPECT_THAT(run().reason, StartsWith("while being timed: changed input 'x' at [0, 3]: "));
}

TEST_F(TimedTrialTest, OutputsThatChangeALittleWhileTimedAreNondeterministic) {
  device.checks_samples = false;
  then([this](const FakeArguments& arguments) {
    float& y = arguments.pointer<float>(1)[0];
    if (++launches > kValidatedRuns) y = std::nextafter(y, 10.0f);
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason,
              StartsWith("the outputs after timing differ from those that were validated"));
  EXPECT_FALSE(outcome.time.has_value());
}

TEST_F(TimedTrialTest, GuardZonesAreCheckedAfterTimingToo) {
  then([this](const FakeArguments& arguments) {
    if (++launches > kValidatedRuns) arguments.pointer<float>(1)[22] = 7;
  });
  EXPECT_EQ(run().reason,
            "while being timed: wrote outside of 'y': 4 bytes past its end of 84 bytes");
}

}  // namespace
}  // namespace warpwright::testing
