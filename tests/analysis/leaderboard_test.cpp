#include "analysis/board/leaderboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/sample_rows.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using ::testing::ElementsAre;
using testing::RowMaker;

// The ranked configurations in order, which most tests check.
std::vector<std::string> configurations(const Leaderboard& board) {
  std::vector<std::string> texts;
  for (const auto& entry : board.entries) texts.push_back(entry.row.trial.configuration_text);
  return texts;
}

std::vector<bool> ties(const Leaderboard& board) {
  std::vector<bool> tied;
  for (const auto& entry : board.entries) tied.push_back(entry.tied_with_best);
  return tied;
}

class LeaderboardTest : public ::testing::Test {
 protected:
  Leaderboard only_board() {
    std::vector<Leaderboard> boards = make_leaderboards(rows_);
    EXPECT_EQ(boards.size(), 1U);
    return boards.empty() ? Leaderboard{} : boards.front();
  }
  RowMaker make_;
  std::vector<Database::TrialRow> rows_;
};

TEST_F(LeaderboardTest, NothingMakesNoBoard) { EXPECT_TRUE(make_leaderboards({}).empty()); }

TEST_F(LeaderboardTest, BestFirst) {
  rows_ = {make_.ok("naive", "", 6258), make_.ok("threshold", "THREADS=512", 372.1),
           make_.ok("threshold", "THREADS=256", 380)};
  const Leaderboard board = only_board();
  EXPECT_THAT(configurations(board),
              ElementsAre("threshold THREADS=512", "threshold THREADS=256", "naive"));
  EXPECT_EQ(board.entries[0].rank, 1);
  EXPECT_EQ(board.entries[2].rank, 3);
  EXPECT_DOUBLE_EQ(board.entries[1].speed_vs_best, 372.1 / 380);
}

TEST_F(LeaderboardTest, EqualTimesRankByConfiguration) {
  rows_ = {make_.ok("b", "", 5), make_.ok("a", "", 5), make_.ok("c", "", 5)};
  EXPECT_THAT(configurations(only_board()), ElementsAre("a", "b", "c"));
}

TEST_F(LeaderboardTest, OverlappingIntervalsTieAndKeepTheirRank) {
  rows_ = {make_.ok("a", "", 100), make_.ok("b", "", 100.8), make_.ok("c", "", 100.81)};
  const Leaderboard board = only_board();
  EXPECT_THAT(ties(board), ElementsAre(true, true, false));
  EXPECT_EQ(board.entries[1].rank, 2);
}

TEST_F(LeaderboardTest, ATimeWithoutIntervalTiesOnlyInsideTheBest) {
  rows_ = {make_.ok("a", "", 100), make_.ok("b", "", 100.3), make_.ok("c", "", 100.5)};
  for (auto& row : rows_) {
    if (row.trial.variant != "a") row.trial.ci_low_us = row.trial.ci_high_us = std::nullopt;
  }
  EXPECT_THAT(ties(only_board()), ElementsAre(true, true, false));
}

TEST_F(LeaderboardTest, ModelledTimesTieOnlyWhenEqual) {
  make_.has_clock = false;
  rows_ = {make_.ok("a", "", 100), make_.ok("b", "", 100), make_.ok("c", "", 100.01)};
  for (auto& row : rows_) {
    row.trial.ci_low_us = 90;
    row.trial.ci_high_us = 110;
  }
  const Leaderboard board = only_board();
  EXPECT_TRUE(board.modelled);
  EXPECT_THAT(ties(board), ElementsAre(true, true, false));
}

TEST_F(LeaderboardTest, SpeedupIsAgainstTheSlowestVariantsBest) {
  rows_ = {make_.ok("threshold", "THREADS=512", 100), make_.ok("naive", "THREADS=32", 9000),
           make_.ok("naive", "THREADS=64", 1600)};
  const Leaderboard board = only_board();
  EXPECT_DOUBLE_EQ(board.entries[0].speedup_over_slowest_variant_best, 16);
  EXPECT_DOUBLE_EQ(board.entries[1].speedup_over_slowest_variant_best, 1);
}

