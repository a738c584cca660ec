// Launchers of every shipped kernel on a real GPU: what they launch, and what a graph of their
// calls launches, is validated as any trial is.
#include <gtest/gtest.h>

#include "device/registry/device_registry.h"
#include "support/launchers.h"
#include "support/real_driver.h"

namespace warpwright::testing {
namespace {

// Calls and graphs of calls take turns.
class TurnsDriver : public LaunchDriver {
 public:
  LaunchResult launch(std::span<const DeviceLaunch>, const LaunchLimits&,
                      const Call& call) override {
    LaunchResult result;
    std::string error = wait();  // for the arrays
    if (error.empty() && ++count_ % 2 == 1) {
      error = call(stream_.get(), false);
    } else if (error.empty()) {
      error = call(stream_.get(), true);
      if (error.empty())
        error = stream_.launch_captured([&] { return call(stream_.get(), false); });
      captured_ += error.empty() ? 1 : 0;
    }
    if (error.empty()) error = wait();
    if (!error.empty()) {
      result.status = Status::kInvalid;
      result.reason = error;
    }
    return result;
  }
  [[nodiscard]] int captured() const { return captured_; }

 private:
  [[nodiscard]] std::string wait() const {
    const CUresult result = driver_.find<decltype(&cuCtxSynchronize)>("cuCtxSynchronize")();
    return result == CUDA_SUCCESS ? "" : "cuCtxSynchronize failed: " + std::to_string(result);
  }
  RealDriver driver_;
  DriverStream stream_{driver_};
  int count_ = 0, captured_ = 0;
};

std::vector<std::string> launchable_kernels() {
  std::vector<std::string> names;
  for (const auto& [name, file] : find_kernels({kSources})) {
    if (!name.starts_with("harness_")) names.push_back(name);
  }
  return names;
}

class EveryGpuLauncher : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryGpuLauncher, IsRightOnTheCasesByCallsAndByGraphs) {
  if (const std::string reason = why_no_cuda(); !reason.empty()) GTEST_SKIP() << reason;
  const auto toolchain = locate_toolchain();
  if (!toolchain) GTEST_SKIP() << "no NVRTC here";
  const KernelSpec kernel = shipped(GetParam());
  const std::unique_ptr<Device> device = open_device("cuda:0");
  TurnsDriver driver;
  const std::vector<std::size_t> variants = variants_by_turns(kernel, device->info());
  BuiltLauncher launcher(kernel, launchable(kernel, variants));
  launcher.open("", toolchain->nvrtc.string());
  int right = 0;
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseSpec& one = kernel.cases[i];
    LaunchingDevice launching(kernel, launcher, *device, driver);
    const Outcome outcome =
        run_launcher(kernel, launching, complete_problem(kernel, one.problem, one.where),
                     kernel.variants[variants[i]].name);
    if (outcome.status == Status::kViolates) continue;  // of another architecture
    EXPECT_EQ(outcome.status, Status::kOk) << one.name << ": " << outcome.reason;
    ++right;
  }
  if (right == 0) GTEST_SKIP() << "no variant of it runs on this GPU";
  EXPECT_GT(driver.captured(), 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryGpuLauncher, ::testing::ValuesIn(launchable_kernels()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace warpwright::testing
