// The winner of a final ranking, the rule that decides, and the failures that end a ranking without
// a winner.
#include "trial/timing/finals.h"

#include <algorithm>

#include "trial/finals_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(FinalsTest, TheFastestWinsAndNoRuleIsNeeded) {
  const FinalsOutcome outcome = rank({finalist(256), finalist(64)});
  ASSERT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(outcome.winner, 1u);
  EXPECT_EQ(outcome.decided_by, "");
  EXPECT_FALSE(outcome.failed.has_value());
}

TEST_F(FinalsTest, RoundsAreWithoutTheFloorInTheOrderOfTheFinalists) {
  const FinalsOutcome outcome = rank({finalist(256), finalist(64)});
  ASSERT_EQ(outcome.round_us.size(), 13u);
  EXPECT_EQ(outcome.round_us.front(), (std::vector<double>{110, 100}));
  EXPECT_DOUBLE_EQ(outcome.floor_us, kFloorUs);
  EXPECT_EQ(outcome.protocol, "cold-graph-1");
}

TEST_F(FinalsTest, ConfigurationsThatDoMoreAreComparedByTheTimeOfOneUnit) {
  files.replace("flops: \"rows * V\"", "flops: \"rows * V\", per: \"THREADS / 64\"");
  std::vector<Finalist> finalists = {finalist(64), finalist(128), finalist(256)};
  finalists[1].about_us /= 2;
  finalists[2].about_us /= 4;
  const FinalsOutcome outcome = rank(finalists);
  ASSERT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(outcome.round_us.front(), (std::vector<double>{100, 50, 27.5}));
  EXPECT_EQ(outcome.winner, 2u);
  ASSERT_TRUE(outcome.headline && outcome.headline->cold);
  EXPECT_DOUBLE_EQ(outcome.headline->cold->median_us, 27.5);
  EXPECT_DOUBLE_EQ(*outcome.headline->cold->raw_median_us, (110 + kFloorUs) / 4);
}

TEST_F(FinalsTest, AmongTiesFewerRegistersWin) {
  const FinalsOutcome outcome = rank({finalist(64, 40), finalist(128, 32), finalist(256, 16)});
  EXPECT_EQ(outcome.winner, 1u);
  EXPECT_EQ(outcome.decided_by, "fewer registers");
}

TEST_F(FinalsTest, AmongTiesOfEqualRegistersLessSharedMemoryWins) {
  std::vector<Finalist> finalists = {finalist(128), finalist(64)};
  finalists[0].compiled.resources[0].static_shared = 1024;
  const FinalsOutcome outcome = rank(finalists);
  EXPECT_EQ(outcome.winner, 1u);
  EXPECT_EQ(outcome.decided_by, "less shared memory");
}

TEST_F(FinalsTest, SharedMemoryThatTheLaunchAsksForCountsAsWell) {
  files.replace("block: [THREADS]", "block: [THREADS], shared: \"16 * THREADS\"");
  const FinalsOutcome outcome = rank({finalist(128), finalist(64)});
  EXPECT_EQ(outcome.winner, 1u);
  EXPECT_EQ(outcome.decided_by, "less shared memory");
}

TEST_F(FinalsTest, AmongTiesThatAreEqualInEverythingTheSmallerTextWins) {
  const FinalsOutcome outcome = rank({finalist(64), finalist(128)});
  EXPECT_EQ(outcome.winner, 1u) << "plain THREADS=128 is before plain THREADS=64";
  EXPECT_EQ(outcome.decided_by, "order of configurations");
}

TEST_F(FinalsTest, OneThatOnlyTooFewRoundsKeepFromBeingExcludedIsNotPreferred) {
  std::vector<Finalist> finalists = {finalist(256, 16), finalist(64, 40), finalist(128, 48)};
  RaceOptions few;
  few.time_limit = few.hard_limit = std::chrono::milliseconds(0);
  const FinalsOutcome outcome = rank(finalists, few);
  ASSERT_EQ(outcome.round_us.size(), 1u);
  EXPECT_TRUE(outcome.ranking.configurations[0].tied);
  EXPECT_EQ(outcome.winner, 1u) << "the other one has fewer registers, and took a tenth longer";
}

