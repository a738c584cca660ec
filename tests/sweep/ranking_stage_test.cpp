// Tests which configurations are ranked, whether they were ranked before, and the stored record, on
// a database of its own.
#include "sweep/ranking_stage.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RankingStageTest : public ::testing::Test {
 protected:
  RankingStageTest() {
    write_square_kernel(folder_.path());
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 8}, {n: 9}]\nspace:\n  THREADS: [32, 64, 96]\n"
               "  PER_THREAD: [1]\n");
    options_.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    DeviceInfo device;
    device.id = "fake:0";
    device.name = "fake";
    device.arch = "sm_90a";
    device.has_clock = true;
    plan_ = make_plan(options_, paths, {device});
    records_.open(options_, plan_, "99.1");
  }

  // A trial of the configuration of this index, as the engine stores it.
  TrialRecord stored(std::uint64_t index, Status status, double median_us,
                     std::uint64_t same_as = 99, std::size_t board = 0) {
    const PlannedBoard& planned = plan_.boards[board];
    const Configuration configuration = planned.space->at(index);
    TrialRecord trial;
    trial.key = planned.summary.problem_text + configuration.to_string();
    trial.problem = planned.summary.problem;
    trial.problem_text = planned.summary.problem_text;
    trial.variant = configuration.variant;
    trial.parameters = configuration.values;
    trial.configuration_text = configuration.to_string();
    trial.status = status;
    if (status == Status::kOk) trial.median_us = median_us;
    trial.protocol = "cold-graph-1";
    trial.resources = TrialResources{};
    trial.errors = std::vector<OutputError>{};
    trial.counters = TrialCounters{};
    trial.options = std::vector<std::string>{};
    trial.started_utc = "2026-03-01T12:00:00Z";
    const std::string original = same_as == 99 ? "" : planned.space->at(same_as).to_string();
    records_.add(trial, planned.device, records_.variant_hash(configuration.variant), original);
    return trial;
  }
  RowId note(std::uint64_t index, Status status, double median_us = 0) {
    const TrialRecord trial = stored(index, status, median_us);
    stage_.note(0, index, trial);
    return trial.id;
  }
  std::vector<std::uint64_t> finalists(std::size_t board = 0) const {
    std::vector<std::uint64_t> indices;
    const std::optional<RankingTask> task = stage_.begin(board);
    if (!task) return {};
    for (const RankingCandidate& finalist : task->finalists) indices.push_back(finalist.index);
    return indices;
  }
  // Stores a race in which each configuration is a fiftieth slower than the one before. Returns the
  // message.
  std::string rank() {
    const std::optional<RankingTask> task = stage_.begin(0);
    auto finals = std::make_shared<FinalsOutcome>();
    for (int round = 0; round < 30; ++round) {
      std::vector<double>& times = finals->round_us.emplace_back();
      for (std::size_t i = 0; i < task->finalists.size(); ++i)
        times.push_back(100 * (1 + 0.02 * static_cast<double>(i)));
    }
    finals->ranking = rank_final(finals->round_us);
    finals->protocol = "cold-graph-1";
    finals->headline.emplace().sm_clock_mhz = 1980;
    Outcome outcome;
    outcome.found = std::shared_ptr<const FinalsOutcome>(std::move(finals));
    return stage_.end(*task, outcome);
  }

  TemporaryFolder folder_;
  SweepOptions options_;
  SweepPlan plan_;
  Database database_{folder_.path() / "x.db"};
  RunRecords records_{database_};
  RankingStage stage_{plan_, records_};
};

TEST_F(RankingStageTest, OfABoardThatHadNoTrialsNobodyIsRanked) {
  EXPECT_THAT(finalists(), IsEmpty());
  EXPECT_FALSE(stage_.incumbent(0).has_value());
}

TEST_F(RankingStageTest, OnlyWhatIsRightAndTimedIsRanked) {
  note(0, Status::kOk, 20);
  note(1, Status::kWrongResult);
  EXPECT_THAT(finalists(), IsEmpty()) << "one alone";
  note(2, Status::kOk, 10);
  EXPECT_THAT(finalists(), ElementsAre(2, 0));
}

TEST_F(RankingStageTest, BoardsAreApart) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  EXPECT_THAT(finalists(1), IsEmpty());
}

TEST_F(RankingStageTest, ModelledTimesAreNotRanked) {
  note(0, Status::kOk, 20);
  TrialRecord modelled = stored(1, Status::kOk, 10);
  modelled.modelled = true;
  stage_.note(0, 1, modelled);
  EXPECT_THAT(finalists(), IsEmpty());
}

TEST_F(RankingStageTest, WhatSharesAMeasurementDoesNotRaceAgainstItself) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  const TrialRecord shared = stored(2, Status::kOk, 10, /*same_as=*/1);
  ASSERT_TRUE(shared.same_as.has_value());
  stage_.note(0, 2, shared);
  EXPECT_THAT(finalists(), ElementsAre(1, 0));
}

TEST_F(RankingStageTest, ARepeatedTrialReplacesTheOldOne) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  const RowId repeated = note(1, Status::kOk, 30);
  const std::vector<RankingCandidate> racing = stage_.begin(0).value().finalists;
  ASSERT_EQ(racing.size(), 2u);
  EXPECT_EQ(racing[1].index, 1u);
  EXPECT_EQ(racing[1].trial, repeated);
  EXPECT_DOUBLE_EQ(racing[1].median_us, 30);
}

