// Tests the strategy of a sweep that names none, and the first questions of a search.
#include "sweep/sweep_plan.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "support/program.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using testing::write_square_kernel;
using testing::write_text;

class SweepPlanTest : public ::testing::Test {
 protected:
  SweepPlanTest() { write_square_kernel(folder_.path()); }

  // The plan has 4 times 2 configurations, with 128 threads and 1 element by default.
  SweepPlan plan(const std::string& more) {
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 8}]\nspace:\n  THREADS: [32, 64, 128, 256]\n"
               "  PER_THREAD: [1, 2]\n" +
                   more);
    SweepOptions options;
    options.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    DeviceInfo device;
    device.id = device.name = "fake:0";
    device.arch = "sm_90a";
    return make_plan(options, paths, {device});
  }

  TemporaryFolder folder_;
};

TEST_F(SweepPlanTest, WhatTheBudgetLeavesOutIsSearched) {
  EXPECT_EQ(plan("").strategy, "exhaustive");
  EXPECT_EQ(plan("budget: 8\n").strategy, "exhaustive");
  EXPECT_EQ(plan("budget: 7\n").strategy, "auto");
  EXPECT_EQ(plan("budget: 90s\n").strategy, "exhaustive");
  EXPECT_EQ(plan("budget: 300ms\n").strategy, "auto") << "eight take longer";
  EXPECT_EQ(plan("budget: 7\nsearch: random\n").strategy, "random");
}

TEST_F(SweepPlanTest, ASearchBeginsWithDefaultsAndPresets) {
  const SweepPlan planned = plan(
      "presets: {old: {THREADS: 256, PER_THREAD: 2}, usual: {PER_THREAD: 1}, other: {THREADS: "
      "32}}\n"
      "budget: 7\n");
  const SearchSpace& space = *planned.boards[0].space;
  std::vector<std::string> asked;
  for (const std::uint64_t index : first_questions(space, planned.kernel, planned.sweep))
    asked.push_back(space.at(index).to_string());
  EXPECT_THAT(asked, ElementsAre("plain PER_THREAD=1 THREADS=128", "plain PER_THREAD=2 THREADS=256",
                                 "plain PER_THREAD=1 THREADS=32"));
  for (const std::string& expected : asked)
    EXPECT_EQ(space.at(planned.boards[0].strategy->ask().value()).to_string(), expected);
}

TEST_F(SweepPlanTest, DefaultsThatTheSpaceDoesNotHoldAreLeftOut) {
  const SweepPlan planned = plan("constraints: [\"THREADS != 128\"]\nbudget: 3\n");
  EXPECT_THAT(first_questions(*planned.boards[0].space, planned.kernel, planned.sweep),
              ::testing::IsEmpty());
}

TEST_F(SweepPlanTest, GpusOfOneKindAreAGroup) {
  DeviceInfo gpu;
  gpu.name = "NVIDIA H200";
  gpu.arch = "sm_90a";
  gpu.has_clock = true;
  gpu.uuid = "GPU-1";
  std::vector<DeviceInfo> devices(6, gpu);
  devices[1].global_bytes = 7;  // a part of a GPU, or one with less memory
  devices[2].uuid = "GPU-3";
  devices[3].ecc = true;
  devices[4].driver = "another";
  devices[5].max_sm_clock_mhz = 7;
  const std::vector<DeviceGroup> groups = group_devices(devices);
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_THAT(groups[0].devices, ElementsAre(0, 2));
  EXPECT_THAT(groups[0].distinct, ElementsAre(0, 2));
  EXPECT_TRUE(groups[0].shares_boards());
  EXPECT_EQ(groups[0].position(2), 1u);
  for (std::size_t group = 1; group < 5; ++group) EXPECT_FALSE(groups[group].shares_boards());
}

TEST_F(SweepPlanTest, AnEmulatedDeviceOnceMoreCountsAsTheFirst) {
  DeviceInfo emulated;
  emulated.name = "emulated";
  const std::vector<DeviceGroup> groups = group_devices({emulated, emulated});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].devices, ElementsAre(0, 1));
  EXPECT_THAT(groups[0].counts_as, ElementsAre(0, 0));
  EXPECT_FALSE(groups[0].shares_boards());
}

}  // namespace
}  // namespace warpwright
