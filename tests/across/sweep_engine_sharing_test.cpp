// Equal code is measured once, and what an anchor that moved made doubtful is measured again.
#include <gmock/gmock.h>

#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SweepEngineSharingTest : public ScriptedSweep {};

TEST_F(SweepEngineSharingTest, EqualCodeIsMeasuredOnceAndRacesOnce) {
  write_sweep("32, 64", "{n: 1}", "0, 1");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.shared, 2u);
  EXPECT_EQ(summary.trials, 4u);
  EXPECT_THAT(asked_sorted(), ElementsAre("32 on 1", "64 on 1", "rank 1: 32 64"));
  const TrialRecord shared = newest(32, 1, 1);
  EXPECT_EQ(shared.status, Status::kOk);
  EXPECT_EQ(shared.same_as, newest(32, 1).id);
  EXPECT_EQ(shared.median_us, newest(32, 1).median_us);
  EXPECT_EQ(shared.measure_seconds, 0);
}

TEST_F(SweepEngineSharingTest, EqualCodeIsMeasuredOnceOnEveryBoard) {
  write_sweep("32, 64", "{n: 1}, {n: 2}, {n: 3}, {n: 4}", "0, 1");
  EXPECT_EQ(sweep().shared, 8u) << "cases that passed on an earlier board change nothing";
}

// How many cases a trial was given, by the scripted worker's seconds.
double cases_of(const TrialRecord& trial) {
  const TrialMeasurement* seen = trial.measurement.readable();
  return seen == nullptr ? 0 : seen->case_seconds.value_or(0);
}

TEST_F(SweepEngineSharingTest, CasesAreRunOnceWhateverBecameOfTheTime) {
  write_sweep("32, 64, 128", "{n: 1}, {n: 2}");
  script({{"64 on 1", {{"status", "pruned"}}}, {"128 on 1", {{"status", "noisy"}}}});
  (void)sweep();
  for (const int threads : {32, 64, 128}) {
    EXPECT_GT(cases_of(newest(threads, 1)), 0) << threads;
    EXPECT_EQ(cases_of(newest(threads, 2)), 0) << threads;
  }
}

TEST_F(SweepEngineSharingTest, CasesOfWhatFailedAreRunAgain) {
  write_sweep("32", "{n: 1}, {n: 2}");
  script({{"32 on 1", {{"status", "wrong_result"}}}});
  (void)sweep();
  EXPECT_GT(cases_of(newest(32, 2)), 0);
}

TEST_F(SweepEngineSharingTest, ASweepThatSharedIsResumedWhole) {
  write_sweep("32, 64", "{n: 1}", "0, 1");
  (void)sweep();
  EXPECT_EQ(sweep().resumed, 4u);
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(SweepEngineSharingTest, WhatWasPrunedIsSharedAsPruned) {
  write_sweep("32", "{n: 1}", "0, 1");
  script({{"32 on 1", {{"status", "pruned"}}}});
  EXPECT_EQ(sweep().shared, 1u);
  EXPECT_EQ(newest(32, 1, 1).status, Status::kPruned);
  EXPECT_EQ(newest(32, 1, 1).at_least_us, 500);
  EXPECT_EQ(newest(32, 1, 1).same_as, newest(32, 1).id);
}

TEST_F(SweepEngineSharingTest, EqualCodeOfOneThatCrashedIsTriedItself) {
  write_sweep("32", "{n: 1}", "0, 1");
  script({{"32 on 1", {{"dies", true}}}});
  EXPECT_EQ(sweep().shared, 0u);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "32 on 1", "32 on 1", "32.1 on 1"));
  EXPECT_EQ(newest(32, 1).status, Status::kCrashed);
  EXPECT_EQ(newest(32, 1, 1).status, Status::kOk);
}

TEST_F(SweepEngineSharingTest, EqualCodeOfOneThatWasNoisyIsTriedItself) {
  write_sweep("32", "{n: 1}", "0, 1");
  script({{"32 on 1", {{"status", "noisy"}}}});
  EXPECT_EQ(sweep().shared, 0u);
  EXPECT_THAT(asked(), ElementsAre("32 on 1", "32.1 on 1"));
}