TEST_F(LeaderboardTest, RatesComeFromTheContractsWork) {
  make_.work_flops = 2e9;
  rows_ = {make_.ok("a", "", 400)};
  Leaderboard board = only_board();
  EXPECT_DOUBLE_EQ(*board.entries[0].gigabytes_per_second, 1647476736 / 400.0 / 1e3);
  EXPECT_DOUBLE_EQ(*board.entries[0].gigaflops_per_second, 5000);
  make_.work_bytes = make_.work_flops = 0;
  rows_ = {make_.ok("a", "", 400)};
  board = only_board();
  EXPECT_EQ(board.entries[0].gigabytes_per_second, std::nullopt);
  EXPECT_EQ(board.entries[0].gigaflops_per_second, std::nullopt);
}

TEST_F(LeaderboardTest, BoardsAreByKernelProblemAndDevice) {
  rows_ = {make_.ok("a", "", 1)};
  make_.device_id = "cuda:1";
  rows_.push_back(make_.ok("a", "", 2));
  make_.problem_text = "rows=1";
  rows_.push_back(make_.ok("a", "", 3));
  make_.kernel = "conv1d";
  rows_.push_back(make_.ok("a", "", 4));
  std::vector<double> best;
  for (const Leaderboard& board : make_leaderboards(rows_))
    best.push_back(*board.entries.at(0).row.trial.median_us);
  EXPECT_THAT(best, ElementsAre(4, 3, 1, 2));
}

TEST_F(LeaderboardTest, ANewDriverMakesANewBoard) {
  rows_ = {make_.ok("a", "", 1)};
  make_.driver = "590.1";
  rows_.push_back(make_.ok("a", "", 2));
  EXPECT_EQ(make_leaderboards(rows_).size(), 2U);
}

TEST_F(LeaderboardTest, ColdAndHotNeverMeet) {
  rows_ = {make_.ok("a", "", 10)};
  make_.protocol = "hot-events-1";
  rows_.push_back(make_.ok("a", "", 5));
  const auto boards = make_leaderboards(rows_);
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(boards[0].protocol, "cold-events-1");
  EXPECT_EQ(boards[1].protocol, "hot-events-1");
  EXPECT_EQ(boards[0].entries.size(), 1U);
}

TEST_F(LeaderboardTest, EarlyFailuresGoWithTheProtocolUsedLast) {
  rows_ = {make_.failed("b", "", Status::kCompileFailed, "error"), make_.ok("a", "", 10)};
  make_.protocol = "cold-events-2";
  rows_.push_back(make_.ok("a", "", 11));
  const auto boards = make_leaderboards(rows_);
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_TRUE(boards[0].failures.empty());
  EXPECT_EQ(boards[1].failures.size(), 1U);
}

TEST_F(LeaderboardTest, OldSourcesOfAVariantAreStale) {
  rows_ = {make_.ok("threshold", "", 100), make_.ok("naive", "", 900)};
  make_.contract = "hash-2";
  make_.generation = 2;
  rows_.push_back(make_.ok("threshold", "", 120));
  const Leaderboard board = only_board();
  EXPECT_EQ(*board.entries[0].row.trial.median_us, 120);  // the faster code is gone
  EXPECT_EQ(board.entries.size(), 2U);                    // naive did not change
  EXPECT_EQ(board.stale, 1U);
  EXPECT_EQ(board.outdated, 0U);
  EXPECT_EQ(board.contract_hash, "hash-2");
}

TEST_F(LeaderboardTest, SourcesThatCameBackCount) {
  make_.generation = 3;  // swept again after hash-2
  rows_ = {make_.ok("a", "", 100)};
  make_.contract = "hash-2";
  make_.generation = 2;
  rows_.push_back(make_.ok("a", "", 90));
  EXPECT_EQ(*only_board().entries[0].row.trial.median_us, 100);
}

