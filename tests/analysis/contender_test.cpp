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
    return load_contender(sample.database(), {device, std::move(runs)}, kernel);
  }

  TemporaryFolder folder_;
  SampleDatabase sample{folder_.path() / "x.db"};
  RowId h200 = sample.device("cuda:0", "NVIDIA H200", "f1e2d3c4b5a6");
  RowId a100 = sample.device("cuda:1", "NVIDIA A100", "a1a2a3a4a5a6");
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

}  // namespace
}  // namespace warpwright
