// The results of calibrate, with a script in place of the sweeps, which writes the trials that they
// would.
#include "harness/calibrate/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "store/database.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using ::testing::ElementsAre;

DeviceInfo gpu() {
  DeviceInfo info;
  info.id = "cuda:0";
  info.name = "NVIDIA H200";
  info.arch = "sm_90a";
  info.uuid = "GPU-1";
  info.driver = "580.1";
  info.has_clock = true;
  info.sm_count = 132;
  info.l2_bytes = 62914560;
  info.compute_capability = 90;
  return info;
}

// The result of a scripted sweep for one problem.
struct Scripted {
  std::string ceiling;
  std::string variant;
  double us = 0;    // 0: wrong_result
  int repeats = 0;  // of a latency
};

class CalibrateTest : public ::testing::Test {
 protected:
  // One trial for each scripted problem of the sweep's kernel.
  SweepSummary sweep(const SweepOptions& options) {
    asked_.push_back(options);
    SweepSummary summary;
    summary.kernel = read_kernel(kernels_ / options.config.stem());
    summary.database = options.database;
    summary.ended = ended_;
    Database database(options.database);
    const RowId device = database.put_device({device_.fingerprint(), "cuda:0", "NVIDIA H200",
                                              "sm_90a", "GPU-1", "580.1", true, device_});
    KernelRecord kernel;
    kernel.name = summary.kernel.name;
    kernel.contract_hash = "hash of " + kernel.name;
    const RowId kernel_row = database.put_kernel(kernel);
    RunRecord run;
    run.started_utc = "2026-03-01T12:00:00Z";
    summary.run = database.start_run(run);
    for (const Scripted& one : script_[kernel.name]) {
      TrialRecord trial;
      trial.key = "run " + std::to_string(summary.run) + one.ceiling + one.variant +
                  std::to_string(one.repeats);
      trial.run = summary.run;
      trial.kernel = kernel_row;
      trial.device = device;
      set_text(trial.problem, one.repeats > 0
                                  ? nlohmann::json{{"latency", one.ceiling}, {"steps", 1000}}.dump()
                                  : nlohmann::json{{"ceiling", one.ceiling}}.dump());
      trial.problem_text = "ceiling=" + one.ceiling;
      trial.variant = trial.configuration_text = one.variant;
      set_text(trial.parameters,
               one.repeats > 0 ? nlohmann::json{{"REPEATS", one.repeats}}.dump() : "{}");
      trial.work_bytes = 4.4e9;
      trial.work_flops = 8e11;
      trial.protocol = "cold-graph-1";
      trial.status = one.us > 0 ? Status::kOk : Status::kWrongResult;
      if (one.us > 0) trial.median_us = one.us;
      if (one.us == 0) trial.reason = "output wrong";
      database.add_trial(trial);
    }
    for (const std::string& ceiling : skipped_[kernel.name]) {
      SweepBoard board;
      board.device = device_;
      board.problem = {{"ceiling", Value(ceiling)},
                       {"chunks", Value(2048)},
                       {"rows", Value(1)},
                       {"passes", Value(1)}};
      summary.skipped.push_back(board);
    }
    return summary;
  }
  Calibration run(CalibratedPart part = CalibratedPart::kAll) {
    CalibrateOptions options;
    options.part = part;
    options.database = folder_.path() / "x.db";
    options.quiet = true;
    Paths paths;
    paths.home = WARPWRIGHT_SOURCE_DIR;
    return calibrate(options, paths, device_,
                     [this](const SweepOptions& sweep_options) { return sweep(sweep_options); });
  }
  [[nodiscard]] std::vector<std::string> stored() const {
    std::vector<std::string> names;
    for (const CeilingRecord& ceiling : Database(folder_.path() / "x.db").ceilings(1))
      names.push_back(ceiling.name);
    return names;
  }

  DeviceInfo device_ = gpu();
  std::filesystem::path kernels_ = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels";
  TemporaryFolder folder_;
  std::map<std::string, std::vector<Scripted>> script_ = {
      {"harness_bandwidth", {{"read", "sum", 1000}, {"copy", "copy", 1100}}},
      {"harness_fma", {{"fma_f32", "turn", 2000}}},
      {"harness_tensor", {{"tensor_bf16", "mma", 1600}, {"tensor_bf16", "wgmma", 1000}}}};
  std::map<std::string, std::vector<std::string>> skipped_;
  std::vector<SweepOptions> asked_;
  RunEnd ended_ = RunEnd::kComplete;
};

TEST_F(CalibrateTest, StoresTheBestOfEveryProblem) {
  const Calibration result = run();
  EXPECT_THAT(stored(),
              ElementsAre("copy", "fma_f32", "mma_bf16", "read", "tensor_bf16", "wgmma_bf16"));
  EXPECT_EQ(result.ceilings.size(), 6U);
  EXPECT_EQ(result.ceilings[0].device, 1);
  EXPECT_TRUE(result.failed.empty());
  EXPECT_TRUE(result.skipped.empty());
  EXPECT_FALSE(result.interrupted);
}

TEST_F(CalibrateTest, SweepsAfreshWithSizesThatSuitTheDevice) {
  static_cast<void>(run());
  ASSERT_EQ(asked_.size(), 4U);
  for (const SweepOptions& options : asked_) {
    EXPECT_TRUE(options.fresh);
    EXPECT_TRUE(options.skip_impossible);
    EXPECT_EQ(options.rank, options.config.stem() != "harness_latency");
    EXPECT_TRUE(std::filesystem::exists(options.config)) << options.config;
    EXPECT_EQ(options.device, "cuda:0");
  }
  EXPECT_TRUE(asked_[0].overrides.empty());
  EXPECT_THAT(asked_[1].overrides, ElementsAre("n=8650752"));
  EXPECT_THAT(asked_[2].overrides, ElementsAre("tiles=1584"));
  EXPECT_TRUE(asked_[3].overrides.empty());
}

