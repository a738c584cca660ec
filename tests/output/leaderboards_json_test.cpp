#include "output/json/leaderboards_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "output/golden.h"
#include "output/sample_boards.h"
#include "output/text/leaderboard_text.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::expect_golden;
using testing::measured_ranking;
using testing::measured_rows;
using testing::modelled_rows;
using testing::RowMaker;

TEST(LeaderboardsJson, NoBoardsIsAnEmptyList) {
  EXPECT_EQ(leaderboards_json({}).dump(), R"({"leaderboards":[]})");
}

TEST(LeaderboardsJson, Golden) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = measured_rows(make);
  set_text(rows[0].trial.parameters, R"({"CHUNK":4,"THREADS":512})");
  for (const auto& row : modelled_rows(make)) rows.push_back(row);
  expect_golden("leaderboards.json", leaderboards_json(make_leaderboards(rows)).dump(2) + "\n");
}

TEST(LeaderboardsJson, RankedGolden) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = measured_rows(make);
  const auto ranking = measured_ranking(make, rows);
  rows.resize(5);
  set_text(rows[0].trial.measurement, R"({"anchor_drift":0.001,"validity":null})");
  expect_golden("leaderboards_ranked.json",
                leaderboards_json(make_leaderboards(rows, {ranking})).dump(2) + "\n");
}

TEST(LeaderboardsJson, WhatIsNotKnownIsNull) {
  RowMaker make;
  const auto json = leaderboards_json(make_leaderboards(modelled_rows(make)));
  const auto& entry = json.at("leaderboards").at(0).at("entries").at(0);
  EXPECT_TRUE(entry.at("ci_low_us").is_null());
  EXPECT_TRUE(entry.at("registers").is_null());
  EXPECT_TRUE(entry.at("gflop_per_s").is_null());
}

TEST(LeaderboardsJson, HoldsWhatTheContractLeavesUntested) {
  RowMaker make;
  std::vector<Leaderboard> boards = make_leaderboards({make.ok("a", "", 1)});
  EXPECT_FALSE(leaderboards_json(boards).at("leaderboards").at(0).contains("contract_remarks"));
  boards.at(0).contract_remarks.resize(1);
  boards[0].contract_remarks[0].output = "probs";
  boards[0].contract_remarks[0].largest_expected = 0.5;
  const auto json = leaderboards_json(boards).at("leaderboards").at(0).at("contract_remarks").at(0);
  EXPECT_EQ(json.at("code"), "zeros_pass");
  EXPECT_EQ(json.at("largest_expected"), 0.5);
  EXPECT_EQ(json.at("text"),
            "zeros pass for output 'probs': its largest expected value is 0.5, and no error is "
            "allowed there");
}

TEST(LeaderboardsJson, ADamagedColumnNamesItsTrial) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = {make.ok("a", "", 1)};
  set_text(rows[0].trial.parameters, "{THREADS");
  try {
    static_cast<void>(leaderboards_json(make_leaderboards(rows)));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "trial 1: its configuration is not JSON: {THREADS; measure it again with --fresh");
  }
}

}  // namespace
}  // namespace warpwright
