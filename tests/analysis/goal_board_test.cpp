// Tests boards that are ranked by something other than a short time.
#include <gmock/gmock.h>

#include "analysis/board/board_ranking.h"
#include "analysis/board/configuration_times.h"
#include "analysis/goal_rows.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using testing::goals_of;
using ::testing::HasSubstr;
using testing::RowMaker;
using testing::with_energy;

class GoalBoard : public ::testing::Test {
 protected:
  GoalBoard() {
    rows_ = {with_energy(make_.ok("a", "", 100), 50, 40),
             with_energy(make_.ok("b", "", 120), 30, 48),
             with_energy(make_.ok("c", "", 130), 40, 32), make_.ok("d", "", 90)};
  }
  [[nodiscard]] Leaderboard board(const GoalRecord& goal, const GoalOverride& instead = {}) const {
    return make_leaderboards(rows_, {}, goals_of(goal, rows_.front(), instead)).at(0);
  }
  static std::vector<std::string> order(const Leaderboard& board) {
    std::vector<std::string> names;
    for (const LeaderboardEntry& entry : board.entries)
      names.push_back(entry.row.trial.variant + (entry.tied_with_best ? "=" : ""));
    return names;
  }
  RowMaker make_;
  std::vector<Database::TrialRow> rows_;
};

GoalRecord with_objectives(std::vector<GoalRecord::Objective> objectives) {
  GoalRecord goal;
  goal.objectives = std::move(objectives);
  return goal;
}

TEST_F(GoalBoard, TheObjectiveOrdersAndWhatHasNoneComesLast) {
  const Leaderboard by_energy = board(with_objectives({{"energy", false}}));
  EXPECT_THAT(order(by_energy), ElementsAre("b=", "c", "a", "d"));
  EXPECT_EQ(by_energy.entries.back().objectives.at(0).why, "energy_j was not measured");
  EXPECT_THAT(order(board(with_objectives({{"registers", true}}))),
              ElementsAre("b=", "d", "a", "c"));
}

TEST_F(GoalBoard, EqualValuesTieAndSoDoIntervalsThatMeet) {
  rows_.push_back(with_energy(make_.ok("e", "", 140), 30, 40));
  EXPECT_THAT(order(board(with_objectives({{"energy", false}}))),
              ElementsAre("b=", "e=", "c", "a", "d"));
  rows_ = {make_.ok("a", "", 100), make_.ok("b", "", 100.3), make_.ok("c", "", 103)};
  EXPECT_THAT(order(board(with_objectives({{"gbs", true}}))), ElementsAre("a=", "b=", "c"));
}

TEST_F(GoalBoard, TheFrontComesFirstTheFastestAtTheTop) {
  const Leaderboard front = board(with_objectives({{"time", false}, {"energy", false}}));
  EXPECT_THAT(order(front), ElementsAre("a=", "b=", "d", "c"));
  EXPECT_EQ(front_of(front).size(), 2U);
  EXPECT_FALSE(front.entries.at(2).on_front) << "what has no value is on no front";
}

TEST_F(GoalBoard, WhatBreaksARequirementIsAFailureWithItsReason) {
  GoalRecord goal;
  goal.requirements = {"registers < 48", "energy_j < 1"};
  const Leaderboard allowed = board(goal);
  EXPECT_THAT(order(allowed), ElementsAre("a=", "c"));
  ASSERT_EQ(allowed.failures.size(), 2U);
  EXPECT_EQ(allowed.failures.at(0).status, Status::kViolates);
  EXPECT_EQ(allowed.failures.at(0).cause, "violates energy_j < 1");
  EXPECT_EQ(allowed.failures.at(0).example, "violates energy_j < 1: energy_j was not measured");
  EXPECT_EQ(allowed.failures.at(1).example, "violates registers < 48: 48");
  EXPECT_EQ(allowed.untimed.size(), 2U);
  EXPECT_EQ(allowed.trials, 4U);
}

TEST_F(GoalBoard, AFinalRankingAppliesOnlyWhereTheTimeDecides) {
  const auto ranking = make_.ranking({rows_[3], rows_[0]}, 90, 1);
  const auto boards = [&](const GoalRecord& goal) {
    return make_leaderboards(rows_, {ranking}, goals_of(goal, rows_.front()));
  };
  EXPECT_FALSE(boards(with_objectives({{"energy", false}})).at(0).ranking.has_value());
  GoalRecord metrics;
  metrics.metrics = {{"cost", "time_us * registers"}};
  const Leaderboard timed = boards(metrics).at(0);
  ASSERT_TRUE(timed.ranking.has_value());
  EXPECT_EQ(timed.entries.at(0).metrics.at(0).value, 90.0 * 40) << "of the time that is shown";
  GoalRecord required;
  required.requirements = {"time_us > 95"};
  EXPECT_THAT(boards(required).at(0).lapsed_ranking,
              HasSubstr("1 of its 2 finalists is not among"));
}

TEST_F(GoalBoard, AnOverrideComesBeforeWhatIsStored) {
  GoalRecord goal = with_objectives({{"energy", false}});
  goal.metrics = {{"cost", "time_us * registers"}};
  EXPECT_THAT(order(board(goal, {{"cost"}, {}})), ElementsAre("d=", "a", "c", "b"));
  EXPECT_THROW((void)board(goal, {{"cots"}, {}}), Error);
  EXPECT_EQ(board(goal, {{"time"}, {}}).goal->spec.by_time(), true);
}

TEST_F(GoalBoard, AStoredGoalThatCannotBeReadCountsAsNone) {
  EXPECT_EQ(board(with_objectives({{"time_us +", false}})).goal, nullptr);
  GoalRecord circle;
  circle.metrics = {{"a", "b"}, {"b", "a"}};
  EXPECT_EQ(board(circle).goal, nullptr);
  EXPECT_EQ(board(with_objectives({{"time", false}})).goal, nullptr) << "plain";
}

TEST_F(GoalBoard, TimesOfConfigurationsStayInTheirOrder) {
  std::vector<double> times;
  for (const ConfigurationTime& time :
       configuration_times(board(with_objectives({{"energy", false}}))))
    times.push_back(time.us);
  EXPECT_THAT(times, ElementsAre(90, 100, 120, 130));
}

}  // namespace
}  // namespace warpwright