// Five trials are timed: the anchor was last seen steady at the second, and seen to move at the
// fourth. That one ends when the fifth is compiled, which is then before the repetitions in the
// queue. The sixth, whose launch is impossible, is there for its compilation to tell so.
TEST_F(SweepEngineSharingTest, WhatWasTimedSinceTheAnchorsLastLookIsTimedAgainOnce) {
  write_sweep("32, 64, 96, 128, 160, 512", "{n: 1}");
  script({{"64 on 1", {{"drift", 0.001}}},
          {"96 on 1", {{{"us", 50}}, {{"us", 70}}}},
          {"128 on 1",
           {{{"us", 51}, {"drift", 0.05}, {"moved", true}, {"waits_for_compiler_of", "512"}},
            {{"us", 60}, {"drift", 0.05}, {"moved", true}}}}});
  const SweepSummary summary = sweep();
  std::vector<std::string> trials = asked_sorted();
  ASSERT_FALSE(trials.empty());
  EXPECT_EQ(trials.back(), "rank 1: 128 96 32 64") << "by the newest times";
  trials.pop_back();
  // 160 was timed between the two moves, and is repeated for the second one.
  EXPECT_THAT(trials, ElementsAre("128 on 1", "128 on 1", "160 on 1", "160 on 1", "32 on 1",
                                  "64 on 1", "96 on 1", "96 on 1"));
  EXPECT_EQ(summary.repeated, 3u);
  EXPECT_EQ(summary.trials, 6u) << "a repetition is not an additional trial";
  EXPECT_THAT(said(),
              HasSubstr("the anchor moved by +5.0 %: measuring again what was timed since"));
  EXPECT_EQ(newest(96, 1).median_us, 70);
  EXPECT_EQ(newest(128, 1).median_us, 60);
  EXPECT_EQ(stored(/*newest=*/false).size(), 9u) << "the old rows are kept";
}

TEST_F(SweepEngineSharingTest, AnAnchorThatMovedIsNotAskedAboutByTheNextSweep) {
  write_sweep("32, 64", "{n: 1}");
  script({{"64 on 1", {{{"drift", -0.05}, {"moved", true}}, json::object()}}});
  EXPECT_EQ(sweep().repeated, 2u);
  EXPECT_EQ(sweep().resumed, 2u);
  EXPECT_THAT(asked(), IsEmpty());
}

TEST_F(SweepEngineSharingTest, TrialsOfAnotherBoardAreNotRepeated) {
  write_sweep("32, 64", "{n: 1}, {n: 2}");
  script({{"32 on 2", {{{"drift", 0.05}, {"moved", true}}, json::object()}}});
  EXPECT_EQ(sweep().repeated, 1u);
}

TEST_F(SweepEngineSharingTest, WhatSharedARepeatedTrialFollowsIt) {
  write_sweep("32, 64", "{n: 1}", "0, 1");
  script({{"32 on 1", {{{"us", 50}}, {{"us", 70}}}},
          {"64 on 1", {{{"us", 55}, {"drift", 0.05}, {"moved", true}}, {{"us", 60}}}}});
  EXPECT_EQ(sweep().repeated, 2u);
  EXPECT_THAT(asked_sorted(),
              ElementsAre("32 on 1", "32 on 1", "64 on 1", "64 on 1", "rank 1: 64 32"));
  for (const int threads : {32, 64}) {
    const TrialRecord shared = newest(threads, 1, 1);
    EXPECT_EQ(shared.median_us, newest(threads, 1).median_us) << threads;
    EXPECT_EQ(shared.same_as, newest(threads, 1).id) << threads;
  }
}

TEST_F(SweepEngineSharingTest, WhatSharesATrialThatSawTheAnchorMoveSawNothing) {
  write_sweep("32, 64", "{n: 1}", "0, 1");
  script({{"32 on 1", {{{"drift", 0.05}, {"moved", true}}, json::object()}}});
  EXPECT_EQ(sweep().repeated, 1u);
  const std::string text = said();
  EXPECT_EQ(text.find("the anchor moved"), text.rfind("the anchor moved"));
}

TEST_F(SweepEngineSharingTest, ARepetitionThatIsNoisyLeavesTheTrialInTheRanking) {
  write_sweep("32, 64", "{n: 1}");
  script({{"64 on 1", {{{"drift", 0.05}, {"moved", true}}, {{"status", "noisy"}}}}});
  (void)sweep();
  EXPECT_EQ(asked().back(), "rank 1: 32 64");
  (void)sweep();
  EXPECT_THAT(asked(), IsEmpty()) << "what counts is what was ranked";
}

}  // namespace
}  // namespace warpwright::testing
