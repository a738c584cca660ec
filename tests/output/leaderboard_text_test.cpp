#include "output/text/leaderboard_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "output/golden.h"
#include "output/sample_boards.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::expect_golden;
using ::testing::HasSubstr;
using testing::measured_ranking;
using testing::measured_rows;
using testing::modelled_rows;
using ::testing::Not;
using testing::RowMaker;

class LeaderboardTextTest : public ::testing::Test {
 protected:
  static std::string text_of(const std::vector<Database::TrialRow>& rows,
                             const LeaderboardTextOptions& options = {},
                             const std::vector<Database::RankingRow>& rankings = {}) {
    std::string text;
    for (const Leaderboard& board : make_leaderboards(rows, rankings))
      text += leaderboard_text(board, options);
    return text;
  }
  RowMaker make_;
};

TEST_F(LeaderboardTextTest, Measured) {
  expect_golden("leaderboard_measured.txt", text_of(measured_rows(make_)));
}

TEST_F(LeaderboardTextTest, ANamedVersionHasItsNameInAColumn) {
  Leaderboard board = make_leaderboards(measured_rows(make_)).front();
  EXPECT_THAT(leaderboard_text(board, {}), Not(HasSubstr("version")));
  board.entries[2].version = "V4";
  EXPECT_THAT(leaderboard_text(board, {}), HasSubstr("V4       threshold  CHUNK=4 THREADS=256"));
  LeaderboardTextOptions two;
  two.top = 2;
  EXPECT_THAT(leaderboard_text(board, two), Not(HasSubstr("version")));
}

TEST_F(LeaderboardTextTest, Modelled) {
  expect_golden("leaderboard_modelled.txt", text_of(modelled_rows(make_)));
}

TEST_F(LeaderboardTextTest, ImportedResultsSayThatTheyWereMeasuredElsewhere) {
  make_.protocol = "imported-t4-1";
  make_.device_id = "imported";
  make_.device_name = "A100";
  make_.driver = "";
  make_.problem_text = "published";
  make_.work_bytes = 0;
  std::vector<Database::TrialRow> rows = {
      make_.ok("", "block=32 tile=4", 1250.5), make_.ok("", "block=64 tile=4", 1301.2),
      make_.failed("", "block=1024 tile=4", Status::kLaunchFailed, "RuntimeFailedConfig")};
  for (Database::TrialRow& row : rows) {
    row.trial.protocol = "imported-t4-1";
    set_text(row.trial.resources, "");
    row.trial.configuration_text.erase(0, 1);
    set_text(row.trial.measurement, R"({"imported":{"file":"blur-A100.json.gz"}})");
  }
  expect_golden("leaderboard_imported.txt", text_of(rows));
}

TEST_F(LeaderboardTextTest, Coloured) {
  expect_golden("leaderboard_colour.txt", text_of(measured_rows(make_), {.colour = true}));
}

TEST_F(LeaderboardTextTest, NothingPassed) {
  expect_golden("leaderboard_nothing_passed.txt",
                text_of({make_.failed("naive", "", Status::kCrashed,
                                      "worker killed by signal 11 (Segmentation fault)"),
                         make_.failed("block_row", "THREADS=2048", Status::kInvalid,
                                      "THREADS=2048 exceeds device.max_threads 1024")}));
}

TEST_F(LeaderboardTextTest, ComputeBoundKernelsShowOperations) {
  make_.kernel = "attention_prefill";
  make_.problem_text = "B=1 H=32 S=8192 causal=1";
  make_.work_bytes = 0;
  make_.work_flops = 5.5e11;
  expect_golden("leaderboard_flops.txt", text_of({make_.ok("wgmma", "TILE_Q=128", 905),
                                                  make_.ok("wmma", "TILE_Q=64", 4210)}));
}

TEST_F(LeaderboardTextTest, OlderSourcesAreToldApart) {
  std::vector<Database::TrialRow> rows = measured_rows(make_);
  make_.contract = "hash-2";
  make_.generation = 2;
  rows.push_back(make_.ok("naive", "THREADS=256", 6300));
  make_.device_id = "cuda:1";
  make_.contract = "hash-3";
  make_.generation = 3;
  rows.push_back(make_.ok("naive", "THREADS=256", 6100));
  expect_golden("leaderboard_older_sources.txt", text_of(rows, {.show_failures = false}));
}

