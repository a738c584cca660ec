// Sweeps on several GPUs at once: those of one kind share the trials and rank the best of all on
// the first, those of different kinds work side by side.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SweepEngineGroupsTest : public ScriptedSweep {
 protected:
  static DeviceInfo gpu(int ordinal, const std::string& name = "fake") {
    DeviceInfo one = device("fake:" + std::to_string(ordinal), true);
    one.name = name;
    one.uuid = "GPU-" + std::to_string(ordinal);
    return one;
  }
  SweepSummary sweep_on_both() { return sweep_on({gpu(0), gpu(1)}); }
  // The first trials of the problem wait for each other, so both GPUs take part.
  json both_take_part() const {
    return {{"32 on 1", {{"us", 100}, {"waits", {"fake:0", "fake:1"}}}},
            {"64 on 1", {{"us", 101}, {"waits", {"fake:0", "fake:1"}}}},
            {"96 on 1", {{"us", 102}}},
            {"128 on 1", {{"us", 103}}},
            {"160 on 1", {{"us", 104}}},
            {"192 on 1", {{"us", 500}}}};
  }
  json without_waiting() const {
    json alone = both_take_part();
    for (const auto& [key, value] : both_take_part().items()) alone[key].erase("waits");
    return alone;
  }
  std::vector<Database::TrialRow> rows(const DeviceInfo& of) const {
    std::vector<Database::TrialRow> rows = Database(database_, OpenMode::kReadOnly).trials({});
    std::erase_if(rows,
                  [&](const auto& row) { return row.device_fingerprint != of.fingerprint(); });
    return rows;
  }
  std::size_t asked_of(const std::string& device) const {
    std::size_t count = 0;
    for (const std::string& line : asked_of_devices()) count += line.ends_with(" by " + device);
    return count;
  }
  static constexpr const char* kSix = "32, 64, 96, 128, 160, 192";
};

TEST_F(SweepEngineGroupsTest, BothTakePartAndEachTrialIsOfTheOneThatTimedIt) {
  write_sweep(kSix, "{n: 1}");
  script(both_take_part());
  const SweepSummary summary = sweep_on_both();
  EXPECT_EQ(summary.trials, 6u);
  ASSERT_THAT(summary.boards, SizeIs(1));
  EXPECT_EQ(summary.boards[0].device.id, "fake:0");
  EXPECT_GE(asked_of("fake:0"), 1u);
  EXPECT_GE(asked_of("fake:1"), 1u);
  EXPECT_EQ(rows(gpu(0)).size(), asked_of("fake:0"));
  EXPECT_EQ(rows(gpu(1)).size(), asked_of("fake:1"));
  ASSERT_THAT(summary.gpus, SizeIs(2));
  EXPECT_EQ(summary.gpus[0].timed, asked_of("fake:0"));
  EXPECT_EQ(summary.gpus[1].timed, asked_of("fake:1"));
}

