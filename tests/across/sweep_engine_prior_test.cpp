// Sweeps that ask a model as well as the device: its cost, and that its failures cannot harm them.
#include <gmock/gmock.h>

#include "core/error.h"
#include "support/scripted_sweep.h"
#include "support/write_text.h"
#include "sweep/model_prior.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SweepEnginePriorTest : public ScriptedSweep {
 protected:
  void SetUp() override {
    ScriptedSweep::SetUp();
    options_.strategy = "auto";
    options_.prior = Prior::kEmulator;
    options_.emulator_slots = 1;
    write_sweep("32, 64, 128", "{n: 1}");
    add_to_sweep("emulated: [{n: 500}]\n");
  }
  std::string error_on(const DeviceInfo& device) {
    try {
      (void)sweep_on({device});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(SweepEnginePriorTest, WhatTheModelSaysIsNoTrial) {
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.prior.device, "emu:sm_90a");
  EXPECT_EQ(summary.prior.candidates, 3U);
  EXPECT_EQ(summary.prior.modelled, 3U);
  EXPECT_EQ(summary.prior.failed, 0U);
  EXPECT_EQ(summary.boards.at(0).began_with,
            (std::vector<KnowledgeSource>{{"emulator", "emu:sm_90a", "n=1", 3}}));
  EXPECT_THAT(said(), HasSubstr("emu:sm_90a models up to 3 configurations for the search"));
  EXPECT_EQ(summary.trials, 3U);
  EXPECT_THAT(stored(), SizeIs(3));
  EXPECT_THAT(asked(), Contains("model 64"));
  const GoalRecord goal = *Database(database_).runs().back().second.goal;
  ASSERT_THAT(goal.knowledge, SizeIs(1));
  EXPECT_EQ(goal.knowledge[0].sources[0], (KnowledgeSource{"emulator", "emu:sm_90a", "n=1", 0}));
}

TEST_F(SweepEnginePriorTest, WhatTakesTooLongIsModelledOnASmallProblem) {
  const json late_then_good = json::array({{{"status", "timeout"}}, json::object()});
  script(
      {{"model 32", late_then_good}, {"model 64", late_then_good}, {"model 128", late_then_good}});
  const SweepSummary summary = sweep();
  // The first fails, before the second turns out to be too slow as well. So does the third if it is
  // compiled after that: its first answer, the timeout, is then used up by the small problem.
  const std::size_t late = summary.prior.failed;
  EXPECT_THAT(late, AnyOf(1U, 2U));
  EXPECT_EQ(summary.prior.modelled, 3U - late);
  EXPECT_EQ(summary.boards.at(0).began_with,
            (std::vector<KnowledgeSource>{{"emulator", "emu:sm_90a", "n=500", 3 - late}}));
}

TEST_F(SweepEnginePriorTest, WithoutAnEmulatedProblemTheSmallestCaseIsTheSmallOne) {
  write_sweep("32, 64, 128", "{n: 7}");
  const json late_then_good = json::array({{{"status", "timeout"}}, json::object()});
  script(
      {{"model 32", late_then_good}, {"model 64", late_then_good}, {"model 128", late_then_good}});
  EXPECT_EQ(sweep().boards.at(0).began_with.at(0).problem, "n=1");
}

TEST_F(SweepEnginePriorTest, EveryProblemIsModelledOnItsOwn) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.prior.candidates, 4U);
  EXPECT_EQ(summary.boards.at(0).began_with.back().results, 2U);
}

TEST_F(SweepEnginePriorTest, AModelIsAskedAboutAShareOfALargeSpaceAndFindsItsBest) {
  std::string threads = "32";
  for (int more = 64; more <= 1024; more += 32) threads += ", " + std::to_string(more);
  write_sweep(threads, "{n: 1}", "0, 1, 2, 3, 4, 5");
  options_.budget = Budget{4, std::nullopt};
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.prior.candidates, kMaxModelled);
  EXPECT_EQ(summary.prior.modelled, kMaxModelled);
  EXPECT_THAT(asked(), Contains("model 32"));
}