TEST_F(LeaderboardTest, ABoardOfOlderSourcesIsOutdated) {
  rows_ = {make_.ok("a", "", 100)};
  make_.device_id = "cuda:1";
  make_.contract = "hash-2";
  make_.generation = 2;
  rows_.push_back(make_.ok("a", "", 50));
  const auto boards = make_leaderboards(rows_);
  ASSERT_EQ(boards.size(), 2U);
  EXPECT_EQ(boards[0].outdated, 1U);
  EXPECT_EQ(boards[0].stale, 0U);
  EXPECT_EQ(boards[1].outdated, 0U);
}

TEST_F(LeaderboardTest, ImportedTrialsSayWhichFilesTheyComeFrom) {
  make_.protocol = "imported-t4-1";
  for (const char* file : {"b.json", "a.json", "d.json", "c.json"}) {
    rows_.push_back(make_.ok("", std::string("x=") + file, 10));
    set_text(rows_.back().trial.measurement,
             std::string(R"({"imported":{"file":")") + file + "\"}}");
  }
  EXPECT_EQ(only_board().imported, "a.json, b.json, c.json and 1 more");
  rows_.resize(1);
  EXPECT_EQ(only_board().imported, "b.json");
  set_text(rows_[0].trial.measurement, "");
  EXPECT_EQ(only_board().imported, "an unnamed file");
}

TEST_F(LeaderboardTest, TrialsOfOurOwnAreNotImported) {
  rows_ = {make_.ok("naive", "", 10)};
  EXPECT_EQ(only_board().imported, std::nullopt);
}

TEST_F(LeaderboardTest, ImportedTrialsDoNotMakeOurSourcesOutdated) {
  rows_ = {make_.ok("naive", "", 10)};
  make_.device_id = make_.device_name = "imported";
  make_.protocol = "imported-t4-1";
  make_.contract = "hash of the import";
  make_.generation = 2;
  rows_.push_back(make_.ok("naive", "", 9));
  for (const Leaderboard& board : make_leaderboards(rows_)) EXPECT_EQ(board.outdated, 0U);
}

TEST_F(LeaderboardTest, OfSeveralSeedsTheNewestTrialCounts) {
  rows_ = {make_.ok("a", "", 100), make_.ok("a", "", 104)};
  const Leaderboard board = only_board();
  ASSERT_EQ(board.entries.size(), 1U);
  EXPECT_EQ(*board.entries[0].row.trial.median_us, 104);
  EXPECT_EQ(board.trials, 1U);
}

TEST_F(LeaderboardTest, OneSeedsWrongResultIsNotUndoneByAnothersLuck) {
  rows_ = {make_.ok("a", "", 100), make_.failed("a", "", Status::kWrongResult, "output 1"),
           make_.ok("a", "", 90), make_.ok("b", "", 200)};
  const Leaderboard board = only_board();
  EXPECT_THAT(configurations(board), ElementsAre("b"));
  ASSERT_EQ(board.failures.size(), 1U);
  EXPECT_EQ(board.failures[0].status, Status::kWrongResult);
  EXPECT_EQ(board.trials, 2U);
}

TEST_F(LeaderboardTest, ATimeoutIsUndoneByALaterSuccess) {
  rows_ = {make_.failed("a", "", Status::kTimeout, "2000 ms"), make_.ok("a", "", 90)};
  const Leaderboard board = only_board();
  EXPECT_EQ(board.entries.size(), 1U);
  EXPECT_TRUE(board.failures.empty());
}

