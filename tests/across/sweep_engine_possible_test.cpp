// A sweep stores times that are beyond what the device can do as impossible, and goes on without
// them.
#include <gmock/gmock.h>

#include "store/database.h"
#include "support/scripted_sweep.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Each element takes 8 bytes: 400 MB together, of which 350 do not fit into L2.
constexpr int kElements = 50'000'000;

class SweepEnginePossibleTest : public ScriptedSweep {
 protected:
  // It moves 3072 GB/s, so that the shortest possible time is 113.9 µs.
  static DeviceInfo gpu() {
    DeviceInfo made = device("fake:0", true);
    made.l2_bytes = 50'000'000;
    made.memory_clock_mhz = 3000;
    made.memory_bus_bits = 4096;
    return made;
  }
  void SetUp() override {
    ScriptedSweep::SetUp();
    write_sweep("32, 64, 96", "{n: 50000000}");
  }
  void script_trials(json all) {
    all["rank 50000000"].update({{"headline", 130}}, true);
    script(all);
  }
  SweepSummary sweep_gpu() { return sweep_on({gpu()}); }
  [[nodiscard]] TrialRecord trial(int threads) const { return newest(threads, kElements); }
  void calibrate(double read) const {
    Database database(database_);
    database.add_ceiling({1, "read", read, "GB/s", {}, {}, "cold-graph-2", "2026-03-01T12:00:00Z"});
  }
  [[nodiscard]] std::vector<std::string> ranked() const {
    std::vector<std::string> threads;
    const Leaderboard board = leaderboards().at(0);
    for (const LeaderboardEntry& entry : board.entries)
      threads.push_back(entry.row.trial.parameters->at("THREADS").to_string());
    return threads;
  }
};

TEST_F(SweepEnginePossibleTest, AnImpossibleTimeIsStoredAndWinsNothingAndTheSweepGoesOn) {
  script_trials({{"64 on 50000000", {{"us", 50}}}, {"rank 50000000", json::object()}});
  const SweepSummary summary = sweep_gpu();
  EXPECT_EQ(summary.ended, RunEnd::kComplete);
  EXPECT_EQ(summary.by_status,
            (std::map<Status, std::size_t>{{Status::kOk, 2}, {Status::kImpossible, 1}}));
  EXPECT_EQ(trial(64).status, Status::kImpossible);
  EXPECT_EQ(trial(64).median_us, 50) << "as it was measured";
  EXPECT_EQ(trial(64).reason,
            "50 µs would be 8000 GB/s (7000 GB/s without what L2 can hold), but this GPU moves at "
            "most 3072 GB/s (by its memory clock and bus width): either the contract counts too "
            "much work (`work.bytes` is 400000000), or the launch does less than it should");
  EXPECT_THAT(asked(), ElementsAre("32 on 50000000", "64 on 50000000", "96 on 50000000",
                                   "rank 50000000: 32 96"));
  EXPECT_EQ(rankings().at(0).winner, trial(32).id);
  EXPECT_THAT(ranked(), ElementsAre("32", "96"));
  EXPECT_EQ(leaderboards().at(0).failures.at(0).example, trial(64).reason);
  EXPECT_EQ(sweep_gpu().resumed, 3U);
  EXPECT_THAT(asked(), IsEmpty()) << "it is known";
}

TEST_F(SweepEnginePossibleTest, EqualCodeIsAsImpossible) {
  write_sweep("32, 64", "{n: 50000000}", "0, 1");
  script_trials({{"64 on 50000000", {{"us", 50}}}, {"64.1 on 50000000", {{"us", 50}}}});
  const SweepSummary summary = sweep_gpu();
  EXPECT_EQ(summary.by_status.at(Status::kImpossible), 2U);
  EXPECT_EQ(newest(64, kElements, 1).status, Status::kImpossible);
}

TEST_F(SweepEnginePossibleTest, CeilingsThatAreMeasuredLaterDecideAnew) {
  script_trials({{"64 on 50000000", {{"us", 50}}}});
  (void)sweep_gpu();
  calibrate(9000);
  EXPECT_EQ(sweep_gpu().resumed, 2U);
  EXPECT_THAT(asked(), ElementsAre("64 on 50000000", "rank 50000000: 64 32* 96"));
  EXPECT_EQ(trial(64).status, Status::kOk);
  // All times below 133 µs are impossible now, and stored ones count as that unmeasured.
  calibrate(2500);
  const SweepSummary summary = sweep_gpu();
  EXPECT_EQ(summary.by_status.at(Status::kImpossible), 2U);
  EXPECT_EQ(summary.resumed, 3U);
  EXPECT_EQ(trial(64).status, Status::kOk) << "as it is stored";
  EXPECT_THAT(ranked(), ElementsAre("96"));
  EXPECT_THAT(leaderboards().at(0).failures.at(0).example,
              HasSubstr("this GPU moves at most 2500 GB/s (measured: read)"));
}

TEST_F(SweepEnginePossibleTest, AnImpossibleTimeInItsRoundsMakesNoRanking) {
  script_trials({{"rank 50000000", {{"us", 50}}}});
  EXPECT_EQ(sweep_gpu().rankings, 0U);
  EXPECT_THAT(rankings(), IsEmpty());
  EXPECT_THAT(said(), HasSubstr("no final ranking for n=50000000: impossible (plain HINT=0 "
                                "PER_THREAD=1 THREADS=32): 50 µs would be 8000 GB/s"));
  EXPECT_THAT(ranked(), ElementsAre("32", "64", "96"));
}

TEST_F(SweepEnginePossibleTest, NorDoesAnImpossibleHeadline) {
  script({{"rank 50000000", {{"headline", 50}}}});
  EXPECT_EQ(sweep_gpu().rankings, 0U);
  EXPECT_THAT(said(), HasSubstr("no final ranking for n=50000000: impossible (plain HINT=0 "
                                "PER_THREAD=1 THREADS=32): 50 µs would be 8000 GB/s"));
  script_trials({});
  EXPECT_EQ(sweep_gpu().rankings, 1U) << "the next sweep tries again";
}

TEST_F(SweepEnginePossibleTest, AnEmulatedDeviceIsHeldAgainstItsModel) {
  DeviceInfo emulated = device("fake:0", false);
  emulated.l2_bytes = 50'000'000;
  emulated.model_ceilings = {{"read", 3000}};
  script({{"64 on 50000000", {{"us", 50}}}});
  const SweepSummary summary = sweep_on({emulated});
  EXPECT_EQ(summary.by_status.at(Status::kImpossible), 1U);
  EXPECT_THAT(trial(64).reason,
              HasSubstr("but the model of this device moves at most 3000 GB/s: "));
}

TEST_F(SweepEnginePossibleTest, WithoutAnythingKnownOfTheDeviceATimeStands) {
  script({{"64 on 50000000", {{"us", 0.001}}}});
  EXPECT_EQ(sweep().by_status.at(Status::kOk), 3U);
}

}  // namespace
}  // namespace warpwright::testing
