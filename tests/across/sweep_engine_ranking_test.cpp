// Boards take turns on a device with a clock, and each ends with a final ranking, whatever that
// comes to.
#include <gmock/gmock.h>

#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SweepEngineRankingTest : public ScriptedSweep {};

TEST_F(SweepEngineRankingTest, ABoardIsRankedBeforeTheNextOneBegins) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  const SweepSummary summary = sweep();
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "rank 1: 32 64", "32 on 2", "64 on 2",
                                   "rank 2: 32 64"));
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_EQ(summary.rankings, 2u);
  EXPECT_DOUBLE_EQ(summary.ranking_seconds, 1);
  EXPECT_EQ(summary.trials, 4u);
}

TEST_F(SweepEngineRankingTest, RankingsAreStoredByBoardWithTheirWinners) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"64 on 2", {{"us", 20}}}});
  (void)sweep();
  const std::vector<RankingRecord> all = rankings();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].problem_text, "n=1");
  EXPECT_EQ(all[0].winner, newest(32, 1).id);
  EXPECT_EQ(all[1].problem_text, "n=2");
  EXPECT_EQ(all[1].winner, newest(64, 2).id);
  EXPECT_EQ(all[1].rounds, 30);
}

TEST_F(SweepEngineRankingTest, LeaderboardsShowTheWinnerItsTiesAndTheHeadline) {
  write_sweep("32, 64, 96", "{n: 1}");
  script({{"32 on 1", {{"us", 90}}}, {"64 on 1", {{"us", 90}}}, {"96 on 1", {{"us", 90.5}}}});
  (void)sweep();
  const std::vector<Leaderboard> boards = leaderboards();
  ASSERT_EQ(boards.size(), 1u);
  EXPECT_EQ(boards[0].lapsed_ranking, "");
  ASSERT_TRUE(boards[0].ranking.has_value());
  EXPECT_DOUBLE_EQ(boards[0].headline.cold->median_us, 42);
  ASSERT_EQ(boards[0].entries.size(), 3u);
  EXPECT_EQ(boards[0].entries[0].row.trial.id, newest(32, 1).id);
  EXPECT_TRUE(boards[0].entries[1].tied_with_best);
  EXPECT_FALSE(boards[0].entries[2].tied_with_best) << "intervals overlap, rounds tell them apart";
}

TEST_F(SweepEngineRankingTest, TheSameSweepAgainMeasuresAndRanksNothing) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  (void)sweep();
  const SweepSummary summary = sweep();
  EXPECT_THAT(asked(), IsEmpty());
  EXPECT_EQ(summary.resumed, 4u);
  EXPECT_EQ(summary.rankings, 0u);
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_EQ(rankings().size(), 2u);
}

TEST_F(SweepEngineRankingTest, MoreConfigurationsAreRankedAgainstTheIncumbent) {
  write_sweep("32, 64, 96", "{n: 1}");
  options_.budget = Budget{2, std::nullopt};
  EXPECT_EQ(sweep().ended, RunEnd::kBudget);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "rank 1: 32 64"));
  options_.budget.reset();
  EXPECT_EQ(sweep().ended, RunEnd::kComplete);
  EXPECT_THAT(asked(), ElementsAre("96 on 1", "rank 1: 32* 64 96"));
  ASSERT_EQ(rankings().size(), 1u);
  EXPECT_EQ(rankings()[0].entries.size(), 3u);
}

TEST_F(SweepEngineRankingTest, WithoutRankingThereIsNone) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  options_.rank = false;
  EXPECT_EQ(sweep().rankings, 0u);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "32 on 2", "64 on 2"));
  EXPECT_THAT(rankings(), IsEmpty());
}

TEST_F(SweepEngineRankingTest, ADeviceWithoutAClockIsNotRanked) {
  write_sweep("32, 64", "{n: 1}");
  options_.emulator_slots = 1;
  EXPECT_EQ(sweep_on({device("emu:fake", false)}).rankings, 0u);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1"));
}

TEST_F(SweepEngineRankingTest, OneConfigurationNeedsNoRanking) {
  write_sweep("32", "{n: 1}, {n: 2}");
  EXPECT_EQ(sweep().rankings, 0u);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "32 on 2"));
}

TEST_F(SweepEngineRankingTest, WhatAnEarlierSweepDidNotRankIsRankedInTheOrderOfTheBoards) {
  options_.rank = false;
  write_sweep("32, 64", "{n: 2}");
  (void)sweep();
  options_.rank = true;
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  (void)sweep();
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "rank 1: 32 64", "rank 2: 32 64"));
}

