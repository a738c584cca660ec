// Runs the engine on a clock of its own, with few enough compilers and GPUs that the results can be
// worked out by hand, and with enough of them that the engine has to spread its boards.
#include <gmock/gmock.h>

#include <filesystem>

#include "core/files.h"
#include "store/sqlite.h"
#include "support/fake_gpu.h"
#include "support/program.h"
#include "support/repeated_boards.h"
#include "support/simulated_host.h"
#include "sweep/sweep_engine.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::SizeIs;

constexpr double kExact = 1e-6;  // for times rounded to nanoseconds

// Checks, on another connection, that each trial is stored when the strategy receives it.
class Witness : public Strategy {
 public:
  Witness(std::unique_ptr<Strategy> asks, fs::path database, std::size_t& told, bool& early)
      : asks_(std::move(asks)), database_(std::move(database)), told_(told), early_(early) {}
  std::optional<std::uint64_t> ask() override { return asks_->ask(); }
  void tell(const Answer& answer) override {
    ++told_;
    early_ |= Database(database_, OpenMode::kReadOnly).trial_count() < told_;
    asks_->tell(answer);
  }

 private:
  std::unique_ptr<Strategy> asks_;
  fs::path database_;
  std::size_t& told_;
  bool& early_;
};

// Four configurations, of 32, 64, 96 and 128 threads, on problems of 1, 2, ... elements.
class SimulatedSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    write_square_kernel(folder_.path());
    fs::create_directories(folder_.path() / "kernels" / "common");
    options_.config = folder_.path() / "square.yaml";
    options_.quiet = true;
    options_.rank = false;
    options_.any_order = false;
    simulation_.charges_engine = false;
    simulation_.compiled_before = true;
    simulation_.cached_seconds = 0;
  }

  // The first configuration takes `first_us`, each further one 1 µs less.
  void record(int problems, double compile_seconds, double device_seconds, double first_us = 10) {
    std::string sizes;
    for (int n = 1; n <= problems; ++n) {
      sizes += (n > 1 ? ", {n: " : "{n: ") + std::to_string(n) + "}";
      for (int i = 0; i < 4; ++i) {
        RecordedTrial trial;
        trial.compile_seconds = compile_seconds;
        trial.device_seconds = device_seconds;
        TimeEstimate& time = trial.outcome.time.emplace();
        time.median_us = time.ci_low_us = time.ci_high_us = first_us - i;
        recorded_.add("n=" + std::to_string(n),
                      "plain PER_THREAD=1 THREADS=" + std::to_string(32 * (i + 1)), trial);
      }
    }
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [" + sizes +
                   "]\nspace:\n  THREADS: [32, 64, 96, 128]\n  PER_THREAD: [1]\n");
  }

  SweepSummary sweep(std::size_t gpus, std::size_t boards = 0) {
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    ProgressOptions silent;
    silent.quiet = true;
    Progress progress(silent);
    Database database(database_);
    SweepPlan plan = make_plan(options_, paths, like_devices(testing::fake_gpu(), gpus));
    repeat_boards(plan, boards, options_.seed);
    for (PlannedBoard& board : plan.boards) {
      rankers_.push_back(plan.devices[board.device].id);
      if (!witnessed_) continue;
      board.strategy =
          std::make_unique<Witness>(std::move(board.strategy), database_, told_, told_early_);
    }
    SimulatedHost host(plan, recorded_, simulation_);
    SweepEngine engine(options_, paths, std::move(plan), database, progress, host);
    SweepSummary summary = engine.run();
    figures_ = host.figures();
    return summary;
  }
  std::vector<Database::TrialRow> stored() const {
    return Database(database_, OpenMode::kReadOnly).trials({});
  }

  TemporaryFolder folder_;
  fs::path database_ = folder_.path() / "x.db";
  SweepOptions options_;
  SimulationOptions simulation_;
  RecordedTrials recorded_;
  SimulationFigures figures_;
  std::vector<std::string> rankers_;  // by board
  bool witnessed_ = false;
  std::size_t told_ = 0;
  bool told_early_ = false;
};

TEST_F(SimulatedSweep, OneGpuThatNeverWaitsIsBusyAllTheTime) {
  record(1, 0, 2);
  const SweepSummary summary = sweep(1);
  EXPECT_EQ(summary.trials, 4u);
  EXPECT_NEAR(summary.wall_seconds, 8, kExact);
  EXPECT_NEAR(figures_.gpu_busy_s / summary.wall_seconds, 1, kExact);
}

// Each GPU takes two trials; then the second times the configuration that the first began with.
TEST_F(SimulatedSweep, TwoGpusTakeHalfAndOneMoreOfThemTheAnchor) {
  record(1, 0, 2);
  const SweepSummary summary = sweep(2);
  EXPECT_EQ(summary.guests, 1u);
  EXPECT_NEAR(summary.wall_seconds, 6, kExact);
  EXPECT_NEAR(figures_.gpu_busy_s, 10, kExact);
  EXPECT_NEAR(figures_.gpu_trials_s, 8, kExact);
}

