// The results that are read back from a sweep's database.
#include <gmock/gmock.h>

#include "core/files.h"
#include "harness/selftest/sweep_sections.h"
#include "store/database.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

class SweepResultTest : public ::testing::Test {
 protected:
  SweepResultTest() {
    Database database(file_);
    DeviceRecord device;
    device.fingerprint = "f1e2d3c4b5a6";
    device.id = "cuda:0";
    device.name = "GPU";
    device.arch = "sm_90a";
    device.has_clock = true;
    const RowId device_row = database.put_device(device);
    const RowId kernel_row = database.put_kernel({"harness_spin", "hash", "", ""});
    const RowId run = database.start_run({});
    const auto add = [&](int c, Status status, std::optional<double> median_us) {
      TrialRecord trial;
      trial.key = "key-" + std::to_string(c);
      trial.run = run;
      trial.kernel = kernel_row;
      trial.device = device_row;
      set_text(trial.problem, R"({"n":32})");
      trial.problem_text = "n=32";
      trial.variant = "space";
      set_text(trial.parameters, R"({"C":)" + std::to_string(c) + "}");
      trial.configuration_text = "space C=" + std::to_string(c);
      trial.status = status;
      trial.reason = status == Status::kOk ? "" : "why";
      trial.median_us = median_us;
      if (median_us) {
        trial.ci_low_us = *median_us - 0.1;
        trial.ci_high_us = *median_us + 0.1;
        trial.protocol = "cold-graph-1";
      }
      database.add_trial(trial);
    };
    add(1, Status::kOk, 60);
    add(2, Status::kOk, 59.9);
    add(3, Status::kOk, 70);
    add(4, Status::kTimeout, std::nullopt);
  }

  SweepResult read() {
    SweepSummary summary;
    summary.database = file_;
    summary.ended = RunEnd::kComplete;
    summary.wall_seconds = 3;
    return read_sweep_result(summary);
  }

  static Configuration point(int c) { return {"space", {{"C", c}}}; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "sweep.db";
};

TEST_F(SweepResultTest, TheLeaderboardsOrderAndItsTies) {
  const SweepResult result = read();
  EXPECT_THAT(result.ranked, ::testing::ElementsAre(point(2), point(1), point(3)));
  EXPECT_THAT(result.tied, ::testing::ElementsAre(point(2), point(1)));
  EXPECT_EQ(result.protocol, "cold-graph-1");
}

TEST_F(SweepResultTest, EveryTrialWithItsEnd) {
  const SweepResult result = read();
  ASSERT_EQ(result.trials.size(), 4u);
  EXPECT_EQ(result.trials[3].status, Status::kTimeout);
  EXPECT_EQ(result.trials[3].reason, "why");
  EXPECT_FALSE(result.trials[3].median_us);
  EXPECT_EQ(result.ended, RunEnd::kComplete);
  EXPECT_DOUBLE_EQ(result.wall_seconds, 3);
}

}  // namespace
}  // namespace warpwright
