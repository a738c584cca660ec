#include "analysis/compare/contender.h"

#include <gtest/gtest.h>

#include "analysis/sample_database.h"

namespace warpwright {
namespace {

using testing::SampleDatabase;

class ContenderTest : public ::testing::Test {
 protected:
  [[nodiscard]] Contender load(RowId device, std::optional<std::vector<RowId>> runs = std::nullopt,
                               const std::optional<std::string>& kernel = std::nullopt) {
    return load_contender(sample.database(), {{device}, std::move(runs)}, kernel);
  }

  // The trials of both GPUs of one name.
  [[nodiscard]] Contender load_both() {
    return load_contender(sample.database(), {{h200, twin}, std::nullopt}, std::nullopt);
  }

  TemporaryFolder folder_;
  SampleDatabase sample{folder_.path() / "x.db"};
  RowId h200 = sample.device("cuda:0", "NVIDIA H200", "f1e2d3c4b5a6");
  RowId a100 = sample.device("cuda:1", "NVIDIA A100", "a1a2a3a4a5a6");
  RowId twin = sample.device("cuda:2", "NVIDIA H200", "b1b2b3b4b5b6");
};

TEST_F(ContenderTest, HoldsTheTrialsOfItsDeviceOnly) {
  const RowId run = sample.run();
  sample.trial(run, h200, "v X=1", 100);
  sample.trial(run, a100, "v X=1", 200);
  const Contender contender = load(a100);
  EXPECT_EQ(contender.device_name, "NVIDIA A100");
  EXPECT_EQ(contender.trials, 1u);
  ASSERT_EQ(contender.boards.size(), 1u);
  EXPECT_EQ(contender.boards[0].entries.at(0).median_us, 200);
}

TEST_F(ContenderTest, OfARunIsJudgedByThatRunAlone) {
  const RowId first = sample.run("0.1.0"), second = sample.run("0.2.0");
  sample.trial(first, h200, "v X=1", 100);
  sample.trial(second, h200, "v X=1", 90);
  const Contender old = load(h200, std::vector{first});
  EXPECT_EQ(old.boards.at(0).entries.at(0).median_us, 100);
  EXPECT_EQ(old.versions, std::vector<std::string>{"0.1.0"});
  EXPECT_EQ(old.runs, std::vector{first});
  EXPECT_EQ(load(h200).boards.at(0).entries.at(0).median_us, 90);
}

TEST_F(ContenderTest, OfSeveralRunsTheNewestTrialOfAKeyCounts) {
  const RowId first = sample.run(), second = sample.run();
  sample.trial(first, h200, "v X=1", 0, Status::kWrongResult);
  sample.trial(second, h200, "v X=1", 90);
  sample.trial(second, h200, "v X=2", 95);
  sample.trial(second, h200, "v X=2", 0, Status::kNoisy);  // does not supersede the one before
  const Contender both = load(h200, std::vector{second, first});
  ASSERT_EQ(both.boards.at(0).entries.size(), 2u);
  EXPECT_EQ(both.boards[0].entries[0].median_us, 90);
  EXPECT_EQ(both.boards[0].entries[1].median_us, 95);
  EXPECT_EQ(both.runs, std::vector{second});
}

TEST_F(ContenderTest, ARankingOfTheRunApplies) {
  const RowId run = sample.run();
  const RowId slow = sample.trial(run, h200, "v X=1", 372),
              fast = sample.trial(run, h200, "v X=2", 371.9);
  sample.database().add_ranking(testing::sample_ranking({slow, fast}));
  const Contender contender = load(h200, std::vector{run});
  ASSERT_TRUE(contender.boards.at(0).ranking);
  EXPECT_EQ(contender.boards[0].entries[0].row.trial.id, slow);
}

TEST_F(ContenderTest, AnImportSaysNothingOfHowTimesWereTaken) {
  TrialRecord imported = testing::sample_trial(
      sample.run("9.9.9"), sample.database().put_kernel(testing::sample_kernel()), h200);
  imported.protocol = "imported-t4-1";
  imported.started_utc = "2023-12-22T09:54:05Z";
  sample.database().add_trial(imported);
  const Contender contender = load(h200);
  EXPECT_EQ(time_kind(contender.boards.at(0)), TimeKind::kImported);
  EXPECT_TRUE(contender.versions.empty());
  EXPECT_EQ(contender.first_started_utc, "2023-12-22T09:54:05Z");
}

TEST_F(ContenderTest, AKernelThatItDoesNotHaveLeavesNothing) {
  sample.trial(sample.run(), h200, "v X=1", 100);
  const Contender contender = load(h200, std::nullopt, "swiglu");
  EXPECT_EQ(contender.trials, 0u);
  EXPECT_TRUE(contender.boards.empty());
  EXPECT_EQ(contender.device_name, "NVIDIA H200");
}

TEST_F(ContenderTest, HasTheCeilingsOfItsDevice) {
  sample.trial(sample.run(), h200, "v X=1", 100);
  sample.database().add_ceiling({h200, "copy", 4000, "GB/s", {}, {}, "ceilings-1", ""});
  EXPECT_EQ(load(h200).ceilings.at(0).value, 4000);
  EXPECT_TRUE(load(a100).ceilings.empty());
}

TEST_F(ContenderTest, OfSeveralGpusTheOneWithTheBestTimeGivesTheBoard) {
  const RowId run = sample.run();
  sample.trial(run, h200, "v X=1", 100);
  sample.trial(run, h200, "v X=2", 120);
  sample.trial(run, twin, "v X=1", 103);
  sample.trial(run, twin, "v X=2", 99);
  const Contender contender = load_both();
  EXPECT_EQ(contender.trials, 4u);
  ASSERT_EQ(contender.devices.size(), 2u);
  EXPECT_EQ(contender.devices[1].id, "cuda:2");
  ASSERT_EQ(contender.boards.size(), 1u);
  const std::vector<LeaderboardEntry>& entries = contender.boards[0].entries;
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].row.device_id, "cuda:2");
  EXPECT_EQ(entries[0].median_us, 99);
  EXPECT_EQ(entries[1].median_us, 103);  // of the same GPU, where another one was faster
}

