// Tests that the views that people query rank as make_leaderboards() does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <string>

#include "analysis/board/leaderboard.h"
#include "store/sample_records.h"
#include "store/sqlite.h"

namespace warpwright {
namespace {

using testing::DatabaseTest;
using testing::sample_device;
using testing::sample_kernel;
using testing::sample_run;
using testing::sample_trial;

// One line per ranked entry.
using Lines = std::set<std::string>;

class ViewsTest : public DatabaseTest {
 protected:
  Lines from_view() const {
    Connection connection(path_, Connection::Access::kRead, 0, "x.db");
    Statement select(
        connection,
        "SELECT device_selector || ' ' || problem || ' ' || protocol || ' ' || rank || "
        "' ' || tied_with_best || ' ' || configuration || ' ' || trial || ' ' || "
        "median_us || ' ' || (place IS NOT NULL) FROM v_leaderboard");
    Lines lines;
    while (select.step()) lines.insert(select.next_text());
    return lines;
  }
  Lines from_analysis() const {
    Lines lines;
    const Database database = open(OpenMode::kReadOnly);
    for (const Leaderboard& board : make_leaderboards(database.trials({}), database.rankings({}))) {
      for (const LeaderboardEntry& entry : board.entries) {
        const TrialRecord& trial = entry.row.trial;
        lines.insert(board.device_id + " " + board.problem_text + " " + board.protocol + " " +
                     std::to_string(entry.rank) + " " + (entry.tied_with_best ? "1 " : "0 ") +
                     trial.configuration_text + " " + std::to_string(trial.id) +
                     fmt::format(" {:.1f} {}", entry.median_us, entry.finalist ? 1 : 0));
      }
    }
    return lines;
  }
};

TEST_F(ViewsTest, LeaderboardViewAgreesOnRandomHistories) {
  std::mt19937 random(3);
  const auto pick = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  for (int round = 0; round < 20; ++round) {
    std::filesystem::remove(path_);
    Database database = open();
    std::array<RowId, 2> devices{};
    for (int i = 0; i < 2; ++i) {
      DeviceRecord device = sample_device();
      device.fingerprint += std::to_string(i);
      device.id = i == 0 ? "cuda:0" : "emu:sm_90a";
      device.has_clock = i == 0;
      devices[static_cast<std::size_t>(i)] = database.put_device(device);
    }
    const RowId run = database.start_run(sample_run());
    database.batch([&] {
      for (int i = 0; i < 60; ++i) {
        const int device = pick(2);
        TrialRecord trial = sample_trial(run, 1, devices[static_cast<std::size_t>(device)]);
        trial.variant = pick(2) == 0 ? "naive" : "threshold";
        trial.kernel = database.put_kernel(sample_kernel(trial.variant + std::to_string(pick(2))));
        trial.key = "key-" + std::to_string(pick(80));
        trial.problem_text = pick(3) == 0 ? "rows=1" : "rows=8192";
        trial.configuration_text = trial.variant + " T=" + std::to_string(pick(5));
        trial.modelled = device == 1;
        trial.median_us = 100 + pick(5);
        trial.ci_low_us = *trial.median_us - 1.5;
        trial.ci_high_us = *trial.median_us + 1.5;
        trial.protocol = pick(4) == 0 ? "hot-events-1" : "cold-events-1";
        if (const int fate = pick(10); fate < 5) {
          constexpr std::array kFates = {Status::kWrongResult, Status::kCompileFailed,
                                         Status::kTimeout, Status::kPruned, Status::kNoisy};
          trial.status = kFates[static_cast<std::size_t>(fate)];
          trial.median_us = trial.ci_low_us = trial.ci_high_us = std::nullopt;
          trial.protocol = pick(2) == 0 ? "" : trial.protocol;
        }
        database.add_trial(trial);
      }
    });
    EXPECT_EQ(from_view(), from_analysis()) << "round " << round;
    EXPECT_FALSE(from_view().empty());
  }
}

// Rows of every status, times that are not times, bounds that are missing, ties, and trials that
// settle nothing after others that do.
TEST_F(ViewsTest, LeaderboardViewAgreesOnOddRows) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  std::mt19937 random(17);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const auto odd = [&]() -> std::optional<double> {
    const std::array<std::optional<double>, 5> values = {std::nullopt, kNoNumber, kInfinite, 0, -1};
    return values[pick(values.size())];
  };
  std::set<Status> seen;
  std::size_t ties = 0, unusable = 0;
  for (int round = 0; round < 20; ++round) {
    std::filesystem::remove(path_);
    Database database = open();
    std::array<RowId, 2> devices{};
    for (std::size_t i = 0; i < 2; ++i) {
      DeviceRecord device = sample_device();
      device.fingerprint += std::to_string(i);
      device.id = i == 0 ? "cuda:0" : "emu:sm_90a";
      device.has_clock = i == 0;
      devices[i] = database.put_device(device);
    }
    const RowId run = database.start_run(sample_run());
    const RowId kernel = database.put_kernel(sample_kernel("threshold"));
    database.batch([&] {
      for (int i = 0; i < 80; ++i) {
        const std::size_t device = pick(2);
        TrialRecord trial = sample_trial(run, kernel, devices[device]);
        trial.configuration_text = "threshold T=" + std::to_string(pick(20));
        // Two seeds of each configuration.
        trial.key = trial.configuration_text + std::to_string(pick(2)) + std::to_string(device);
        trial.modelled = device == 1;
        trial.median_us = 100 + static_cast<double>(pick(4));
        trial.ci_low_us = pick(5) == 0 ? odd() : *trial.median_us - 1;
        trial.ci_high_us = pick(5) == 0 ? odd() : *trial.median_us + 1;
        if (pick(3) == 0) {
          trial.status = all_statuses()[pick(all_statuses().size())];
          if (trial.status != Status::kOk) trial.median_us = std::nullopt;
        } else if (pick(6) == 0) {
          trial.median_us = odd();
          ++unusable;
        }
        seen.insert(trial.status);
        database.add_trial(trial);
      }
    });
    EXPECT_EQ(from_view(), from_analysis()) << "round " << round;
    for (const Leaderboard& board : make_leaderboards(database.trials({})))
      ties += board.entries.size() > 1 && board.entries[1].tied_with_best;
  }
  EXPECT_EQ(seen.size(), all_statuses().size());
  EXPECT_GT(ties, 10U);
  EXPECT_GT(unusable, 50U);
}

TEST_F(ViewsTest, ATrialThatWasNotCompiledHidesNoEarlierOne) {
  make_database();
  Database database = open();
  TrialRecord trial = sample_trial();
  trial.key = "of another seed";
  trial.status = Status::kNotCompiled;
  trial.median_us = std::nullopt;
  database.add_trial(trial);
  EXPECT_EQ(from_view().size(), 1U);
  EXPECT_EQ(from_view(), from_analysis());
}

TEST_F(ViewsTest, LeaderboardViewAgreesWhereANarrowerSweepWasRanked) {
  for (const double us : {70.0, 89.9, 90.0, 95.0}) {
    std::filesystem::remove(path_);
    Database database = open();
    put_basics(database);
    std::vector<RowId> trials;
    for (const double median_us : {us, 100.0, 101.0}) {
      TrialRecord trial = sample_trial();
      trial.configuration_text = "threshold T=" + std::to_string(trials.size());
      trial.key = trial.configuration_text;
      trial.median_us = trial.ci_low_us = trial.ci_high_us = median_us;
      trials.push_back(database.add_trial(trial));
    }
    RankingRecord ranking = testing::sample_ranking({trials[1], trials[2]});
    ranking.problem_text = sample_trial().problem_text;
    database.add_ranking(ranking);
    EXPECT_EQ(from_view(), from_analysis()) << us;
    const auto boards = make_leaderboards(database.trials({}), database.rankings({}));
    EXPECT_EQ(boards.front().ranking.has_value(), us >= 90) << us;
  }
}

// Boards whose rankings still apply, have lost a finalist, or were followed by a newer trial: a few
// trials follow each ranking.
TEST_F(ViewsTest, LeaderboardViewAgreesOnRandomRankings) {
  std::mt19937 random(11);
  const auto pick = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  int applied = 0;
  int lapsed = 0;
  for (int round = 0; round < 30; ++round) {
    std::filesystem::remove(path_);
    Database database = open();
    put_basics(database);
    const auto add_trials = [&](int count) {
      for (int i = 0; i < count; ++i) {
        TrialRecord trial = sample_trial();
        trial.configuration_text = "threshold T=" + std::to_string(pick(8));
        trial.key = trial.configuration_text + std::to_string(pick(2));
        trial.problem_text = pick(4) == 0 ? "rows=1" : "rows=8192";
        trial.median_us = 100 + pick(8);
        trial.ci_low_us = *trial.median_us - 0.5;
        trial.ci_high_us = *trial.median_us + 0.5;
        const int fate = pick(8);
        trial.status = fate == 0   ? Status::kWrongResult
                       : fate == 1 ? Status::kPruned
                       : fate == 2 ? Status::kNoisy
                                   : Status::kOk;
        if (fate < 3) trial.median_us = trial.ci_low_us = trial.ci_high_us = std::nullopt;
        if (pick(6) == 0 && database.trial_count() > 0)
          trial.same_as = 1 + pick(static_cast<int>(database.trial_count()));
        database.add_trial(trial);
      }
    };
    const auto rank_some = [&] {
      for (const Leaderboard& board : make_leaderboards(database.trials({}))) {
        std::vector<RowId> finalists;
        for (const LeaderboardEntry& entry : board.entries) {
          if (finalists.size() < 3) finalists.push_back(entry.row.trial.id);
        }
        if (finalists.empty()) continue;
        std::shuffle(finalists.begin(), finalists.end(), random);
        RankingRecord ranking = testing::sample_ranking(finalists);
        ranking.problem_text = board.problem_text;
        for (RankingEntryRecord& entry : ranking.entries) {
          entry.tied = pick(2) == 0;
          entry.median_us = 99 + pick(5);
          entry.ci_high_us = entry.median_us + pick(3);
        }
        database.add_ranking(ranking);
      }
    };
    database.batch([&] {
      add_trials(12);
      rank_some();
      add_trials(pick(3));
      if (pick(2) == 0) rank_some();
      add_trials(pick(3));
    });
    EXPECT_EQ(from_view(), from_analysis()) << "round " << round;
    for (const Leaderboard& board : make_leaderboards(database.trials({}), database.rankings({}))) {
      applied += board.ranking.has_value();
      lapsed += !board.lapsed_ranking.empty();
    }
  }
  EXPECT_GT(applied, 10);
  EXPECT_GT(lapsed, 10);
}

TEST_F(ViewsTest, ARankedBoardShowsItsRoundsAndItsRates) {
  make_database();
  Database database = open();
  database.add_ranking(testing::sample_ranking({1}));
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text("SELECT printf('%.1f us place %d, %.1f GB/s', median_us, place, "
                                  "gb_per_s) FROM v_leaderboard"),
            "371.5 us place 1, 4434.7 GB/s");
  EXPECT_EQ(connection.query_text("SELECT winner_configuration || ' ' || rounds || ' ' || "
                                  "finalists || ' ' || tied FROM v_ranking"),
            "threshold THREADS=512 46 1 1");
}

