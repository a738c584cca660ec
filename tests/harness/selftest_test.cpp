// The selftest as a whole, with scripted workers and sweeps: the tasks that run, and the effect of
// a failure.
#include "harness/selftest/selftest.h"

#include <gmock/gmock.h>

#include "core/error.h"
#include "harness/selftest/gate_runs.h"
#include "harness/selftest/ranking_section.h"
#include "harness/selftest/timers.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

DeviceList list_of(bool with_gpu) {
  DeviceList list;
  if (with_gpu) {
    for (const char* id : {"cuda:0", "cuda:1"}) {
      DeviceInfo gpu;
      gpu.id = id;
      gpu.has_clock = true;
      list.devices.push_back(gpu);
    }
  } else {
    list.why_no_cuda = "libcuda.so.1 not found";
  }
  DeviceInfo emulator;
  emulator.id = "emu:sm_90a";
  list.devices.push_back(emulator);
  return list;
}

TEST(ProvableDevice, IsTheFirstGpu) {
  EXPECT_EQ(provable_device(list_of(true), "auto").id, "cuda:0");
}

TEST(ProvableDevice, WithoutAGpuThereIsNothingToProve) {
  EXPECT_EQ(
      error_text([] { (void)provable_device(list_of(false), "auto"); }),
      "--device auto: emu:sm_90a has no clock, its times are modelled, so how well times are "
      "measured cannot be proven on it; run the selftest on a machine with a CUDA GPU (no CUDA "
      "device here: libcuda.so.1 not found). What the statistics promise is proven by the "
      "tests, which need no GPU: `scripts/test`");
}

TEST(ProvableDevice, AnEmulatedOneIsRefusedBesideAGpuToo) {
  EXPECT_EQ(error_text([] { (void)provable_device(list_of(true), "emu:sm_90a"); }),
            "--device emu:sm_90a: emu:sm_90a has no clock, its times are modelled, so how well "
            "times are measured cannot be proven on it; run the selftest on a machine with a CUDA "
            "GPU. What the statistics promise is proven by the tests, which need no GPU: "
            "`scripts/test`");
}

TEST(ProvableDevice, IsOne) {
  EXPECT_EQ(error_text([] { (void)provable_device(list_of(true), "cuda:all"); }),
            "--device cuda:all: expected one device, got 2; prove one at a time, such as --device "
            "cuda:0");
}

class SelftestRun : public ::testing::Test {
 protected:
  SelftestRun() {
    workers_.step = [this](const std::string&) { ++steps_; };
    workers_.ask = [this](const nlohmann::json& task) { return answer(task); };
    options_.counts = quick_counts();
    options_.counts.processes = 2;
  }

  SelftestReport run() {
    return run_selftest(
        options_, {}, workers_, [](const auto&, const auto&) { return tuned(); }, truth_);
  }

  static SweepResult tuned() {
    SweepResult result;
    result.ended = RunEnd::kComplete;
    result.measure_seconds = 1;
    for (int c = 2; c <= 3; ++c) {
      const Configuration configuration = {"space", {{"A", 3}, {"B", 3}, {"C", c}, {"LABEL", 0}}};
      result.trials.push_back({configuration, Status::kOk, "", 50.0 + c});
      result.ranked.push_back(configuration);
    }
    result.tied = {result.ranked.front()};
    return result;
  }

  nlohmann::json answer(const nlohmann::json& task) {
    const std::string what = task.at("do").get<std::string>();
    asked_.push_back(what);
    if (what == failing_) throw environment_error("staged:\n  no device\n  on cuda:0");
    if (what == "identify") return {{"nvrtc", "13.0"}};
    if (what == "timer") {
      TimerReport report;
      report.kernel = "spin";
      report.target_us = task.at("target_us").get<double>();
      report.truth_us = report.cold.value_us = report.target_us;
      report.cold.protocol = "cold-graph-1";
      return report;
    }
    if (what == "gate") {
      GateRuns runs;
      runs.slower_permille = task.at("slower_permille").get<int>();
      return runs;
    }
    if (what == "races") return RaceRuns{};
    return {{"about_us", 50},
            {"protocol", "cold-graph-1"},
            {"samples_us", {{50.0, 50.0}}},
            {"floor_us", {0.0}},
            {"drift_us", 0.0}};
  }

  SelftestOptions options_;
  Workers workers_;
  std::vector<std::string> asked_;
  std::string failing_;
  std::size_t steps_ = 0;
  const SpaceTruth truth_{
      std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "configs/harness_spin.yaml",
      std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels/harness_spin/kernel.yaml",
      {}};
};

TEST_F(SelftestRun, EverySectionHasFigures) {
  const SelftestReport report = run();
  std::set<std::string> sections;
  for (const Figure& figure : report.figures) sections.insert(figure.section);
  EXPECT_THAT(sections,
              ::testing::UnorderedElementsAre("bias", "cv", "wall", "coverage", "aa", "slowdown",
                                              "ranking", "tau", "picks", "faults"));
  EXPECT_EQ(report.nvrtc, "13.0");
  EXPECT_THAT(report.protocols, ::testing::ElementsAre("cold-graph-1"));
}

TEST_F(SelftestRun, StepsAreThosePlanned) {
  (void)run();
  EXPECT_EQ(steps_, planned_steps(options_));
}

TEST_F(SelftestRun, OnlyWhatIsWantedRuns) {
  options_.sections = {Section::kRanking};
  const SelftestReport report = run();
  EXPECT_THAT(asked_, ::testing::ElementsAre("identify", "races", "races"));
  EXPECT_EQ(steps_, planned_steps(options_));
  for (const Figure& figure : report.figures) EXPECT_EQ(figure.section, "ranking");
}

TEST_F(SelftestRun, ASectionThatCannotRunFailsAndTheOthersStillRun) {
  options_.sections = {Section::kCoverage, Section::kPicks};
  failing_ = "coverage";
  const SelftestReport report = run();
  ASSERT_EQ(report.figures.size(), 2u);
  EXPECT_EQ(report.figures[0].section, "coverage");
  EXPECT_FALSE(report.figures[0].passed());
  EXPECT_EQ(report.figures[0].detail, "staged: no device; on cuda:0");
  EXPECT_TRUE(report.figures[1].passed());
  EXPECT_EQ(report.targets(), 2u);
  EXPECT_EQ(report.met(), 1u);
}

TEST_F(SelftestRun, FiguresWithoutATargetAreNotCounted) {
  options_.sections = {Section::kBias};
  const SelftestReport report = run();
  EXPECT_EQ(report.figures.size(), 5u);
  EXPECT_EQ(report.targets(), 3u);
  EXPECT_EQ(report.met(), 3u);
}

TEST_F(SelftestRun, AFaultOfTheUserEndsIt) {
  workers_.ask = [](const nlohmann::json& task) -> nlohmann::json {
    if (task.at("do") == "identify") return {{"nvrtc", "13.0"}};
    throw user_error("the contract is broken");
  };
  EXPECT_THAT(error_text([&] { (void)run(); }), HasSubstr("the contract is broken"));
}

}  // namespace
}  // namespace warpwright::testing