TEST_F(FinalsTest, AmongTiesOfAWideNoiseRegistersDoNotMakeUpForASlowerMedian) {
  int samples_of_256 = 0;
  device.samplers[TimingMode::kCold] = [&](const TimingRequest& request, int wanted) {
    if (threads_of(request) != 256) return samples(103, wanted);
    return samples(samples_of_256++ % 5 < 2 ? 101 : 108, wanted);
  };
  RaceOptions few;
  few.time_limit = std::chrono::milliseconds(0);
  const FinalsOutcome outcome = rank({finalist(256, 16), finalist(64, 40)}, few);
  ASSERT_EQ(outcome.status, Status::kOk) << outcome.reason;
  const RankedConfiguration& noisy = outcome.ranking.configurations[0];
  EXPECT_TRUE(noisy.tied);
  EXPECT_LT(noisy.relative_low, 1) << "by itself it does not look slower";
  EXPECT_GT(noisy.relative, 1.01);
  EXPECT_EQ(outcome.winner, 1u);
}

TEST_F(FinalsTest, TheIncumbentStaysAmongTies) {
  std::vector<Finalist> finalists = {finalist(128, 32), finalist(64, 40)};
  finalists[1].incumbent = true;
  const FinalsOutcome outcome = rank(finalists);
  EXPECT_EQ(outcome.winner, 1u);
  EXPECT_EQ(outcome.decided_by, "the incumbent");
}

TEST_F(FinalsTest, AnIncumbentThatIsSlowerGoes) {
  std::vector<Finalist> finalists = {finalist(256), finalist(64)};
  finalists[0].incumbent = true;
  EXPECT_EQ(rank(finalists).winner, 1u);
}

TEST_F(FinalsTest, AFinalistWithWrongResultsEndsItBeforeAnythingIsTimed) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    twice(arguments);
    if (arguments.launch().block[0] == 64) arguments.pointer<float>(1)[0] = 7;
  };
  const FinalsOutcome outcome = rank({finalist(128), finalist(64), finalist(256)});
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(outcome.failed, 1u);
  EXPECT_THAT(outcome.reason, HasSubstr("output 'y' is wrong at [0, 0]: got 7"));
  EXPECT_TRUE(std::none_of(device.log.begin(), device.log.end(),
                           [](const std::string& line) { return line.starts_with("sample"); }));
}

TEST_F(FinalsTest, AFinalistWhosePlanFailsIsNamedAndLosesTheWorker) {
  device.samplers[TimingMode::kCold] = [](const TimingRequest& request, int wanted) {
    return threads_of(request) == 256 ? failure() : samples(103, wanted);
  };
  const FinalsOutcome outcome = rank({finalist(128), finalist(64), finalist(256)});
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_EQ(outcome.failed, 2u);
  EXPECT_EQ(outcome.reason, "told to fail");
  EXPECT_TRUE(outcome.worker_lost);
}

TEST_F(FinalsTest, AFinalistThatCannotBeLoadedIsNamed) {
  device.load_failure.status = Status::kInvalid;
  device.load_failure.reason = "no kernel image";
  const FinalsOutcome outcome = rank({finalist(128), finalist(64)});
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(outcome.failed, 0u);
  EXPECT_EQ(outcome.reason, "no kernel image");
}

TEST_F(FinalsTest, AnUnsteadyDeviceIsNobodysFault) {
  device.states.clear();
  for (int i = 0; i < 400; ++i) device.states.push_back(clock(1400 + i * 359 % 581));
  const FinalsOutcome outcome = rank({finalist(128), finalist(64)});
  EXPECT_EQ(outcome.status, Status::kNoisy);
  EXPECT_FALSE(outcome.failed.has_value());
  EXPECT_FALSE(outcome.headline.has_value());
}

