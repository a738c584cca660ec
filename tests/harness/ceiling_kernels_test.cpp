// The ceiling kernels themselves: they cannot run without a GPU, but must compile for the GPUs that
// they support, and ceilings that a device lacks must be skipped with a reason that names the
// missing feature.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "compile/fixtures.h"
#include "device/device.h"
#include "harness/calibrate/calibrate.h"
#include "sweep/sweep_plan.h"
#include "trial/launch/jobs.h"

namespace warpwright {
namespace {

const std::filesystem::path kHome = WARPWRIGHT_SOURCE_DIR;

DeviceInfo gpu(const std::string& arch, int compute_capability, std::int64_t l2_bytes) {
  DeviceInfo info;
  info.id = "cuda:0";
  info.arch = arch;
  info.has_clock = true;
  info.sm_count = 132;
  info.l2_bytes = l2_bytes;
  info.max_threads_per_block = 1024;
  info.max_shared_per_block = 232448;
  info.compute_capability = compute_capability;
  return info;
}

SweepPlan plan(const std::string& kernel, const DeviceInfo& device) {
  SweepOptions options;
  options.config = kHome / "configs" / (kernel + ".yaml");
  options.skip_impossible = true;
  Paths paths;
  paths.home = kHome;
  paths.kernel_roots = {kHome / "kernels"};
  return make_plan(options, paths, {device});
}

// The reason why each skipped problem is skipped, by ceiling.
std::map<std::string, std::string> skipped(const std::string& kernel, const DeviceInfo& device) {
  const SweepPlan planned = plan(kernel, device);
  std::map<std::string, std::string> reasons;
  for (const SweepBoard& board : planned.skipped) {
    std::map<std::string, Value> constants = device_constants(device);
    constants.insert(board.problem.begin(), board.problem.end());
    reasons[ceiling_of(board.problem)] = why_impossible(planned.kernel, planned.sweep, constants);
  }
  return reasons;
}

using Reasons = std::map<std::string, std::string>;
constexpr std::int64_t kMiB = 1 << 20;

TEST(CeilingKernels, AHopperGpuCanDoEverything) {
  const DeviceInfo h200 = gpu("sm_90a", 90, 60 * kMiB);
  for (const char* kernel :
       {"harness_bandwidth", "harness_fma", "harness_tensor", "harness_latency"})
    EXPECT_EQ(skipped(kernel, h200), Reasons{}) << kernel;
  EXPECT_EQ(plan("harness_bandwidth", h200).boards.size(), 4U);
  EXPECT_EQ(plan("harness_fma", h200).boards.size(), 3U);
  EXPECT_EQ(plan("harness_tensor", h200).boards.size(), 5U);
  EXPECT_EQ(plan("harness_latency", h200).boards.size(), 13U);
}

TEST(CeilingKernels, WhatAnOlderGpuLacksIsSkippedForAReason) {
  const DeviceInfo a100 = gpu("sm_80", 80, 40 * kMiB);
  EXPECT_EQ(skipped("harness_tensor", a100),
            (Reasons{{"tensor_e4m3", "FP8 tensor cores came with compute capability 8.9"}}));
  EXPECT_EQ(skipped("harness_bandwidth", a100), Reasons{});
  EXPECT_EQ(skipped("harness_latency", a100),
            (Reasons{{"latency_mbarrier", "its waits came with compute capability 9.0"},
                     {"latency_bulk_copy", "the copy engine came with compute capability 9.0"},
                     {"latency_cluster", "clusters came with compute capability 9.0"},
                     {"latency_cluster_release", "clusters came with compute capability 9.0"}}));
  const DeviceInfo small = gpu("sm_86", 86, 6 * kMiB);
  EXPECT_EQ(skipped("harness_bandwidth", small),
            (Reasons{{"l2_read", "its 16 MiB must fit twice into L2"}}));
}

TEST(CeilingKernels, WgmmaIsForHopperAlone) {
  const auto variants = [](const DeviceInfo& device) {
    return plan("harness_tensor", device).boards.at(1).space->variants();
  };
  const auto count = [](const DeviceInfo& device) {
    return plan("harness_tensor", device).boards.at(1).space->count();
  };
  EXPECT_EQ(variants(gpu("sm_90a", 90, 60 * kMiB)).size(), 2U);
  EXPECT_EQ(count(gpu("sm_90a", 90, 60 * kMiB)), 8U);
  EXPECT_EQ(count(gpu("sm_120a", 120, 128 * kMiB)), 2U);
}

// The first configuration of each variant on each board, compiled for the arch.
class Compiles : public ::testing::TestWithParam<const char*> {};

TEST_P(Compiles, ForItsArchWithoutSerialisedTensorInstructions) {
  SKIP_WITHOUT_NVRTC();
  const std::string arch = GetParam();
  const int capability = std::stoi(arch.substr(3));
  const DeviceInfo device = gpu(arch, capability, 128 * kMiB);
  for (const char* kernel : {"harness_bandwidth", "harness_fma", "harness_tensor"}) {
    const SweepPlan planned = plan(kernel, device);
    for (const PlannedBoard& board : planned.boards) {
      std::set<std::string> seen;
      for (std::uint64_t i = 0; i < board.space->count(); ++i) {
        const Configuration configuration = board.space->at(i);
        if (!seen.insert(configuration.variant).second) continue;
        const CompileResult result = nvrtc().compile(make_compile_job(
            planned.kernel, configuration, board.summary.problem, device, planned.include_folders));
        ASSERT_TRUE(result.ok) << configuration.to_string() << "\n"
                               << result.failure << "\n"
                               << result.log;
        EXPECT_EQ(result.log.find("C75"), std::string::npos) << result.log;
        if (configuration.variant != "wgmma") continue;
        for (const KernelResources& resources : result.resources)
          EXPECT_EQ(resources.spill_stores, 0) << configuration.to_string();
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Archs, Compiles, ::testing::Values("sm_80", "sm_90a", "sm_120a"));

}  // namespace
}  // namespace warpwright
