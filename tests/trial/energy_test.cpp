// Energy of a launch from a counter that only goes up.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "support/fake_device.h"
#include "trial/timing/measure.h"

namespace warpwright::testing {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// A plan that runs until the counter was read a few times, however busy the machine is, and reports
// how often the launches ran.
class BusyPlan : public TimingPlan {
 public:
  Samples take(int, milliseconds) override {
    if (!first) first = Clock::now();
    do {
      std::this_thread::sleep_for(milliseconds(1));
    } while (reads < reads_wanted);
    last = Clock::now();
    Samples taken;
    taken.status = status;
    taken.elapsed_us = {1000};
    taken.sequences = sequences_per_take;
    total += sequences_per_take;
    return taken;
  }
  std::atomic<int> reads{0};
  int reads_wanted = 0;
  Status status = Status::kOk;
  std::uint64_t sequences_per_take = 100;
  std::uint64_t total = 0;
  std::optional<Clock::time_point> first;
  Clock::time_point last;
};

class EnergyTest : public ::testing::Test {
 protected:
  static constexpr double kPowerMw = 500'000;
  static constexpr milliseconds kDuration{20};

  // The energy is proportional to the running time: a constant power.
  void start_counter() {
    plan.reads_wanted = 20;
    device.energy_counter = [this, start = Clock::now()] {
      ++plan.reads;
      // As slow as a real counter, so that reading it and reading the clock are close together.
      std::this_thread::sleep_for(std::chrono::microseconds(300));
      return kPowerMw * seconds_between(start, Clock::now());
    };
  }
  FakeDevice device;
  BusyPlan plan;
};

TEST_F(EnergyTest, ADeviceWithoutACounterSaysNothingAndRunsNothing) {
  EXPECT_FALSE(energy_of_launch(device, plan, kDuration).has_value());
  EXPECT_EQ(plan.total, 0u);
}

// However long the machine delayed this test, the truth lies between the energy used while launches
// ran and the energy used from call to return.
TEST_F(EnergyTest, AtConstantPowerItIsPowerTimesTimeOverLaunches) {
  start_counter();
  const auto begin = Clock::now();
  const std::optional<LaunchEnergy> energy = energy_of_launch(device, plan, kDuration);
  const auto end = Clock::now();
  ASSERT_TRUE(energy.has_value());
  const auto launches = static_cast<double>(plan.total);
  EXPECT_GE(energy->mj, 0.98 * kPowerMw * seconds_between(*plan.first, plan.last) / launches);
  EXPECT_LE(energy->mj, 1.02 * kPowerMw * seconds_between(begin, end) / launches);
}

TEST_F(EnergyTest, LaunchesRunHoweverLateTheyBegin) {
  start_counter();
  EXPECT_TRUE(energy_of_launch(device, plan, milliseconds{0}).has_value());
}

TEST_F(EnergyTest, ACounterThatStandsStillSaysNothing) {
  device.energy_counter = [] { return 42.0; };
  EXPECT_FALSE(energy_of_launch(device, plan, kDuration).has_value());
}

TEST_F(EnergyTest, TwoStepsAreTooFew) {
  plan.reads_wanted = 500;
  device.energy_counter = [this] { return std::min(++plan.reads / 100, 2) * 10.0; };
  EXPECT_FALSE(energy_of_launch(device, plan, kDuration).has_value());
}

TEST_F(EnergyTest, AKernelThatFailsHasNone) {
  start_counter();
  plan.status = Status::kLaunchFailed;
  EXPECT_FALSE(energy_of_launch(device, plan, kDuration).has_value());
}

TEST_F(EnergyTest, APlanThatDoesNotCountItsLaunchesHasNone) {
  start_counter();
  plan.sequences_per_take = 0;
  EXPECT_FALSE(energy_of_launch(device, plan, kDuration).has_value());
}

}  // namespace
}  // namespace warpwright::testing