// The sweep takes four compilations of 3 s in sequence, and 1 s for the last trial.
TEST_F(SimulatedSweep, ASlowCompilerStarvesTheGpu) {
  record(1, 3, 1);
  simulation_.compiled_before = false;
  const SweepSummary summary = sweep(1);
  EXPECT_NEAR(summary.wall_seconds, 13, kExact);
  EXPECT_NEAR(figures_.gpu_busy_s, 4, kExact);
  EXPECT_NEAR(figures_.compiler_busy_s, 12, kExact);
}

TEST_F(SimulatedSweep, CompilersSideBySideFeedIt) {
  record(1, 3, 1);
  simulation_.compiled_before = false;
  simulation_.compile_workers = 4;
  options_.compile_workers = 4;
  EXPECT_LE(sweep(1).wall_seconds, 13 - 3);
}

TEST_F(SimulatedSweep, InputsAreMadeOnceForABoardOnEveryGpu) {
  record(2, 0, 1);
  recorded_.set_input_seconds("n=1", 5);
  recorded_.set_input_seconds("n=2", 7);
  EXPECT_NEAR(sweep(1).wall_seconds, 8 + 5 + 7, kExact);
}

TEST_F(SimulatedSweep, TheWinnerIsTheOneOfTheRecording) {
  record(2, 0, 1);
  options_.rank = true;
  EXPECT_EQ(sweep(2).rankings, 2u);
  const Database database(database_, OpenMode::kReadOnly);
  for (const Database::RankingRow& row : database.rankings({})) {
    Database::TrialFilter filter;
    filter.trial = row.ranking.winner;
    EXPECT_EQ(database.trials(filter).at(0).trial.configuration_text,
              recorded_.best(row.ranking.problem_text));
  }
  EXPECT_EQ(recorded_.best("n=1"), "plain PER_THREAD=1 THREADS=128");
}

TEST_F(SimulatedSweep, TheEnginesOwnTimePassesWhereItIsCounted) {
  record(1, 0, 0);
  simulation_.charges_engine = true;
  const SweepSummary summary = sweep(1);
  EXPECT_GT(figures_.engine_s, 0);
  EXPECT_GE(summary.wall_seconds, figures_.engine_s);
  EXPECT_GT(figures_.engine_of_s.at(EngineWork::kCommit), 0);
}

class ManyGpus : public SimulatedSweep {
 protected:
  // 9 boards of 4 configurations.
  SweepSummary sweep_of_many() {
    record(2, 0, 1);
    options_.rank = true;
    simulation_.compile_workers = 8;
    return sweep(20, 9);
  }
};

TEST_F(ManyGpus, NothingIsLost) {
  const SweepSummary summary = sweep_of_many();
  EXPECT_EQ(summary.trials, 9u * 4);
  EXPECT_EQ(summary.rankings, 9u);
  std::map<std::pair<std::string, std::string>, std::size_t> found;
  for (const Database::TrialRow& row : stored())
    ++found[{row.trial.problem_text, row.trial.configuration_text}];
  EXPECT_THAT(found, SizeIs(9 * 4));
}

TEST_F(ManyGpus, NoStrategyIsToldBeforeTheTrialIsThere) {
  witnessed_ = true;
  (void)sweep_of_many();
  EXPECT_EQ(told_, 9u * 4);
  EXPECT_FALSE(told_early_);
}

TEST_F(ManyGpus, TrialsThatComeTogetherAreOneTransaction) {
  const SweepSummary summary = sweep_of_many();
  EXPECT_LT(figures_.commits, summary.trials);
}

// Every eighth GPU ranks; the boards are dealt to them in turn.
TEST_F(ManyGpus, RankingsAreSpreadOverSomeOfThem) {
  (void)sweep_of_many();
  EXPECT_EQ(rankers_[0], "cuda:0");
  EXPECT_EQ(rankers_[1], "cuda:8");
  EXPECT_EQ(rankers_[2], "cuda:16");
  EXPECT_EQ(rankers_[3], "cuda:0");
  const Database database(database_, OpenMode::kReadOnly);
  std::map<std::string, std::size_t> rankings;
  std::map<std::string, std::string> ids;
  for (const auto& [id, device] : database.devices()) ids[device.fingerprint] = device.id;
  for (const Database::RankingRow& row : database.rankings({}))
    ++rankings[ids[row.device_fingerprint]];
  EXPECT_THAT(rankings, SizeIs(3));
  EXPECT_EQ(rankings["cuda:8"], 3u);
}

TEST_F(ManyGpus, ASweepThatGoesOnAsksNobodyAgain) {
  (void)sweep_of_many();
  const SweepSummary again = sweep(20, 9);
  EXPECT_EQ(again.resumed, 9u * 4);
  EXPECT_EQ(figures_.gpu_trials_s, 0);
}