TEST_F(LeaderboardTextTest, Ranked) {
  std::vector<Database::TrialRow> rows = measured_rows(make_);
  for (auto& row : rows)
    if (row.trial.median_us) row.trial.raw_median_us = *row.trial.median_us + 4.4;
  rows[3].trial.same_as = rows[2].trial.id;
  expect_golden("leaderboard_ranked.txt", text_of(rows, {}, {measured_ranking(make_, rows)}));
}

TEST_F(LeaderboardTextTest, ARankingThatNoLongerHoldsIsExplained) {
  std::vector<Database::TrialRow> rows = measured_rows(make_);
  const auto ranking = measured_ranking(make_, rows);
  rows.push_back(make_.ok("warp_row", "WARPS=2", 370.0));
  expect_golden("leaderboard_lapsed_ranking.txt",
                text_of(rows, {.show_failures = false}, {ranking}));
}

TEST_F(LeaderboardTextTest, PrunedAndNoisy) {
  std::vector<Database::TrialRow> rows = {make_.ok("a", "", 100)};
  for (const char* parameters : {"N=1", "N=2", "N=3"}) {
    rows.push_back(make_.failed("b", parameters, Status::kPruned, "certainly slower"));
    rows.back().trial.at_least_us = 125.99 + static_cast<double>(rows.size());
  }
  for (const char* parameters : {"N=1", "N=2"})
    rows.push_back(make_.failed("c", parameters, Status::kNoisy, "the clocks moved"));
  expect_golden("leaderboard_pruned_noisy.txt", text_of(rows));
}

TEST_F(LeaderboardTextTest, OneOfAKindIsToldInTheSingular) {
  std::vector<Database::TrialRow> rows = {make_.failed("b", "", Status::kPruned, ""),
                                          make_.failed("c", "", Status::kNoisy, "")};
  rows[0].trial.at_least_us = 20;
  EXPECT_THAT(text_of(rows), HasSubstr("\npruned: 1 configuration, at least 20.00 µs\n"
                                       "noisy: 1 configuration, run the sweep again to time it\n"));
}

TEST_F(LeaderboardTextTest, AWinnerWithoutTiesIsSaidToBeFaster) {
  std::vector<Database::TrialRow> rows = measured_rows(make_);
  const std::string text = text_of(rows, {}, {make_.ranking({rows[0], rows[1]}, 371, 1)});
  EXPECT_THAT(text, HasSubstr("\nfinal ranking: 46 rounds, 2 finalists, the winner is faster than "
                              "the others at 99 % confidence\n"
                              "winner: threshold CHUNK=4 THREADS=512\n\n"));
}

TEST_F(LeaderboardTextTest, ReproductionNamesTheDatabase) {
  EXPECT_THAT(text_of(measured_rows(make_), {.command_options = " --db x.db"}),
              HasSubstr("\nrun one of them alone: warpwright repro 8 --db x.db\n"));
}

TEST_F(LeaderboardTextTest, TopLimitsTheEntriesAndSaysSo) {
  const std::string text = text_of(measured_rows(make_), {.top = 2});
  EXPECT_THAT(text, HasSubstr("CHUNK=8 THREADS=512"));
  EXPECT_THAT(text, Not(HasSubstr("CHUNK=4 THREADS=256")));
  EXPECT_THAT(text, HasSubstr("\n  … 4 more: --top 0 shows all\n"));
  EXPECT_THAT(text_of(measured_rows(make_), {.top = 0}), Not(HasSubstr("more:")));
}

TEST_F(LeaderboardTextTest, WhatLongRowsShareIsSaidOnce) {
  const std::string shared = "LOAD_HINT=streaming STORE_HINT=none THREADS_PER_SM=2048";
  const std::string text = text_of({make_.ok("flat", "A=1 " + shared + " VECTOR=8", 10),
                                    make_.ok("flat", "A=2 " + shared + " VECTOR=16", 11)});
  EXPECT_THAT(text, HasSubstr("A=1 VECTOR=8 "));
  EXPECT_THAT(text, HasSubstr("A=2 VECTOR=16"));
  EXPECT_THAT(text, HasSubstr("\n  every row shown has " + shared + "\n"));
}

