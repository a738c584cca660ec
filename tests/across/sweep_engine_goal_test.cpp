// Sweeps that are after more than a short time: what is measured, what strategies and people are
// told, and what may win.
#include <gmock/gmock.h>

#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SweepEngineGoalTest : public ScriptedSweep {
 protected:
  // The configurations of the only board, the best first.
  [[nodiscard]] std::vector<std::string> ranked() const {
    std::vector<std::string> threads;
    const Leaderboard board = leaderboards().at(0);
    for (const LeaderboardEntry& entry : board.entries)
      threads.push_back(entry.row.trial.parameters->at("THREADS").to_string() +
                        (entry.tied_with_best ? "=" : ""));
    return threads;
  }
  [[nodiscard]] std::vector<std::string> failures() const {
    std::vector<std::string> all;
    const Leaderboard board = leaderboards().at(0);
    for (const FailureGroup& group : board.failures)
      all.push_back(std::string(status_name(group.status)) + " " + group.example);
    return all;
  }
};

TEST_F(SweepEngineGoalTest, ByEnergyEveryTrialHasOneAndNothingIsPrunedOrRanked) {
  write_sweep("32, 64, 96", "{n: 1}");
  add_to_sweep("objective: energy\n");
  const SweepSummary summary = sweep();
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "96 on 1"));
  EXPECT_EQ(summary.rankings, 0U);
  EXPECT_EQ(newest(64, 1).measurement->energy_mj_per_launch, 1000.0 / 64);
  EXPECT_EQ(newest(64, 1).measurement->power_w, 300);
  EXPECT_THAT(ranked(), ElementsAre("96=", "64", "32"));
  EXPECT_EQ(leaderboards().at(0).entries.at(0).objectives.at(0).value, 1.0 / 96);
}

TEST_F(SweepEngineGoalTest, WhatWasMeasuredWithoutEnergyIsMeasuredAgainOnce) {
  write_sweep("32, 64", "{n: 1}");
  (void)sweep();
  EXPECT_FALSE(newest(32, 1).measurement->energy_mj_per_launch.has_value());
  add_to_sweep("objective: edp\n");
  EXPECT_EQ(sweep().resumed, 0U);
  EXPECT_EQ(sweep().resumed, 2U);
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(SweepEngineGoalTest, WhatWasPrunedIsMeasuredWhereSlowOnesMayWin) {
  write_sweep("32, 64", "{n: 1}");
  script({{"64 on 1", {{{"status", "pruned"}}, json::object()}}});
  (void)sweep();
  EXPECT_EQ(newest(64, 1).status, Status::kPruned);
  script(json::object());
  add_to_sweep("objective: {maximize: registers}\n");
  (void)sweep();
  EXPECT_THAT(asked(), ElementsAre("64 on 1"));
  EXPECT_THAT(ranked(), ElementsAre("64=", "32"));
}

TEST_F(SweepEngineGoalTest, ARequirementOfTheCompiledCodeIsDecidedBeforeAnyRun) {
  write_sweep("32, 64, 96", "{n: 1}");
  add_to_sweep("require: [registers >= 64]\n");
  const SweepSummary summary = sweep();
  EXPECT_THAT(asked(), ElementsAre("64 on 1", "96 on 1", "rank 1: 64 96"));
  EXPECT_EQ(summary.by_status.at(Status::kViolates), 1U);
  EXPECT_EQ(newest(32, 1).reason, "violates registers >= 64: 32");
  EXPECT_THAT(failures(), ElementsAre("violates violates registers >= 64: 32"));
  EXPECT_EQ(sweep().resumed, 3U) << "what is refused is known, too";
}

TEST_F(SweepEngineGoalTest, WithoutTheRequirementWhatItRefusedIsMeasured) {
  write_sweep("32, 64", "{n: 1}");
  options_.requirements = {"registers >= 64"};
  (void)sweep();
  options_.requirements.clear();
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.resumed, 1U);
  EXPECT_EQ(newest(32, 1).status, Status::kOk);
  EXPECT_THAT(failures(), IsEmpty()) << "the newest sweep of the board decides";
}

