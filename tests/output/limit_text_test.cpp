#include "output/text/limit_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/board/board_additions.h"
#include "analysis/sample_roofs.h"
#include "output/golden.h"
#include "output/json/leaderboards_json.h"
#include "output/sample_boards.h"
#include "output/text/leaderboard_text.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::expect_golden;
using testing::h200_roofs;
using ::testing::HasSubstr;
using testing::measured_ranking;
using testing::measured_rows;
using testing::modelled_rows;
using ::testing::Not;
using testing::RowMaker;

class LimitTextTest : public ::testing::Test {
 protected:
  static std::vector<Leaderboard> boards_of(const std::vector<Database::TrialRow>& rows,
                                            const Roofs& roofs) {
    std::vector<Leaderboard> boards = make_leaderboards(rows);
    RoofsByDevice by_device;
    for (const Leaderboard& board : boards) by_device[board.device_fingerprint] = roofs;
    add_limits(boards, by_device);
    return boards;
  }
  Leaderboard board_of(const std::vector<Database::TrialRow>& rows,
                       const Roofs& roofs = h200_roofs()) const {
    return boards_of(rows, roofs).at(0);
  }
  RowMaker make_;
};

TEST_F(LimitTextTest, Golden) {
  std::vector<Database::TrialRow> rows = measured_rows(make_);
  for (auto& row : rows) {
    row.trial.work_bytes_written = 655360;
    row.trial.work_flops = 1646821376;
    row.trial.arithmetic = "fma_f32";
    row.baseline = row.trial.variant == "naive";
    row.default_configuration = "threshold CHUNK=4 THREADS=256";
  }
  Roofs roofs = h200_roofs();
  roofs.ceilings.at("read").value = 4465;
  const auto boards = boards_of(rows, roofs);
  expect_golden("leaderboard_limits.txt", leaderboard_text(boards.at(0), {}));
  expect_golden("leaderboards_limits.json", leaderboards_json(boards).dump(2) + "\n");
}

TEST_F(LimitTextTest, TheModelsLimitIsSaidToBeTheModels) {
  const auto rows = modelled_rows(make_);
  DeviceRecord device;
  set_text(device.details, R"({"model_ceilings":{"read":4416,"write":4416,"copy":4416}})");
  const std::string text = leaderboard_text(board_of(rows, make_roofs(device, {})), {});
  EXPECT_THAT(text, HasSubstr("\nthe model's limit: 0.015 µs, memory-bound: 65.9 kB at 4,416 GB/s "
                              "(its rate for read)\n"
                              "latency: below 10 µs launch and latency rule, a percentage would "
                              "mislead\n"));
  EXPECT_THAT(text, HasSubstr("  of limit  variant"));
}

TEST_F(LimitTextTest, WithoutCeilingsNothingIsShown) {
  const Leaderboard board = board_of(measured_rows(make_), Roofs{});
  EXPECT_EQ(limit_lines(board), "");
  EXPECT_THAT(leaderboard_text(board, {}), Not(HasSubstr("limit")));
}

TEST_F(LimitTextTest, TheHintNamesEveryDeviceOnce) {
  std::vector<Database::TrialRow> rows = {make_.ok("a", "", 100)};
  make_.problem_text = "rows=1";
  rows.push_back(make_.ok("a", "", 100));
  make_.device_id = "cuda:1";
  rows.push_back(make_.ok("a", "", 100));
  EXPECT_EQ(calibration_hint(boards_of(rows, Roofs{})),
            "no limits for NVIDIA H200 (cuda:0): measure its ceilings with `warpwright calibrate "
            "--device cuda:0`\n"
            "no limits for NVIDIA H200 (cuda:1): measure its ceilings with `warpwright calibrate "
            "--device cuda:1`\n");
  EXPECT_EQ(calibration_hint(boards_of(rows, h200_roofs())), "");
}

TEST_F(LimitTextTest, ADeviceWithoutAClockIsNotToBeCalibrated) {
  EXPECT_EQ(calibration_hint(boards_of(modelled_rows(make_), Roofs{})), "");
}

