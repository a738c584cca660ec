// Tests warpwright calibrate, and how show uses ceilings, on a machine without a GPU.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "store/database.h"
#include "support/program.h"
#include "support/stored_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::filesystem::path kConfigs = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "configs";

class CalibrateVerb : public ::testing::Test {
 protected:
  [[nodiscard]] std::string database() const { return (folder_.path() / "x.db").string(); }
  [[nodiscard]] ProgramResult sweep(const std::string& config) const {
    return run_program({"sweep", (kConfigs / config).string(), "--device", "emu:sm_90a", "--db",
                        database(), "--budget", "30min", "--quiet", "--json"});
  }
  // Stores one trial of a GPU that this machine does not have.
  void store_trial_of_a_gpu(bool calibrated) const {
    Database results{std::filesystem::path(database())};
    DeviceRecord device;
    device.fingerprint = "0123456789abcdef";
    device.id = "cuda:0";
    device.name = "NVIDIA H200";
    device.arch = "sm_90a";
    device.has_clock = true;
    set_text(device.details, R"({"memory_bus_bits":6016,"memory_clock_mhz":3201})");
    TrialRecord trial;
    trial.device = results.put_device(device);
    KernelRecord kernel;
    kernel.name = "copier";
    kernel.contract_hash = "hash-1";
    kernel.default_configuration = "plain THREADS=64";
    kernel.baseline = true;
    trial.kernel = results.put_kernel(kernel);
    trial.run = results.start_run({});
    set_text(trial.problem, R"({"n":1})");
    trial.problem_text = "n=1";
    trial.variant = "plain";
    set_text(trial.parameters, R"({"THREADS":64})");
    trial.protocol = "cold-graph-1";
    trial.work_bytes = 4.4e9;
    trial.work_bytes_written = 0;
    for (const auto& [threads, us] : {std::pair{64, 2000.0}, {128, 1250.0}}) {
      trial.configuration_text = "plain THREADS=" + std::to_string(threads);
      trial.key = trial.configuration_text;
      trial.median_us = us;
      results.add_trial(trial);
    }
    if (!calibrated) return;
    results.add_ceiling(
        {trial.device, "read", 4400, "GB/s", 4390, 4410, "cold-graph-1", "2026-03-01T12:00:00Z"});
  }
  TemporaryFolder folder_;
};