TEST_F(SweepEnginePriorTest, ABoardWaitsForItsModelAndNotForThatOfOthers) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  options_.budget = Budget{1, std::nullopt};
  const SweepSummary summary = sweep();
  for (const SweepBoard& board : summary.boards)
    EXPECT_EQ(board.began_with.back().results, 2U) << board.problem_text;
  EXPECT_EQ(summary.ended, RunEnd::kBudget);
}

TEST_F(SweepEnginePriorTest, WhatFailsInTheModelCostsOnlyItsBelief) {
  script({{"model 64", {{"dies", true}}}, {"model 128", {{"status", "launch_failed"}}}});
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.prior.modelled, 1U);
  EXPECT_EQ(summary.prior.failed, 2U);
  EXPECT_EQ(summary.by_status.at(Status::kOk), 3U);
  EXPECT_EQ(summary.measurers_lost, 0U) << "that was none of the measurers";
}

TEST_F(SweepEnginePriorTest, AFaultOfTheModelIsSaidAndEndsIt) {
  script({{"model 32", {{"error", "user"}}},
          {"model 64", {{"error", "user"}}},
          {"model 128", {{"error", "user"}}}});
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.prior.modelled, 0U);
  EXPECT_EQ(summary.by_status.at(Status::kOk), 3U);
  EXPECT_THAT(said(), HasSubstr("not everything was modelled: told to fail"));
}

TEST_F(SweepEnginePriorTest, AHangHoldsTheFirstQuestionUpForAWhileOnly) {
  script({{"model 64", {{"hangs", true}}}});
  options_.budget = Budget{std::nullopt, std::chrono::milliseconds(20'000)};
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.by_status.at(Status::kOk), 3U);
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
}

TEST_F(SweepEnginePriorTest, AnEmulatedDeviceIsNotAskedTwice) {
  const DeviceInfo emulated = device("emu:sm_90a", false);
  EXPECT_EQ(error_on(emulated),
            "--prior emulator: emu:sm_90a is itself emulated and would be asked twice; leave "
            "--prior out, or choose a GPU with --device");
  options_.prior = std::nullopt;
  options_.strategy = std::nullopt;
  options_.warm_start = false;
  write_sweep("32", "{n: 1}");
  const auto file = folder_.path() / "square.yaml";
  std::string text = read_file(file);
  text.replace(text.find("exhaustive"), 10, "{strategy: auto, prior: emulator}");
  write_text(file, text);
  EXPECT_THAT(sweep_on({emulated}).boards.at(0).began_with, IsEmpty());
  EXPECT_THAT(sweep().boards.at(0).began_with, SizeIs(1));
}

TEST_F(SweepEnginePriorTest, WhoDoesNotListenIsAnError) {
  options_.strategy = "random";
  EXPECT_EQ(error_of_sweep(),
            "--prior emulator: the strategy random does not use a model; choose --strategy auto");
  options_.strategy = "exhaustive";
  EXPECT_THAT(error_of_sweep(), HasSubstr("or a --budget that leaves something out"));
  options_.strategy = "auto";
  options_.objectives = {"registers"};
  EXPECT_EQ(error_of_sweep(),
            "--prior emulator: a model estimates only times, but the goal of the sweep is another; "
            "leave --prior out");
}

TEST_F(SweepEnginePriorTest, AnArchitectureThatNobodyEmulatesIsSaid) {
  DeviceInfo old = device("fake:0", true);
  old.arch = "sm_61";
  EXPECT_EQ(sweep_on({old}).prior.candidates, 0U);
  EXPECT_THAT(said(), HasSubstr("nothing is modelled: no emulated device is like fake:0 (sm_61); "
                                "there are "));
}

}  // namespace
}  // namespace warpwright::testing