TEST_F(SweepEngineGroupsTest, NobodyIsTimedTwiceByOneGpu) {
  write_sweep(kSix, "{n: 1}");
  script(both_take_part());
  (void)sweep_on_both();
  const std::vector<std::string> all = asked_of_devices();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST_F(SweepEngineGroupsTest, TheBestOfAllMeetOnTheFirst) {
  write_sweep(kSix, "{n: 1}");
  script(both_take_part());
  const SweepSummary summary = sweep_on_both();
  EXPECT_EQ(summary.rankings, 1u);
  std::set<RowId> of_first;
  std::set<std::string> timed;
  for (const Database::TrialRow& row : rows(gpu(0))) {
    of_first.insert(row.trial.id);
    timed.insert(row.trial.configuration_text);
  }
  const std::vector<RankingRecord> ranked = rankings();
  ASSERT_THAT(ranked, SizeIs(1));
  EXPECT_THAT(ranked[0].entries, SizeIs(5)) << "all within 5 % of the best, by one GPU";
  for (const RankingEntryRecord& entry : ranked[0].entries)
    EXPECT_TRUE(of_first.contains(entry.trial));
  EXPECT_GE(timed.size(), 5u);
}

TEST_F(SweepEngineGroupsTest, TheDifferenceBetweenGpusIsToldWithItsInterval) {
  write_sweep(kSix, "{n: 1}");
  json told = both_take_part();
  told["fake:1"] = {{"factor", 1.007}};
  script(told);
  const SweepSummary summary = sweep_on_both();
  EXPECT_FALSE(summary.gpus.at(0).difference);
  ASSERT_TRUE(summary.gpus.at(1).difference);
  const GpuDifference& found = *summary.gpus[1].difference;
  EXPECT_EQ(found.anchors, 1u);
  EXPECT_NEAR(found.fraction, 0.007, 1e-9);
  EXPECT_LT(found.low, 0.007);
  EXPECT_GT(found.high, 0.007);
}

TEST_F(SweepEngineGroupsTest, ResumingAsksNothingAgain) {
  write_sweep(kSix, "{n: 1}, {n: 2}");
  script(both_take_part());
  (void)sweep_on_both();
  const SweepSummary again = sweep_on_both();
  EXPECT_THAT(asked(), IsEmpty());
  EXPECT_EQ(again.resumed, 12u);
  EXPECT_EQ(again.guests, 0u);
  EXPECT_EQ(again.rankings, 0u);
  EXPECT_TRUE(again.gpus.at(1).difference) << "known from before";
}

TEST_F(SweepEngineGroupsTest, AnInterruptedSweepGoesOnOnBoth) {
  write_sweep(kSix, "{n: 1}");
  json told = both_take_part();
  told["128 on 1"] = {{"us", 103}, {"interrupts", true}};
  script(told);
  EXPECT_EQ(sweep_on_both().ended, RunEnd::kInterrupted);
  const std::vector<std::string> before = asked_of_devices();
  script(without_waiting());
  const SweepSummary rest = sweep_on_both();
  EXPECT_EQ(rest.ended, RunEnd::kComplete);
  std::vector<std::string> all = asked_of_devices();
  for (const std::string& line : before) EXPECT_THAT(all, Each(::testing::Ne(line)));
  EXPECT_EQ(rest.rankings, 1u);
}

TEST_F(SweepEngineGroupsTest, EqualCodeIsRunOnceForBoth) {
  write_sweep("32, 64", "{n: 1}", "0, 1, 2");
  script({{"32 on 1", {{"waits", {"fake:0", "fake:1"}}}},
          {"64 on 1", {{"waits", {"fake:0", "fake:1"}}}}});
  const SweepSummary summary = sweep_on_both();
  EXPECT_EQ(summary.shared, 4u);
  for (const DeviceInfo& device : {gpu(0), gpu(1)}) {
    std::set<RowId> here;
    for (const Database::TrialRow& row : rows(device)) here.insert(row.trial.id);
    for (const Database::TrialRow& row : rows(device))
      EXPECT_TRUE(!row.trial.same_as || here.contains(*row.trial.same_as));
  }
}

TEST_F(SweepEngineGroupsTest, AKilledWorkerCostsNothingButTime) {
  write_sweep(kSix, "{n: 1}");
  json told = both_take_part();
  told["96 on 1"] = {{{"dies", true}}, {{"us", 102}}};
  script(told);
  const SweepSummary summary = sweep_on_both();
  EXPECT_EQ(summary.by_status.at(Status::kOk), 6u);
  EXPECT_EQ(summary.measurers_lost, 1u);
}

TEST_F(SweepEngineGroupsTest, AGpuThatIsLostEndsTheSweepWhichGoesOnWithoutIt) {
  write_sweep(kSix, "{n: 1}");
  json told = both_take_part();
  told["128 on 1"] = {{"error", "environment"}};
  script(told);
  std::string error;
  try {
    (void)sweep_on_both();
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  EXPECT_THAT(error, HasSubstr("told to fail"));
  script(without_waiting());
  const SweepSummary rest = sweep_on({gpu(0)});
  EXPECT_EQ(rest.ended, RunEnd::kComplete);
  EXPECT_EQ(rest.rankings, 1u);
  EXPECT_EQ(rows(gpu(0)).size(), 6u) << "what the other has timed is not this one's time";
}

TEST_F(SweepEngineGroupsTest, EveryBoardIsRankedOnTheFirst) {
  write_sweep(kSix, "{n: 1}, {n: 2}, {n: 3}");
  script(both_take_part());
  const SweepSummary summary = sweep_on_both();
  EXPECT_EQ(summary.rankings, 3u);
  EXPECT_EQ(summary.trials, 18u);
}

TEST_F(SweepEngineGroupsTest, OtherKindsHaveBoardsOfTheirOwnInTheSameRun) {
  write_sweep("32, 64", "{n: 1}");
  // One after the other they would wait in vain, and hang.
  script({{"32 on 1", {{"waits", {"fake:0", "fake:1"}}}},
          {"64 on 1", {{"waits", {"fake:0", "fake:1"}}}}});
  const SweepSummary summary = sweep_on({gpu(0), gpu(1, "another")});
  EXPECT_THAT(summary.boards, SizeIs(2));
  EXPECT_EQ(summary.by_status.at(Status::kOk), 4u);
  EXPECT_EQ(summary.rankings, 2u);
  EXPECT_THAT(summary.gpus, IsEmpty());
}

TEST_F(SweepEngineGroupsTest, ASearchOfBothIsResumedAsOne) {
  write_sweep("32, 64, 96, 128, 160, 192, 224, 256", "{n: 1}", "0, 1, 2, 3");
  options_.strategy = "auto";
  options_.budget = parse_budget("12");
  const SweepSummary first = sweep_on_both();
  EXPECT_EQ(first.trials, 12u);
  const SweepSummary again = sweep_on_both();
  EXPECT_EQ(again.boards[0].began_with, first.boards[0].began_with)
      << "trials of the other GPU are not another board";
}

TEST_F(SweepEngineGroupsTest, AnEmulatedDeviceTwiceGivesTheBoardThatItGivesOnce) {
  write_sweep(kSix, "{n: 1}, {n: 2}");
  const DeviceInfo emulated = device("emu:fake", false);
  options_.emulator_slots = 1;
  (void)sweep_on({emulated, emulated});
  const std::vector<Leaderboard> twice = leaderboards();
  std::filesystem::remove(database_);
  (void)sweep_on({emulated});
  const std::vector<Leaderboard> once = leaderboards();
  ASSERT_EQ(twice.size(), once.size());
  for (std::size_t board = 0; board < once.size(); ++board) {
    ASSERT_EQ(twice[board].entries.size(), once[board].entries.size());
    for (std::size_t i = 0; i < once[board].entries.size(); ++i)
      EXPECT_EQ(twice[board].entries[i].row.trial.configuration_text,
                once[board].entries[i].row.trial.configuration_text);
  }
}

}  // namespace
}  // namespace warpwright::testing