TEST_F(ViewsTest, PrunedAndNoisyTrialsAreNoFailures) {
  make_database();
  Database database = open();
  for (const Status status :
       {Status::kPruned, Status::kNoisy, Status::kTimeout, Status::kImpossible}) {
    TrialRecord trial = sample_trial();
    trial.key = std::string(status_name(status));
    trial.status = status;
    database.add_trial(trial);
  }
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text("SELECT group_concat(status) FROM v_failure"),
            "impossible,timeout");
}

TEST_F(ViewsTest, RatesAndSpeedsAreThere) {
  make_database();
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(
      connection.query_text("SELECT printf('%.1f GB/s %.1f GFLOP/s %.2fx', gb_per_s, gflop_per_s, "
                            "speed_vs_best) FROM v_leaderboard"),
      "4427.5 GB/s 5532.8 GFLOP/s 1.00x");
}

TEST_F(ViewsTest, CeilingViewGivesTheNewest) {
  make_database();
  Database database = open();
  database.add_ceiling({1, "read", 4400, "GB/s", {}, {}, "cold-events-1", "2026-03-01T12:00:00Z"});
  database.add_ceiling({1, "read", 4430, "GB/s", {}, {}, "cold-events-1", "2026-03-02T12:00:00Z"});
  Connection connection(path_, Connection::Access::kRead, 0, "x.db");
  EXPECT_EQ(connection.query_text("SELECT group_concat(device || ' ' || ceiling || ' ' || value) "
                                  "FROM v_ceiling"),
            "NVIDIA H200 read 4430.0");
}

}  // namespace
}  // namespace warpwright