TEST_F(SweepEngineGoalTest, WhatBreaksARequirementWhenItRanIsKeptAndNeverWins) {
  write_sweep("32, 64, 96", "{n: 1}");
  add_to_sweep("require: [\"time_us > 140\"]\n");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.by_status.at(Status::kOk), 3U);
  EXPECT_EQ(newest(32, 1).median_us, 132) << "as it was measured";
  EXPECT_EQ(asked().back(), "rank 1: 64 96") << "it is not a finalist";
  EXPECT_THAT(ranked(), ElementsAre("64=", "96"));
  EXPECT_THAT(failures(), ElementsAre("violates violates time_us > 140: 132"));
}

TEST_F(SweepEngineGoalTest, SeveralObjectivesHaveAFront) {
  write_sweep("32, 64, 96", "{n: 1}");
  add_to_sweep("objective: [time, energy]\n");
  script({{"64 on 1", {{"mj", 100}}}});
  (void)sweep();
  EXPECT_THAT(said(), HasSubstr("a front of 2"));
  EXPECT_THAT(ranked(), ElementsAre("32=", "96=", "64"));
  const std::vector<Leaderboard> boards = leaderboards();
  EXPECT_EQ(front_of(boards.at(0)).size(), 2U);
}

TEST_F(SweepEngineGoalTest, OptionsComeBeforeTheFile) {
  write_sweep("32, 64", "{n: 1}");
  add_to_sweep("objective: energy\nrequire: [registers < 8]\nmetrics: {twice: 2 * registers}\n");
  options_.objectives = {"maximize: twice"};
  options_.requirements = {"registers < 100"};
  (void)sweep();
  EXPECT_THAT(ranked(), ElementsAre("64=", "32"));
  EXPECT_EQ(leaderboards().at(0).goal->spec.objectives.at(0).title(), "maximize twice");
}

TEST_F(SweepEngineGoalTest, AMetricThatCannotBeEvaluatedEndsNothing) {
  write_sweep("32, 64", "{n: 1}");
  add_to_sweep("metrics: {odd: 1 / (registers - 32)}\nobjective: odd\n");
  (void)sweep();
  const std::vector<Leaderboard> boards = leaderboards();
  EXPECT_EQ(boards.at(0).entries.at(0).metrics.at(0).value, 0);
  EXPECT_EQ(boards.at(0).entries.at(1).metrics.at(0).why,
            "division by zero in \"1 / (registers - 32)\" with registers=32");
}

TEST_F(SweepEngineGoalTest, EnergyIsRefusedWhereItIsNotCounted) {
  write_sweep("32", "{n: 1}");
  add_to_sweep("require: [energy_j < 2]\n");
  const auto message = [&](const DeviceInfo& device) -> std::string {
    try {
      (void)sweep_on({device});
    } catch (const Error& error) {
      return error.message();
    }
    return "no error";
  };
  EXPECT_THAT(
      message(device("fake:0", false)),
      HasSubstr("square.yaml:8:11: \"energy_j < 2\" needs the energy of a launch, but fake:0 "
                "(fake:0) only models times and counts no energy; expected metrics that it "
                "has, such as time_us or registers, or `--device` with a GPU that counts "
                "energy"));
  DeviceInfo without = device("fake:0", true);
  without.counts_energy = false;
  EXPECT_THAT(message(without), HasSubstr("fake:0 (fake:0) has no energy counter; expected"));
}

TEST_F(SweepEngineGoalTest, ASweepWithoutAGoalLeavesItsRunAsBefore) {
  write_sweep("32, 64", "{n: 1}");
  (void)sweep();
  EXPECT_FALSE(Database(database_).runs().back().second.goal.known());
  const std::string key = newest(32, 1).key;
  options_.objectives = {"registers"};
  (void)sweep();
  EXPECT_EQ(newest(32, 1).key, key) << "a goal does not identify a trial";
  EXPECT_TRUE(Database(database_).runs().back().second.goal.known());
  EXPECT_THAT(asked(), IsEmpty()) << "nothing has to be measured for it";
  options_.objectives.clear();
  (void)sweep();
  EXPECT_EQ(leaderboards().at(0).goal, nullptr) << "a short time is all that counts again";
}

}  // namespace
}  // namespace warpwright::testing
