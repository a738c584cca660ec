// The base of the tests of launchers on the emulator: they launch on a stand-in for libcuda
// (support/cuda_stand_in.h).
#pragma once

#include "device/emulated_device.h"
#include "support/cuda_stand_in.h"
#include "support/launchers.h"

namespace warpwright::testing {

class StandInDriver : public LaunchDriver {
 public:
  LaunchResult launch(std::span<const DeviceLaunch>, const LaunchLimits& limits,
                      const Call& call) override {
    cuda_stand_in().limits = limits;
    cuda_stand_in().last = {};
    const std::string error = call(nullptr, false);
    LaunchResult result = cuda_stand_in().last;
    if (!error.empty() && result.status == Status::kOk) {
      result.status = Status::kInvalid;
      result.reason = error;
    }
    return result;
  }
};

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
    cuda_stand_in().reset();
    device_ = open_emulated_device("sm_90a", 1);
    cuda_stand_in().device = device_.get();
  }
  void TearDown() override { cuda_stand_in().reset(); }

  // As run_launcher(), on the emulated device.
  Outcome run(const KernelSpec& kernel, BuiltLauncher& launcher, const Problem& problem,
              const std::string& best = "") {
    StandInDriver driver;
    LaunchingDevice device(kernel, launcher, *device_, driver);
    const int before = cuda_stand_in().launches;
    Outcome outcome = run_launcher(kernel, device, problem, best);
    EXPECT_TRUE(outcome.status != Status::kOk || cuda_stand_in().launches > before);
    return outcome;
  }

  std::unique_ptr<Device> device_;
};

}  // namespace warpwright::testing