TEST_F(LeaderboardTest, EqualCausesMeetLargestGroupFirst) {
  rows_ = {make_.failed("a", "T=2", Status::kTimeout, "no end after 2000 ms"),
           make_.failed("a", "T=4", Status::kWrongResult, "output \"probs\"[4]: got 2"),
           make_.failed("a", "T=3", Status::kWrongResult, "output \"indices\"[17]: got 1")};
  const Leaderboard board = only_board();
  ASSERT_EQ(board.failures.size(), 2U);
  EXPECT_EQ(board.failures[0].count, 2U);
  EXPECT_EQ(board.failures[0].status, Status::kWrongResult);
  EXPECT_EQ(board.failures[0].cause, "output \"…\"[…]: got …");
  EXPECT_EQ(board.failures[0].example, "output \"indices\"[17]: got 1");
  EXPECT_EQ(board.failures[0].example_configuration, "a T=3");
  EXPECT_EQ(board.failures[0].example_trial, 3);
  EXPECT_EQ(board.failures[1].count, 1U);
  EXPECT_EQ(board.trials, 3U);
}

TEST_F(LeaderboardTest, TheSameWordsUnderTwoStatusesStayApart) {
  rows_ = {make_.failed("a", "", Status::kTimeout, "stopped"),
           make_.failed("b", "", Status::kCrashed, "stopped")};
  EXPECT_EQ(only_board().failures.size(), 2U);
}

TEST_F(LeaderboardTest, PrunedIsNoFailureAndKeepsItsSmallestBound) {
  rows_ = {make_.ok("a", "", 100), make_.failed("b", "", Status::kPruned, "slower"),
           make_.failed("c", "", Status::kPruned, "slower"),
           make_.failed("d", "", Status::kPruned, "slower")};
  rows_[1].trial.at_least_us = 130;
  rows_[2].trial.at_least_us = 125;
  const Leaderboard board = only_board();
  EXPECT_TRUE(board.failures.empty());
  EXPECT_EQ(board.pruned, 3U);
  EXPECT_EQ(board.pruned_at_least_us, 125);
  EXPECT_EQ(board.trials, 4U);
}

TEST_F(LeaderboardTest, NoisyIsNoFailure) {
  rows_ = {make_.ok("a", "", 100), make_.failed("b", "", Status::kNoisy, "clocks moved")};
  const Leaderboard board = only_board();
  EXPECT_TRUE(board.failures.empty());
  EXPECT_EQ(board.noisy, 1U);
  EXPECT_EQ(board.trials, 2U);
}

TEST_F(LeaderboardTest, ANoisyTrialDoesNotUndoATime) {
  rows_ = {make_.ok("a", "", 100), make_.failed("a", "", Status::kNoisy, "clocks moved")};
  const Leaderboard board = only_board();
  EXPECT_THAT(configurations(board), ElementsAre("a"));
  EXPECT_EQ(board.noisy, 0U);
}

TEST_F(LeaderboardTest, ATimeReplacesANoisyTrial) {
  rows_ = {make_.failed("a", "", Status::kNoisy, "clocks moved"), make_.ok("a", "", 100)};
  EXPECT_THAT(configurations(only_board()), ElementsAre("a"));
}

TEST_F(LeaderboardTest, ATrialThatWasNotTimedIsNotRanked) {
  rows_ = {make_.ok("a", "", 1)};
  rows_[0].trial.median_us = std::nullopt;
  const Leaderboard board = only_board();
  EXPECT_TRUE(board.entries.empty());
  EXPECT_EQ(board.failures.at(0).cause, "validated, not timed");
}

TEST_F(LeaderboardTest, TheOrderOfTheRowsDoesNotMatter) {
  rows_ = {make_.ok("a", "", 100), make_.ok("a", "", 104), make_.ok("b", "", 90),
           make_.failed("c", "", Status::kTimeout, "x")};
  const std::vector<std::string> forward = configurations(only_board());
  std::reverse(rows_.begin(), rows_.end());
  EXPECT_EQ(configurations(only_board()), forward);
}

}  // namespace
}  // namespace warpwright