TEST_F(CalibrateVerb, RefusesADeviceWithoutAClockAndSaysWhatServesInstead) {
  const ProgramResult result =
      run_program({"calibrate", "--device", "emu:sm_90a", "--db", database()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("emu:sm_90a has no clock, so there is nothing to measure"));
  EXPECT_THAT(result.err, HasSubstr("its modelled results are held against the rates of its device "
                                    "model, which `warpwright calibrate --list --db " +
                                    database() + "` shows"));
  EXPECT_FALSE(std::filesystem::exists(database()));
}

TEST_F(CalibrateVerb, ListsTheRatesOfTheModels) {
  const auto json = nlohmann::json::parse(
      run_program({"calibrate", "--list", "--device", "emu:sm_90a", "--db", database(), "--json"})
          .out);
  ASSERT_EQ(json.at("devices").size(), 1U);
  const auto& device = json["devices"][0];
  EXPECT_TRUE(device["modelled"].get<bool>());
  std::map<std::string, double> rates;
  for (const auto& ceiling : device["ceilings"]) rates[ceiling["name"]] = ceiling["value"];
  EXPECT_DOUBLE_EQ(rates["fma_f32"], 132 * 1.98 * 128 * 2);
  EXPECT_DOUBLE_EQ(rates["read"], 4800 * 0.92);
  EXPECT_DOUBLE_EQ(rates["tensor_bf16"] / rates["tensor_tf32"], 2);
  EXPECT_THAT(run_program({"calibrate", "--list", "--db", database()}).out,
              HasSubstr("(emu:sm_90a), rates of its model, not measured"));
}

TEST_F(CalibrateVerb, ListsWhatTheDatabaseKnows) {
  store_trial_of_a_gpu(true);
  EXPECT_EQ(run_program({"calibrate", "--list", "--device", "NVIDIA H200", "--db", database()},
                        {"CUDA_VISIBLE_DEVICES="})
                .out,
            "NVIDIA H200 (cuda:0), measured; datasheet 4,814 GB/s\n"
            "  ceiling        rate  95 % interval  of datasheet  protocol      measured\n"
            "  ───────  ──────────  ─────────────  ────────────  ────────────  "
            "────────────────────\n"
            "  read     4,400 GB/s        ±0.23 %        91.4 %  cold-graph-1  "
            "2026-03-01T12:00:00Z\n\n");
  const ProgramResult unknown =
      run_program({"calibrate", "--list", "--device", "cuda:7", "--db", database()});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no device 'cuda:7' here or in " + database()));
}

TEST_F(CalibrateVerb, TheScalarKernelsAreRightOnTheEmulatorAndOutOfTheOverview) {
  for (const auto& [config, boards] :
       {std::pair{"harness_bandwidth.yaml", 4U}, {"harness_fma.yaml", 3U}}) {
    const ProgramResult swept = sweep(config);
    ASSERT_EQ(swept.exit_code, 0) << swept.err;
    const auto json = nlohmann::json::parse(swept.out);
    EXPECT_EQ(json["leaderboards"].size(), boards);
    EXPECT_EQ(json["sweep"]["statuses"].size(), 1U) << json["sweep"]["statuses"];
    for (const auto& board : json["leaderboards"]) {
      EXPECT_TRUE(board["limit"].is_null());  // limits are derived from these results
      EXPECT_TRUE(board["failures"].empty()) << board["failures"];
    }
  }
  const std::string overview = run_program({"show", "--db", database()}).out;
  EXPECT_EQ(overview,
            "7 boards of the harness's own kernels not shown; name one, as in `warpwright show "
            "harness_bandwidth --db " +
                database() + "`\n");
  const std::string named = run_program({"show", "harness_fma", "--db", database()}).out;
  EXPECT_THAT(named, HasSubstr("harness_fma  ceiling=fma_f32"));
}

TEST_F(CalibrateVerb, TensorKernelsAreCorrectOnTheEmulator) {
  const ProgramResult swept = sweep("harness_tensor.yaml");
  EXPECT_EQ(swept.exit_code, 0) << swept.err;
  const auto boards = nlohmann::json::parse(swept.out)["leaderboards"];
  EXPECT_EQ(boards.size(), 5u);  // one board per operand
  for (const auto& board : boards) {
    EXPECT_TRUE(board["failures"].empty()) << board["failures"];
    EXPECT_EQ(board["entries"].size(), 8u) << board["problem"];
  }
}

TEST_F(CalibrateVerb, LatencyKernelsAreCorrectOnTheEmulator) {
  const ProgramResult swept = run_program({"sweep", (kConfigs / "harness_latency.yaml").string(),
                                           "--device", "emu:sm_90a", "--db", database(), "--set",
                                           "LINE=3", "--budget", "30min", "--quiet", "--json"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const auto json = nlohmann::json::parse(swept.out);
  EXPECT_EQ(json["leaderboards"].size(), 13U);
  for (const auto& board : json["leaderboards"]) {
    EXPECT_TRUE(board["failures"].empty()) << board["failures"];
    EXPECT_EQ(board["entries"].size(), 2U) << board["problem"];
  }
  EXPECT_EQ(swept.err, "");
}

TEST_F(CalibrateVerb, ShowHoldsResultsAgainstTheCeilings) {
  store_trial_of_a_gpu(true);
  const std::string text = run_program({"show", "--all", "--db", database()}).out;
  EXPECT_THAT(text, HasSubstr("of limit"));
  EXPECT_THAT(text, HasSubstr("80.0 %"));
  EXPECT_THAT(text, HasSubstr("50.0 %"));
  EXPECT_THAT(text, HasSubstr("\nlimit: 1,000 µs, memory-bound: 4.40 GB at 4,400 GB/s (measured "
                              "ceiling: read); the best reaches 73 % of the datasheet's 4,814 "
                              "GB/s\n"));
  EXPECT_THAT(text, HasSubstr("\ntuning gained 1.60x over the default configuration (plain "
                              "THREADS=64), 1.00x over the best of the baseline (plain "
                              "THREADS=128)\n"));
  EXPECT_THAT(text, Not(HasSubstr("warpwright calibrate")));
  const auto board = nlohmann::json::parse(
      run_program({"show", "--db", database(), "--json"}).out)["leaderboards"][0];
  EXPECT_DOUBLE_EQ(board["limit"]["us"].get<double>(), 1000);
  EXPECT_DOUBLE_EQ(board["entries"][0]["limit_fraction"].get<double>(), 0.8);
  EXPECT_DOUBLE_EQ(board["over_default"]["factor"].get<double>(), 1.6);
}

TEST_F(CalibrateVerb, WithoutCeilingsShowSaysHowToMeasureThem) {
  store_trial_of_a_gpu(false);
  const std::string text = run_program({"show", "--all", "--db", database()}).out;
  EXPECT_THAT(text, Not(HasSubstr("of limit")));
  EXPECT_THAT(text, HasSubstr("\nno limits for NVIDIA H200 (cuda:0): measure its ceilings with "
                              "`warpwright calibrate --device cuda:0 --db " +
                              database() + "`\n"));
}

TEST_F(CalibrateVerb, ASweepStoresWhatBoundsItsTrials) {
  const ProgramResult swept =
      run_program({"sweep", (kConfigs / "gated_activation.yaml").string(), "--device", "emu:sm_90a",
                   "--budget", "2", "--db", database(), "--quiet", "--json"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_TRUE(nlohmann::json::parse(swept.out)["leaderboards"][0]["limit"]["modelled"].get<bool>());
  const auto rows = Database(database(), OpenMode::kReadOnly).trials({});
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    EXPECT_DOUBLE_EQ(row.trial.work_bytes, 3.0 * 5 * 3001 * 2);
    EXPECT_EQ(row.trial.work_bytes_written, 5.0 * 3001 * 2);
    EXPECT_EQ(row.trial.arithmetic, "fma_f32");
    EXPECT_EQ(row.baseline, row.trial.variant == "scalar");
    if (row.trial.variant == "scalar") {
      EXPECT_EQ(row.default_configuration, "scalar THREADS=256");
    }
  }
}

}  // namespace
}  // namespace warpwright::testing
