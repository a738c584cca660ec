#include "analysis/insight/run_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/sample_rows.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RowMaker;

class RunHistoryTest : public ::testing::Test {
 protected:
  Database::TrialRow& add(RowId run, Database::TrialRow row) {
    row.trial.run = run;
    rows_.push_back(row);
    return rows_.back();
  }
  std::vector<RunBest> only_history() {
    const std::vector<Leaderboard> boards = make_leaderboards(rows_);
    EXPECT_EQ(boards.size(), 1U);
    return RunHistories(rows_, rankings_).of(boards.front());
  }
  std::vector<double> times() {
    std::vector<double> found;
    for (const RunBest& best : only_history()) found.push_back(best.median_us);
    return found;
  }
  RowMaker make_;
  std::vector<Database::TrialRow> rows_;
  std::vector<Database::RankingRow> rankings_;
};

TEST_F(RunHistoryTest, TheBestOfEveryRunOldestFirst) {
  add(3, make_.ok("a", "T=1", 12));
  add(1, make_.ok("a", "T=1", 20));
  add(1, make_.ok("a", "T=2", 15));
  const std::vector<RunBest> history = only_history();
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].run, 1);
  EXPECT_EQ(history[0].configuration_text, "a T=2");
  EXPECT_EQ(history[0].trial, 3);
  EXPECT_EQ(history[0].timed, 2U);
  EXPECT_EQ(history[1].run, 3);
  EXPECT_EQ(history[1].median_us, 12);
}

TEST_F(RunHistoryTest, OlderSourcesCountThoughTheirTrialsAreStaleOnTheBoard) {
  add(1, make_.ok("a", "T=1", 10));
  make_.contract = "hash-2";
  make_.generation = 2;
  add(2, make_.ok("a", "T=1", 11));
  EXPECT_EQ(make_leaderboards(rows_).front().stale, 1U);
  EXPECT_THAT(times(), ElementsAre(10, 11));
}

TEST_F(RunHistoryTest, ARunThatTimedNothingHasNoBest) {
  add(1, make_.ok("a", "T=1", 10));
  add(2, make_.failed("a", "T=2", Status::kTimeout, "too long"));
  EXPECT_THAT(times(), ElementsAre(10));
}

TEST_F(RunHistoryTest, WhatAnotherRunProvedWrongWasNeverABest) {
  add(1, make_.ok("a", "T=1", 5));
  add(1, make_.ok("a", "T=2", 9));
  add(2, make_.failed("a", "T=1", Status::kWrongResult, "wrong"));
  EXPECT_THAT(times(), ElementsAre(9));
}

TEST_F(RunHistoryTest, TheWinnerOfAFinalRankingIsItsRunsBest) {
  add(1, make_.ok("a", "T=1", 9));
  add(1, make_.ok("a", "T=2", 10));
  rankings_.push_back(make_.ranking({rows_[1], rows_[0]}, 9.5, 1));
  rankings_.back().ranking.run = 1;
  const std::vector<RunBest> history = only_history();
  ASSERT_EQ(history.size(), 1U);
  EXPECT_TRUE(history[0].ranked);
  EXPECT_EQ(history[0].median_us, 9.5);
  EXPECT_EQ(history[0].configuration_text, "a T=2");
  EXPECT_EQ(history[0].timed, 2U);
}

TEST_F(RunHistoryTest, BoardsAreKeptApart) {
  add(1, make_.ok("a", "T=1", 9));
  make_.problem_text = "rows=1";
  add(1, make_.ok("a", "T=1", 3));
  make_.protocol = "hot-graph-1";
  add(2, make_.ok("a", "T=1", 2));
  const RunHistories histories(rows_, {});
  std::vector<double> first;
  for (const Leaderboard& board : make_leaderboards(rows_)) {
    ASSERT_EQ(histories.of(board).size(), 1U);
    first.push_back(histories.of(board).front().median_us);
  }
  EXPECT_THAT(first, ::testing::UnorderedElementsAre(9, 3, 2));
}

TEST_F(RunHistoryTest, ABoardOfNoRunIsEmpty) {
  EXPECT_THAT(RunHistories().of(Leaderboard{}), IsEmpty());
}

}  // namespace
}  // namespace warpwright