TEST_F(ContenderTest, ConfigurationsThatOnlyAnotherGpuTriedAreAddedButTieWithNothing) {
  const RowId run = sample.run();
  sample.trial(run, h200, "v X=1", 100);
  sample.trial(run, h200, "v X=3", 0, Status::kPruned);
  sample.trial(run, twin, "v X=2", 100.2);
  sample.trial(run, twin, "v X=3", 150);
  sample.trial(run, twin, "v X=4", 0, Status::kTimeout);
  const Contender contender = load_both();
  ASSERT_EQ(contender.boards.size(), 1u);
  const Leaderboard& board = contender.boards[0];
  ASSERT_EQ(board.entries.size(), 3u);
  EXPECT_EQ(board.entries[1].row.trial.configuration_text, "v X=2");
  EXPECT_EQ(board.entries[1].rank, 2);
  EXPECT_FALSE(board.entries[1].tied_with_best);
  EXPECT_DOUBLE_EQ(board.entries[2].speed_vs_best, 100.0 / 150);
  ASSERT_EQ(board.untimed.size(), 1u);  // X=3 has a time, on the other GPU
  EXPECT_EQ(board.untimed[0].trial.configuration_text, "v X=4");
  EXPECT_EQ(board.trials, 4u);
}

TEST_F(ContenderTest, AConfigurationThatIsWrongOnOneGpuIsNotRankedOnAnother) {
  const RowId run = sample.run();
  sample.trial(run, h200, "v X=1", 90);
  sample.trial(run, h200, "v X=2", 100);
  sample.trial(run, twin, "v X=1", 0, Status::kWrongResult);
  const Contender contender = load_both();
  const Leaderboard& board = contender.boards.at(0);
  ASSERT_EQ(board.entries.size(), 1u);
  EXPECT_EQ(board.entries[0].row.trial.configuration_text, "v X=2");
  EXPECT_TRUE(board.entries[0].tied_with_best);
  EXPECT_EQ(board.untimed.at(0).trial.status, Status::kWrongResult);
}

TEST_F(ContenderTest, OlderSourcesOnOneGpuDoNotCountWhereAnotherHasNewerOnes) {
  const RowId run = sample.run();
  sample.trial(run, h200, "v X=1", 80);
  KernelRecord changed = testing::sample_kernel();
  changed.contract_hash = "changed";
  TrialRecord record = testing::sample_trial(run, sample.database().put_kernel(changed), twin);
  record.key = "the same with newer sources";
  record.configuration_text = "v X=1";
  record.median_us = 90;
  sample.database().add_trial(record);
  const Contender contender = load_both();
  EXPECT_EQ(contender.boards.at(0).entries.at(0).median_us, 90);
}

TEST_F(ContenderTest, OfSeveralGpusTheNewestCeilingOfEachNameCounts) {
  sample.trial(sample.run(), h200, "v X=1", 100);
  sample.trial(sample.run(), twin, "v X=1", 100);
  sample.database().add_ceiling({h200, "copy", 4000, "GB/s", {}, {}, "ceilings-1", "2026-03-02"});
  sample.database().add_ceiling({twin, "copy", 4100, "GB/s", {}, {}, "ceilings-1", "2026-03-01"});
  sample.database().add_ceiling({twin, "read", 4500, "GB/s", {}, {}, "ceilings-1", "2026-03-01"});
  const Contender contender = load_both();
  ASSERT_EQ(contender.ceilings.size(), 2u);
  EXPECT_EQ(contender.ceilings[0].value, 4000);
  EXPECT_EQ(contender.ceilings[1].name, "read");
}

}  // namespace
}  // namespace warpwright
