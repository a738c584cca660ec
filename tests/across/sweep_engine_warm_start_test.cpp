// A search reports its prior knowledge, which stays apart from the measurements.
#include <gmock/gmock.h>

#include <set>

#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class SweepEngineWarmStartTest : public ScriptedSweep {
 protected:
  void SetUp() override {
    ScriptedSweep::SetUp();
    options_.strategy = "auto";
  }
  [[nodiscard]] GoalRecord goal_of_last_run() const {
    const Stored<GoalRecord> goal = Database(database_).runs().back().second.goal;
    return goal.known() ? *goal : GoalRecord();
  }
};

TEST_F(SweepEngineWarmStartTest, TheFirstBoardThereIsBeginsWithNothing) {
  write_sweep("32, 64, 128", "{n: 1}");
  EXPECT_THAT(sweep().boards.at(0).began_with, IsEmpty());
  EXPECT_THAT(said(), Not(HasSubstr("begins with")));
  EXPECT_TRUE(Database(database_).runs().back().second.goal.value().knowledge.empty());
}

TEST_F(SweepEngineWarmStartTest, AnotherProblemBeginsWithWhatIsKnown) {
  write_sweep("32, 64, 128", "{n: 1}");
  (void)sweep();
  write_sweep("32, 64, 256", "{n: 2}");
  const std::vector<KnowledgeSource> known = {{"board", "fake:0", "n=1", 2}};
  EXPECT_EQ(sweep().boards.at(0).began_with, known);
  EXPECT_THAT(said(), HasSubstr("auto begins with what 2 results of 1 other board say"));
  const GoalRecord stored_goal = goal_of_last_run();
  EXPECT_TRUE(stored_goal.plain());
  ASSERT_THAT(stored_goal.knowledge, SizeIs(1));
  EXPECT_EQ(stored_goal.knowledge[0].sources, known);
  // BoardBeliefs are not results.
  EXPECT_THAT(stored(), SizeIs(6));
  for (const Leaderboard& board : leaderboards()) {
    EXPECT_THAT(board.entries, SizeIs(3)) << board.problem_text;
    EXPECT_EQ(board.goal, nullptr);
  }
}

TEST_F(SweepEngineWarmStartTest, AProblemLearnsFromThoseBeforeIt) {
  options_.any_order = true;
  write_sweep("32, 64", "{n: 1}, {n: 2}, {n: 4}");
  const SweepSummary summary = sweep();
  EXPECT_THAT(summary.boards.at(0).began_with, IsEmpty());
  EXPECT_THAT(said(), Not(HasSubstr("n=1: auto begins")));
  // Nothing asks twice.
  const std::vector<std::string> all = asked_sorted();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  EXPECT_EQ(summary.trials, 6U);
}

TEST_F(SweepEngineWarmStartTest, WhatEndedBeforeInTheSameSweepIsKnown) {
  // More configurations than are asked ahead: the first board is answered before the second begins.
  write_sweep("32, 64, 96, 128", "{n: 1}, {n: 2}", "0, 1, 2, 3");
  const SweepSummary summary = sweep();
  ASSERT_THAT(summary.boards.at(1).began_with, SizeIs(1));
  EXPECT_EQ(summary.boards.at(1).began_with[0].problem, "n=1");
  EXPECT_GT(summary.boards.at(1).began_with[0].results, 0U);
  EXPECT_THAT(said(), HasSubstr("n=2: auto begins with what "));
}

TEST_F(SweepEngineWarmStartTest, ItCanBeLeftOut) {
  write_sweep("32, 64, 128", "{n: 1}");
  (void)sweep();
  write_sweep("32, 64, 128", "{n: 2}");
  options_.warm_start = false;
  EXPECT_THAT(sweep().boards.at(0).began_with, IsEmpty());
  EXPECT_THAT(said(), Not(HasSubstr("begins with")));
}

TEST_F(SweepEngineWarmStartTest, TheSameCommandHasNothingLeftToMeasure) {
  write_sweep("32, 64, 128", "{n: 1}, {n: 2}");
  (void)sweep();
  const SweepSummary again = sweep();
  EXPECT_EQ(again.resumed, 6U);
  EXPECT_THAT(asked(), IsEmpty());
}

}  // namespace
}  // namespace warpwright::testing