TEST_F(LeaderboardTextTest, ShortRowsAreShownWhole) {
  const std::string text =
      text_of({make_.ok("flat", "A=1 B=2", 10), make_.ok("flat", "A=2 B=2", 11)});
  EXPECT_THAT(text, HasSubstr("A=1 B=2"));
  EXPECT_THAT(text, Not(HasSubstr("every row shown has")));
}

TEST_F(LeaderboardTextTest, FailuresCanBeLeftOut) {
  EXPECT_THAT(text_of(measured_rows(make_), {.show_failures = false}), Not(HasSubstr("failed:")));
}

TEST_F(LeaderboardTextTest, HotTimesSaySo) {
  make_.protocol = "hot-events-1";
  EXPECT_THAT(text_of({make_.ok("a", "", 1)}), HasSubstr("NVIDIA H200 (cuda:0), hot, measured\n"));
}

TEST_F(LeaderboardTextTest, AnUnknownProtocolIsNamed) {
  make_.protocol = "slope-2";
  EXPECT_THAT(text_of({make_.ok("a", "", 1)}),
              HasSubstr("NVIDIA H200 (cuda:0), slope-2, measured\n"));
}

TEST_F(LeaderboardTextTest, ALoneBestHasNoTieMark) {
  const std::string text = text_of({make_.ok("a", "", 1), make_.ok("b", "", 100)});
  EXPECT_THAT(text, Not(HasSubstr(" =1")));
  EXPECT_THAT(text, Not(HasSubstr("ties with")));
}

TEST_F(LeaderboardTextTest, WhatTheCheckersObjectToIsMarked) {
  std::vector<Database::TrialRow> rows = {make_.ok("a", "", 1), make_.ok("b", "", 100),
                                          make_.ok("c", "", 200)};
  set_text(rows[0].trial.measurement,
           R"({"hazards":[{"kind":"shared race","text":"t"},{"kind":"shared race","text":"u"}]})");
  set_text(
      rows[2].trial.measurement,
      R"({"hazards":[{"kind":"exit before barrier","text":"v"},{"kind":"shared race","text":"t"}]})");
  const std::string text = text_of(rows);
  EXPECT_THAT(text, HasSubstr("\n    !1 "));
  EXPECT_THAT(text, HasSubstr("\n     2 "));
  EXPECT_THAT(text, HasSubstr("\n    !3 "));
  EXPECT_THAT(text, HasSubstr("\n! works, but the checkers object: exit before barrier (1), shared "
                              "race (2); `warpwright vet softmax_topk` tells more\n"));
  EXPECT_THAT(text_of({make_.ok("a", "", 1)}), Not(HasSubstr("!")));
}

TEST_F(LeaderboardTextTest, WhatTheContractLeavesUntestedIsAWarningBelowTheBoard) {
  Leaderboard board = make_leaderboards({make_.ok("a", "", 1)}).at(0);
  EXPECT_THAT(leaderboard_text(board, {}), Not(HasSubstr("warning")));
  board.contract_remarks.resize(2);
  board.contract_remarks[0].output = board.contract_remarks[1].output = "probs";
  board.contract_remarks[0].largest_expected = 0.000296;
  board.contract_remarks[0].allowed = 0.01;
  board.contract_remarks[1].code = RemarkCode::kMeanPasses;
  EXPECT_THAT(leaderboard_text(board, {}),
              HasSubstr("\n\nwarning: zeros and the mean of the expected values in every element "
                        "pass for output 'probs': its largest expected value is 0.000296, and an "
                        "error of 0.01 is allowed there\n"));
}

TEST_F(LeaderboardTextTest, ManyCausesAreCut) {
  std::vector<Database::TrialRow> rows;
  for (char c = 'a'; c <= 'p'; ++c)
    rows.push_back(
        make_.failed("v", std::string(1, c), Status::kHazard, std::string("race in ") + c));
  EXPECT_THAT(text_of(rows), HasSubstr("\n  … and 4 more causes: show --why\n"));
}

}  // namespace
}  // namespace warpwright