TEST_F(LimitTextTest, ArithmeticMayBeTheLimit) {
  make_.work_bytes = 1e8;
  make_.work_flops = 4e11;
  std::vector<Database::TrialRow> rows = {make_.ok("wgmma", "", 905)};
  rows[0].trial.arithmetic = "tensor_bf16";
  EXPECT_EQ(limit_lines(board_of(rows)),
            "limit: 500.0 µs, compute-bound: 400 GFLOP at 800 TFLOP/s (measured ceiling: "
            "tensor_bf16)\n");
}

TEST_F(LimitTextTest, APartWithoutACeilingIsNamed) {
  std::vector<Database::TrialRow> rows = {make_.ok("wgmma", "", 905)};
  rows[0].trial.work_flops = 1e9;
  rows[0].trial.arithmetic = "tensor_e4m3";
  EXPECT_THAT(limit_lines(board_of(rows)),
              HasSubstr("\nthat leaves out a part of the work: this device has no ceiling "
                        "'tensor_e4m3' (warpwright calibrate)\n"));
}

TEST_F(LimitTextTest, WhatIsFasterThanPossibleIsNoResult) {
  make_.work_bytes = 4.4e9;
  const Leaderboard board = board_of({make_.ok("a", "", 500), make_.ok("b", "", 2000)});
  EXPECT_EQ(limit_cell(board.entries[0].limit_share), "> limit");
  EXPECT_EQ(limit_cell(board.entries[1].limit_share), "50.0 %");
  EXPECT_THAT(limit_lines(board), HasSubstr("\n> limit: faster than the work can be done, so the "
                                            "contract counts too much of it; not a result\n"));
  EXPECT_EQ(standing_json(board.entries[0].limit_share), "above_limit");
}

TEST_F(LimitTextTest, WhatStaysInL2IsSaidToStayThere) {
  make_.protocol = "hot-graph-1";
  make_.work_bytes = 6e7;
  const std::string lines = limit_lines(board_of({make_.ok("a", "", 8)}));
  EXPECT_THAT(lines, HasSubstr("\n> limit: the bytes fit into L2 and stayed there; not a result "
                               "about memory\n"));
  EXPECT_THAT(lines, Not(HasSubstr("counts too much")));
}

TEST_F(LimitTextTest, SpeedupsSayOverWhat) {
  Leaderboard board;
  EXPECT_EQ(speedup_line(board), "");
  board.over_default = Speedup{1.306, false, "threshold CHUNK=8", 2};
  EXPECT_EQ(speedup_line(board),
            "tuning gained 1.31x over the default configuration (threshold CHUNK=8)\n");
  board.over_baseline = Speedup{16.82, true, "naive THREADS=256", 3};
  EXPECT_EQ(speedup_line(board),
            "tuning gained 1.31x over the default configuration (threshold CHUNK=8), at least "
            "16.8x over the best of the baseline (naive THREADS=256)\n");
  board.over_default.reset();
  EXPECT_EQ(speedup_line(board),
            "tuning gained at least 16.8x over the best of the baseline (naive THREADS=256)\n");
  board.modelled = true;
  EXPECT_EQ(speedup_line(board),
            "by the model, tuning gained at least 16.8x over the best of the baseline (naive "
            "THREADS=256)\n");
  EXPECT_EQ(
      speedup_json(board.over_baseline).dump(),
      R"({"at_least":true,"configuration_text":"naive THREADS=256","factor":16.82,"trial":3})");
  EXPECT_TRUE(speedup_json(board.over_default).is_null());
}

TEST_F(LimitTextTest, RatesKeepThreeDigits) {
  EXPECT_EQ(format_rate(4430.4, "GB/s"), "4,430 GB/s");
  EXPECT_EQ(format_rate(3.456, "GB/s"), "3.46 GB/s");
  EXPECT_EQ(format_rate(66908, "GFLOP/s"), "66.9 TFLOP/s");
  EXPECT_EQ(format_rate(790123, "GFLOP/s"), "790 TFLOP/s");
  EXPECT_EQ(format_rate(512, "GFLOP/s"), "512 GFLOP/s");
  EXPECT_EQ(format_rate(std::numeric_limits<double>::quiet_NaN(), "GB/s"), "n/a GB/s");
}

TEST_F(LimitTextTest, ACellWithoutALimitIsADash) {
  EXPECT_EQ(limit_cell(std::nullopt), "-");
  EXPECT_TRUE(standing_json(std::nullopt).is_null());
  EXPECT_TRUE(limit_json(Leaderboard{}).is_null());
}

}  // namespace
}  // namespace warpwright