// Searches of three boards of 32 configurations with 10 trials each.
class VisitedTwice : public SimulatedSweep {
 protected:
  void SetUp() override {
    SimulatedSweep::SetUp();
    options_.strategy = "auto";
    options_.budget = parse_budget("10");
    options_.rank = true;
    std::string sizes;
    for (int n = 1; n <= 3; ++n) {
      sizes += (n > 1 ? ", {n: " : "{n: ") + std::to_string(n) + "}";
      for (int threads = 32; threads <= 256; threads += 32) {
        for (int each : {1, 2, 4, 8}) {
          RecordedTrial trial;
          trial.device_seconds = 1;
          TimeEstimate& time = trial.outcome.time.emplace();
          // Good configurations are good on all boards.
          time.median_us = 10 + std::abs(threads - 192) / 16.0 + std::abs(each - 4) + n;
          time.ci_low_us = time.ci_high_us = time.median_us;
          time.protocol = "simulated";
          recorded_.add(
              "n=" + std::to_string(n),
              "plain PER_THREAD=" + std::to_string(each) + " THREADS=" + std::to_string(threads),
              trial);
        }
      }
      recorded_.set_input_seconds("n=" + std::to_string(n), 100);
    }
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [" + sizes +
                   "]\nspace:\n  THREADS: [32, 64, 96, 128, 160, 192, 224, 256]\n"
                   "  PER_THREAD: [1, 2, 4, 8]\n");
  }
  // Returns the boards in the order of their trials, each visit with its number of trials.
  std::vector<std::pair<std::string, int>> visits() const {
    std::map<RowId, std::string> order;
    for (const Database::TrialRow& row : stored()) order[row.trial.id] = row.trial.problem_text;
    std::vector<std::pair<std::string, int>> visits;
    for (const auto& [id, problem] : order) {
      if (visits.empty() || visits.back().first != problem) visits.emplace_back(problem, 0);
      ++visits.back().second;
    }
    return visits;
  }
};

TEST_F(VisitedTwice, TheLastBoardFirstAndRankedAfterTheSecondVisit) {
  const SweepSummary summary = sweep(1);
  EXPECT_EQ(summary.trials, 30u);
  EXPECT_EQ(summary.rankings, 3u);
  EXPECT_EQ(summary.ended, RunEnd::kBudget);
  using Visit = std::pair<std::string, int>;
  EXPECT_THAT(visits(), ::testing::ElementsAre(Visit("n=1", 6), Visit("n=2", 6), Visit("n=3", 10),
                                               Visit("n=2", 4), Visit("n=1", 4)));
  for (const SearchCourse& course : summary.searches) {
    EXPECT_EQ(course.answered, 10u);
    EXPECT_EQ(course.asked.count("other boards"), 1u) << course.problem_text;
  }
  const Database database(database_, OpenMode::kReadOnly);
  for (const Database::RankingRow& row : database.rankings({}))
    EXPECT_GE(row.ranking.last_trial, 22) << "board n=3 has 22 before its last";
}

// The sweep takes 5 times 100 s for inputs, 30 trials, and rankings of less than a minute each,
// although the boards were begun long before.
TEST_F(VisitedTwice, ASecondVisitCostsInputsAndNoLongerRanking) {
  const SweepSummary summary = sweep(1);
  EXPECT_GE(summary.wall_seconds, 5 * 100 + 30);
  EXPECT_LE(summary.wall_seconds, 5 * 100 + 30 + 3 * 60);
}

TEST_F(VisitedTwice, WhatWasKilledInEitherVisitGoesOnAndIsNotRepeated) {
  EXPECT_EQ(sweep(1).trials, 30u);
  for (const int kept : {25, 9}) {
    {
      Connection connection(database_, Connection::Access::kCreate, 1000, "x.db");
      connection.execute("DELETE FROM ranking_entry; DELETE FROM ranking");
      connection.execute("DELETE FROM sample WHERE trial_id > " + std::to_string(kept));
      connection.execute("DELETE FROM trial WHERE id > " + std::to_string(kept));
    }
    const SweepSummary again = sweep(1);
    EXPECT_EQ(again.trials, 30u);
    EXPECT_EQ(again.rankings, 3u);
    EXPECT_GT(again.resumed, 0u) << kept;
    std::map<std::pair<std::string, std::string>, std::size_t> found;
    Database::TrialFilter all;
    all.newest_per_key = false;
    for (const Database::TrialRow& row : Database(database_, OpenMode::kReadOnly).trials(all))
      EXPECT_EQ((++found[{row.trial.problem_text, row.trial.configuration_text}]), 1u);
    EXPECT_EQ(found.size(), kept + again.trials - again.resumed);
  }
}

TEST_F(VisitedTwice, SeveralGpusShareBothVisits) {
  const SweepSummary summary = sweep(3);
  EXPECT_EQ(summary.trials, 30u);
  EXPECT_EQ(summary.rankings, 3u);
  for (const SearchCourse& course : summary.searches) EXPECT_EQ(course.answered, 10u);
}

}  // namespace
}  // namespace warpwright::testing