TEST_F(RankingStageTest, ARepeatedTrialThatIsPrunedIsOut) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  note(2, Status::kOk, 11);
  note(1, Status::kPruned);
  EXPECT_THAT(finalists(), ElementsAre(2, 0));
}

// As in the database, a noisy trial counts only if there is no other.
TEST_F(RankingStageTest, ARepeatedTrialThatIsNoisySaysNothing) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  note(1, Status::kNoisy);
  EXPECT_THAT(finalists(), ElementsAre(1, 0));
}

TEST_F(RankingStageTest, TheRecordIsStoredAndReadBack) {
  const RowId slow = note(0, Status::kOk, 20);
  const RowId fast = note(1, Status::kOk, 10);
  EXPECT_EQ(rank(), "");
  const auto rows = database_.rankings({});
  ASSERT_EQ(rows.size(), 1u);
  const RankingRecord& ranking = rows[0].ranking;
  EXPECT_EQ(ranking.run, records_.run());
  EXPECT_EQ(ranking.kernel_name, "square");
  EXPECT_EQ(ranking.problem_text, "n=8");
  EXPECT_EQ(ranking.winner, fast);
  EXPECT_EQ(ranking.rounds, 30);
  EXPECT_EQ(ranking.headline->sm_clock_mhz, 1980);
  EXPECT_EQ(rows[0].device_fingerprint, plan_.devices[0].fingerprint());
  ASSERT_EQ(ranking.entries.size(), 2u);
  EXPECT_EQ(ranking.entries[1].trial, slow);
  EXPECT_FALSE(ranking.entries[1].tied);
  EXPECT_NEAR(ranking.entries[1].relative, 1.02, 1e-9);
}

TEST_F(RankingStageTest, TheSameFinalistsAreNotRankedAgain) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  rank();
  EXPECT_THAT(finalists(), IsEmpty());
}

TEST_F(RankingStageTest, OneMoreFinalistIsAReasonToRankAgain) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  rank();
  note(2, Status::kOk, 15);
  EXPECT_THAT(finalists(), ElementsAre(1, 2, 0));
}

TEST_F(RankingStageTest, ARepeatedFinalistIsAReasonToRankAgain) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  rank();
  note(1, Status::kOk, 10);
  EXPECT_THAT(finalists(), ElementsAre(1, 0));
}

TEST_F(RankingStageTest, TheWinnerOfTheNewestRankingIsTheIncumbent) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  EXPECT_FALSE(stage_.incumbent(0).has_value());
  rank();
  EXPECT_EQ(stage_.incumbent(0), 1u);
  EXPECT_FALSE(stage_.incumbent(1).has_value()) << "it belongs to another problem";
}

TEST_F(RankingStageTest, AnIncumbentThatWasMeasuredAnewIsStillTheOne) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  rank();
  note(1, Status::kOk, 12);
  EXPECT_EQ(stage_.incumbent(0), 1u);
}

TEST_F(RankingStageTest, AWinnerThatIsNoCandidateAnyMoreIsNoIncumbent) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  rank();
  note(1, Status::kWrongResult);
  EXPECT_FALSE(stage_.incumbent(0).has_value());
}

TEST_F(RankingStageTest, TheTaskAsksForItsFinalistsInTheirOrder) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  rank();
  note(2, Status::kOk, 15);
  const std::optional<RankingTask> task = stage_.begin(0);
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->asked().problem.at("n").as_integer(), 8);
  const std::vector<Finalist>& asked = task->asked().finalists;
  ASSERT_EQ(asked.size(), 3u);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(asked[i].configuration.to_string(),
              plan_.boards[0].space->at(task->finalists[i].index).to_string());
    EXPECT_EQ(asked[i].incumbent, i == 0);
  }
  EXPECT_EQ(asked[1].about_us, 15);
  const std::vector<CompileJob> jobs = stage_.jobs(*task);
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[1].defines,
            make_compile_job(plan_.kernel, asked[1].configuration, task->asked().problem,
                             plan_.devices[0], plan_.include_folders)
                .defines);
}

TEST_F(RankingStageTest, ARankingThatFailedNamesWhoFailedAndStoresNothing) {
  note(0, Status::kOk, 20);
  note(1, Status::kOk, 10);
  const std::optional<RankingTask> task = stage_.begin(0);
  Outcome outcome;
  outcome.status = Status::kWrongResult;
  outcome.reason = "out[3] is 4";
  EXPECT_EQ(stage_.end(*task, outcome), "no final ranking for n=8: wrong_result: out[3] is 4");
  FinalsOutcome finals;
  finals.failed = 1;
  outcome.found = std::make_shared<const FinalsOutcome>(finals);
  EXPECT_EQ(stage_.end(*task, outcome), "no final ranking for n=8: wrong_result (" +
                                            plan_.boards[0].space->at(0).to_string() +
                                            "): out[3] is 4");
  EXPECT_TRUE(database_.rankings({}).empty());
  EXPECT_THAT(finalists(), ElementsAre(1, 0)) << "it may be tried again";
}

}  // namespace
}  // namespace warpwright::testing