TEST_F(SweepEngineRankingTest, ANoisyRankingLeavesTheTrialsAndTheNextBoard) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"rank 1", {{"status", "noisy"}}}});
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_EQ(summary.rankings, 1u);
  EXPECT_EQ(stored().size(), 4u);
  ASSERT_EQ(rankings().size(), 1u);
  EXPECT_EQ(rankings()[0].problem_text, "n=2");
  EXPECT_THAT(said(), HasSubstr("no final ranking for n=1: noisy: told to end like this\n"));
}

TEST_F(SweepEngineRankingTest, ARankingThatFailedIsMadeUpForByTheNextSweep) {
  write_sweep("32, 64", "{n: 1}");
  script({{"rank 1", {{{"status", "noisy"}}, json::object()}}});
  (void)sweep();
  script(json::object());
  EXPECT_EQ(sweep().rankings, 1u);
  EXPECT_THAT(asked(), ElementsAre("rank 1: 32 64"));
}

TEST_F(SweepEngineRankingTest, TheFinalistAtFaultIsNamed) {
  write_sweep("32, 64", "{n: 1}");
  script({{"rank 1", {{"status", "wrong_result"}, {"failed", 1}}}});
  EXPECT_EQ(sweep().rankings, 0u);
  EXPECT_THAT(said(), HasSubstr("no final ranking for n=1: wrong_result (plain HINT=0 PER_THREAD=1 "
                                "THREADS=64): told to end like this\n"));
}

TEST_F(SweepEngineRankingTest, ARankingThatKillsItsWorkersLeavesTheTrials) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"rank 1", {{"dies", true}}}});
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_EQ(summary.measurers_lost, 3u);
  EXPECT_EQ(summary.by_status.at(Status::kOk), 4u);
  EXPECT_EQ(summary.rankings, 1u);
  EXPECT_THAT(said(), HasSubstr("no final ranking for n=1: crashed: 3 measuring processes died"));
}

TEST_F(SweepEngineRankingTest, ARankingThatHangsLeavesTheTrialsAndTheNextBoard) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"rank 1", {{"status", "timeout"}, {"worker_lost", true}}}});
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_EQ(summary.measurers_lost, 1u);
  EXPECT_EQ(summary.rankings, 1u);
  EXPECT_EQ(stored().size(), 4u);
  EXPECT_THAT(said(), HasSubstr("no final ranking for n=1: timeout: "));
}

TEST_F(SweepEngineRankingTest, AFaultOfTheContractInARankingSparesTheNextBoard) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"rank 1", {{"error", "user"}}}});
  EXPECT_THAT(error_of_sweep(), HasSubstr("told to fail\n  for problem n=1 on fake:0"));
  EXPECT_EQ(stored().size(), 4u);
  ASSERT_EQ(rankings().size(), 1u);
  EXPECT_EQ(rankings()[0].problem_text, "n=2");
}

TEST_F(SweepEngineRankingTest, AStopLetsTheRankingThatRunsEnd) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"rank 1", {{"interrupts", true}}}});
  EXPECT_EQ(sweep().ended, RunEnd::kInterrupted);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "rank 1: 32 64"));
  EXPECT_EQ(stored().size(), 2u);
  EXPECT_EQ(rankings().size(), 1u);
  EXPECT_EQ(sweep().ended, RunEnd::kComplete);
  EXPECT_THAT(asked(), ElementsAre("32 on 2", "64 on 2", "rank 2: 32 64"));
}

TEST_F(SweepEngineRankingTest, AStopDoesNotWaitForeverForARanking) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"rank 1", {{"interrupts", true}, {"hangs", true}}}});
  EXPECT_EQ(sweep().ended, RunEnd::kInterrupted);
  EXPECT_EQ(stored().size(), 2u);
  EXPECT_THAT(rankings(), IsEmpty());
  script(json::object());
  EXPECT_EQ(sweep().rankings, 2u);
  EXPECT_THAT(asked(), ElementsAre("rank 1: 32 64", "32 on 2", "64 on 2", "rank 2: 32 64"));
}

TEST_F(SweepEngineRankingTest, EveryDeviceIsRankedByItself) {
  write_sweep("32, 64", "{n: 1}");
  const SweepSummary summary = sweep_on({device("fake:0", true), device("fake:1", true)});
  EXPECT_EQ(summary.rankings, 2u);
  EXPECT_EQ(summary.shared, 0u) << "other devices, other times";
  EXPECT_EQ(rankings().size(), 2u);
}

}  // namespace
}  // namespace warpwright::testing