TEST_F(CalibrateTest, NoVariantIsPrunedWhereEachHasACeilingOfItsOwn) {
  static_cast<void>(run());
  ASSERT_EQ(asked_.size(), 4U);
  EXPECT_TRUE(asked_[0].screening);
  EXPECT_TRUE(asked_[1].screening);
  EXPECT_EQ(asked_[2].config.stem(), "harness_tensor");
  EXPECT_FALSE(asked_[2].screening);
  EXPECT_EQ(asked_[3].config.stem(), "harness_latency");
  EXPECT_FALSE(asked_[3].screening);
}

TEST_F(CalibrateTest, LatenciesAreStoredWithTheCeilings) {
  script_["harness_latency"] = {{"shared", "shared", 53, 1}, {"shared", "shared", 101, 5}};
  const Calibration result = run();
  EXPECT_THAT(stored(), ElementsAre("copy", "fma_f32", "latency_shared", "mma_bf16", "read",
                                    "tensor_bf16", "wgmma_bf16"));
  EXPECT_TRUE(result.failed.empty());
  const CeilingRecord latency = Database(folder_.path() / "x.db").ceilings(1).at(2);
  EXPECT_DOUBLE_EQ(latency.value, 12);
  EXPECT_EQ(latency.unit, "ns");
}

TEST_F(CalibrateTest, ALatencyThatFailsIsNamed) {
  script_["harness_latency"] = {{"shared", "shared", 53, 1}, {"shared", "shared", 0, 5}};
  const Calibration result = run();
  ASSERT_EQ(result.failed.size(), 1U);
  EXPECT_EQ(result.failed[0].name, "latency_shared");
  EXPECT_EQ(result.failed[0].reason, "wrong_result: output wrong (shared)");
}

TEST_F(CalibrateTest, OnePartCanBeMeasuredAlone) {
  static_cast<void>(run(CalibratedPart::kLatencies));
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].config.stem(), "harness_latency");
  asked_.clear();
  static_cast<void>(run(CalibratedPart::kCeilings));
  ASSERT_EQ(asked_.size(), 3U);
  EXPECT_EQ(asked_[2].config.stem(), "harness_tensor");
}

TEST_F(CalibrateTest, ASecondCalibrationCountsByItself) {
  static_cast<void>(run());
  script_["harness_bandwidth"] = {{"read", "sum", 2000}};  // a device that has slowed down
  const Calibration again = run();
  EXPECT_DOUBLE_EQ(again.ceilings.at(0).value, 2200);
  const Database database(folder_.path() / "x.db");
  for (const CeilingRecord& ceiling : database.ceilings(1)) {
    if (ceiling.name == "read") {
      EXPECT_DOUBLE_EQ(ceiling.value, 2200);
    } else if (ceiling.name == "copy") {
      EXPECT_DOUBLE_EQ(ceiling.value, 4000);  // the older one is kept
    }
  }
}

TEST_F(CalibrateTest, WhatFailsIsNamedAndTakesNothingElseAway) {
  script_["harness_fma"] = {{"fma_f32", "turn", 0}};
  const Calibration result = run();
  ASSERT_EQ(result.failed.size(), 1U);
  EXPECT_EQ(result.failed[0].name, "fma_f32");
  EXPECT_EQ(result.failed[0].reason, "wrong_result: output wrong (1 of 1 configurations)");
  EXPECT_THAT(stored(), ElementsAre("copy", "mma_bf16", "read", "tensor_bf16", "wgmma_bf16"));
}

TEST_F(CalibrateTest, WhatTheDeviceLacksIsSkippedWithTheReason) {
  device_.l2_bytes = 6 << 20;
  skipped_["harness_bandwidth"] = {"l2_read"};
  script_["harness_fma"].clear();
  const Calibration result = run();
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped[0].name, "l2_read");
  EXPECT_EQ(result.skipped[0].reason, "its 16 MiB must fit twice into L2");
  EXPECT_TRUE(result.failed.empty());
}

TEST_F(CalibrateTest, AnInterruptionKeepsWhatWasMeasured) {
  ended_ = RunEnd::kInterrupted;
  const Calibration result = run();
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_THAT(stored(), ElementsAre("copy", "read"));
}

TEST(Calibratable, ADeviceWithoutAClockIsRefused) {
  DeviceInfo emulated;
  emulated.id = "emu:sm_90a";
  emulated.arch = "sm_90a";
  try {
    static_cast<void>(calibratable_device({{emulated}, "libcuda.so.1 not found"}, "auto"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.message(),
              "emu:sm_90a has no clock, so there is nothing to measure (no CUDA device: "
              "libcuda.so.1 not found); its modelled results are held against the rates of its "
              "device model, which `warpwright calibrate --list` shows");
  }
}

TEST(Calibratable, OneDeviceAtATime) {
  DeviceInfo second = gpu();
  second.id = "cuda:1";
  DeviceInfo emulated;
  emulated.id = "emu:sm_90a";
  const DeviceList both = {{gpu(), second, emulated}, ""};
  EXPECT_EQ(calibratable_device(both, "auto").id, "cuda:0");
  EXPECT_EQ(calibratable_device(both, "cuda:1").id, "cuda:1");
  try {
    static_cast<void>(calibratable_device(both, "cuda:all"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "calibrate measures one device at a time, got 2 ('cuda:all'); name one, as in "
              "`--device cuda:0`");
  }
}

}  // namespace
}  // namespace warpwright