TEST_F(FinalsTest, AHeadlineOnAnUnsteadyDeviceIsLeftOutAndTheRankingStands) {
  // Two states in each of 13 rounds; and for each plan one after every turn and one before the
  // first.
  constexpr int kStatesOfTheRace = 2 * 13 + 2 * 13 + 2;
  device.states.assign(kStatesOfTheRace, clock(1980));
  for (int i = 0; i < 400; ++i) device.states.push_back(clock(1400 + i * 359 % 581));
  const FinalsOutcome outcome = rank({finalist(256), finalist(64)});
  ASSERT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(outcome.winner, 1u);
  EXPECT_FALSE(outcome.headline.has_value());
}

TEST_F(FinalsTest, TheHeadlineIsTheWinners) {
  const FinalsOutcome outcome = rank({finalist(256), finalist(64)});
  ASSERT_TRUE(outcome.headline && outcome.headline->cold);
  EXPECT_DOUBLE_EQ(outcome.headline->cold->median_us, 100);
}

TEST_F(FinalsTest, AWinnerWhoseHeadlineFailsIsAtFault) {
  device.samplers[TimingMode::kEndToEnd] = [](const TimingRequest&, int) { return failure(); };
  const FinalsOutcome outcome = rank({finalist(256), finalist(64)});
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_EQ(outcome.failed, 1u);
  EXPECT_TRUE(outcome.worker_lost);
}

TEST_F(FinalsTest, AWinnerThatIsWrongAfterwardsIsNone) {
  device.checks_samples = false;
  bool timed = false;
  device.kernels["twice"] = [&](const FakeArguments& arguments, LaunchResult&) {
    twice(arguments);
    if (timed) arguments.pointer<float>(1)[0] = 7;
  };
  device.samplers[TimingMode::kEndToEnd] = [&](const TimingRequest&, int wanted) {
    timed = true;
    return samples(200, wanted);
  };
  const FinalsOutcome outcome = rank({finalist(256), finalist(64)});
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(outcome.failed, 1u);
  EXPECT_THAT(outcome.reason, StartsWith("after the final ranking: output 'y' is wrong"));
}

TEST_F(FinalsTest, TheOutcomeSurvivesThePipe) {
  FinalsOutcome sent = rank({finalist(256), finalist(64, 40), finalist(128, 32)});
  sent.reason = "why";
  sent.worker_lost = true;
  sent.failed = 2;
  const auto got = nlohmann::json::from_cbor(nlohmann::json::to_cbor(sent)).get<FinalsOutcome>();
  EXPECT_EQ(got.status, sent.status);
  EXPECT_EQ(got.reason, "why");
  EXPECT_TRUE(got.worker_lost);
  EXPECT_EQ(got.failed, 2u);
  EXPECT_EQ(got.round_us, sent.round_us);
  EXPECT_EQ(got.protocol, sent.protocol);
  EXPECT_DOUBLE_EQ(got.floor_us, sent.floor_us);
  EXPECT_EQ(got.winner, 2u);
  EXPECT_EQ(got.decided_by, "fewer registers");
  EXPECT_EQ(nlohmann::json(*got.headline), nlohmann::json(*sent.headline));
  EXPECT_DOUBLE_EQ(got.seconds, sent.seconds);
  // This is not sent, because it follows from the rounds.
  ASSERT_EQ(got.ranking.configurations.size(), 3u);
  EXPECT_FALSE(got.ranking.configurations[0].tied);
  EXPECT_TRUE(got.ranking.configurations[1].tied);
}

TEST_F(FinalsTest, AFinalistSurvivesThePipe) {
  Finalist sent = finalist(64, 40);
  sent.about_us = 12.5;
  sent.incumbent = true;
  const auto got = nlohmann::json::from_cbor(nlohmann::json::to_cbor(sent)).get<Finalist>();
  EXPECT_EQ(got.configuration, sent.configuration);
  EXPECT_EQ(got.compiled.cubin, sent.compiled.cubin);
  ASSERT_EQ(got.compiled.resources.size(), 1u);
  EXPECT_EQ(got.compiled.resources[0].registers, 40);
  EXPECT_DOUBLE_EQ(got.about_us, 12.5);
  EXPECT_TRUE(got.incumbent);
}

}  // namespace
}  // namespace warpwright::testing
