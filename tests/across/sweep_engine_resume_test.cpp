// The effect of one failure on the boards after it, and the work that is left to a resumed sweep.
#include <gmock/gmock.h>

#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SweepEngineResumeTest : public ScriptedSweep {};

TEST_F(SweepEngineResumeTest, AConfigurationQuarantinedWhileItWaitsForItsBoardIsNotRun) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"64 on 1", {{"dies", true}}}});
  const SweepSummary summary = sweep();
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1", "64 on 1", "64 on 1", "32 on 2"));
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_THAT(newest(64, 2).reason, HasSubstr("not run: this configuration hung or lost its worker "
                                              "3 times in this sweep (crashed on n=1, 3 times)"));
}

TEST_F(SweepEngineResumeTest, ABoardWhoseContractFailsSparesTheNextOne) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"32 on 1", {{"error", "user"}}}, {"64 on 1", {{"error", "user"}}}});
  EXPECT_THAT(error_of_sweep(), HasSubstr("told to fail\n  for problem n=1 on fake:0"));
  const std::vector<TrialRecord> trials = stored();
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[0].problem_text, "n=2");
  EXPECT_EQ(trials[1].problem_text, "n=2");
  ASSERT_EQ(rankings().size(), 1u) << "the good board is ranked, the bad one is not";
  EXPECT_EQ(rankings()[0].problem_text, "n=2");
}

TEST_F(SweepEngineResumeTest, AFaultOfTheEnvironmentEndsTheSweepAndKeepsWhatIsStored) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"64 on 1", {{"error", "environment"}}}});
  EXPECT_THAT(error_of_sweep(), HasSubstr("1 trial of this sweep is stored"));
  EXPECT_EQ(stored().size(), 1u);
  EXPECT_THAT(rankings(), IsEmpty());
}

TEST_F(SweepEngineResumeTest, WhatWasPrunedIsKnownAndNotRanked) {
  write_sweep("32, 64, 96", "{n: 1}");
  script({{"96 on 1", {{"status", "pruned"}}}});
  EXPECT_EQ(sweep().by_status.at(Status::kPruned), 1u);
  EXPECT_EQ(asked().back(), "rank 1: 32 64");
  EXPECT_EQ(sweep().resumed, 3u);
}

TEST_F(SweepEngineResumeTest, WithoutScreeningWhatWasPrunedIsMeasured) {
  write_sweep("32, 64, 96", "{n: 1}");
  script({{"96 on 1", {{{"status", "pruned"}}, json::object()}}});
  (void)sweep();
  script(json::object());
  options_.screening = false;
  EXPECT_EQ(sweep().resumed, 2u);
  EXPECT_THAT(asked(), ElementsAre("96 on 1", "rank 1: 32* 64 96"));
  EXPECT_EQ(newest(96, 1).status, Status::kOk);
}

TEST_F(SweepEngineResumeTest, WhatWasRejectedForAHazardIsRunAgainUnderWarn) {
  write_sweep("32, 64", "{n: 1}");
  options_.hazards = HazardPolicy::kReject;
  script({{"64 on 1", {{"status", "hazard"}}}});
  EXPECT_EQ(sweep().by_status.at(Status::kHazard), 1u);
  EXPECT_EQ(sweep().resumed, 2u);
  options_.hazards = HazardPolicy::kWarn;
  script({{"64 on 1", {{"hazard", "shared race"}}}});
  EXPECT_EQ(sweep().resumed, 1u);
  EXPECT_EQ(asked().front(), "64 on 1");
  EXPECT_EQ(newest(64, 1).status, Status::kOk);
  EXPECT_EQ(sweep().resumed, 2u);
}

TEST_F(SweepEngineResumeTest, WhatWasKeptInSpiteOfAHazardIsRunAgainUnderReject) {
  write_sweep("32, 64", "{n: 1}");
  options_.hazards = HazardPolicy::kWarn;
  script({{"64 on 1", {{"hazard", "shared race"}}}});
  EXPECT_EQ(sweep().by_status.at(Status::kOk), 2u);
  options_.hazards = HazardPolicy::kReject;
  script({{"64 on 1", {{"status", "hazard"}}}});
  EXPECT_EQ(sweep().resumed, 1u);
  EXPECT_EQ(newest(64, 1).status, Status::kHazard);
  ASSERT_EQ(leaderboards().size(), 1u);
  EXPECT_EQ(leaderboards()[0].entries.size(), 1u);
}

TEST_F(SweepEngineResumeTest, WhatCasesShowedOnOneProblemIsKeptWithTheOthers) {
  write_sweep("32", "{n: 1}, {n: 2}");
  options_.hazards = HazardPolicy::kWarn;
  options_.rank = false;
  script({{"32 on 1", {{"hazard", "shared race"}}}});
  (void)sweep();
  EXPECT_EQ(newest(32, 2).measurement->hazards,
            (std::vector<TrialFinding>{{"shared race", "as told"}}));
}

TEST_F(SweepEngineResumeTest, WhatWasNoisyIsMeasuredAgainByTheNextSweep) {
  write_sweep("32, 64", "{n: 1}");
  script({{"64 on 1", {{"status", "noisy"}}}});
  EXPECT_EQ(sweep().by_status.at(Status::kNoisy), 1u);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "64 on 1"));
  script(json::object());
  EXPECT_EQ(sweep().resumed, 1u);
  EXPECT_THAT(asked(), ElementsAre("64 on 1", "rank 1: 32 64"));
}

}  // namespace
}  // namespace warpwright::testing
