// Stored times that no device can reach are on no board, whichever program stored them.
#include "analysis/board/impossible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/board/leaderboard.h"
#include "analysis/insight/run_history.h"
#include "analysis/sample_rows.h"
#include "store/sample_records.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::DatabaseTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RowMaker;
using testing::set_text;

constexpr const char* kReason =
    "8.3 µs would be 32342 GB/s (24762 GB/s without what L2 can hold), but this GPU moves at most "
    "4572 GB/s (measured: read): either the contract counts too much work (`work.bytes` is "
    "268435456), or the launch does less than it should";

class ImpossibleTest : public ::testing::Test {
 protected:
  ImpossibleTest() {
    make_.work_bytes = 268435456;
    make_.half_width_us = 0.1;
    Peaks peaks;
    peaks.l2_bytes = 62914560;
    peaks.memory = Peak{4572, 1.05 * 4572, "measured: read"};
    peaks_["fingerprint of cuda:0580.159.04"] = peaks;
    rows_ = {make_.ok("a", "", 8.3), make_.ok("b", "", 60), make_.ok("c", "", 61)};
  }
  [[nodiscard]] Leaderboard board(const std::vector<Database::RankingRow>& rankings = {}) const {
    return make_leaderboards(rows_, rankings, {}, peaks_).at(0);
  }
  static std::vector<std::string> ranked(const Leaderboard& board) {
    std::vector<std::string> texts;
    for (const LeaderboardEntry& entry : board.entries)
      texts.push_back(entry.row.trial.configuration_text);
    return texts;
  }

  RowMaker make_;
  PeaksByDevice peaks_;
  std::vector<Database::TrialRow> rows_;
};

TEST_F(ImpossibleTest, ATimeBeyondThePeakIsAFailureAndNoEntry) {
  const Leaderboard judged = board();
  EXPECT_THAT(ranked(judged), ElementsAre("b", "c"));
  EXPECT_EQ(judged.trials, 3U);
  ASSERT_EQ(judged.failures.size(), 1U);
  EXPECT_EQ(judged.failures[0].status, Status::kImpossible);
  EXPECT_EQ(judged.failures[0].example, kReason);
  EXPECT_EQ(judged.failures[0].cause,
            "… µs would be … GB/s (… GB/s without what L2 can hold), but this GPU moves at most … "
            "GB/s (measured: read): either the contract counts too much work…");
  ASSERT_EQ(judged.untimed.size(), 1U);
  EXPECT_EQ(judged.untimed[0].trial.median_us, 8.3) << "as it was measured";
  EXPECT_EQ(rows_[0].trial.status, Status::kOk) << "what is stored stays as it is";
}

TEST_F(ImpossibleTest, WithoutPeaksOfTheDeviceItStands) {
  peaks_ = {{"another", peaks_.begin()->second}};
  EXPECT_THAT(ranked(board()), ElementsAre("a", "b", "c"));
}

TEST_F(ImpossibleTest, WhatIsStoredAsImpossibleStaysSo) {
  peaks_.clear();
  rows_[0].trial.status = Status::kImpossible;
  rows_[0].trial.reason = "as it was then";
  const Leaderboard judged = board();
  EXPECT_THAT(ranked(judged), ElementsAre("b", "c"));
  EXPECT_EQ(judged.failures.at(0).example, "as it was then");
}

TEST_F(ImpossibleTest, TheKernelsThatMeasureCeilingsAreNotJudged) {
  make_.kernel = "harness_bandwidth";
  rows_ = {make_.ok("sum", "", 8.3)};
  EXPECT_THAT(ranked(board()), ElementsAre("sum"));
}

TEST_F(ImpossibleTest, ABoardOfNothingElseHasNoEntries) {
  rows_.resize(1);
  EXPECT_THAT(ranked(board()), IsEmpty());
  EXPECT_EQ(board().failures.size(), 1U);
}

TEST_F(ImpossibleTest, AnImpossibleFinalistEndsTheRanking) {
  const Leaderboard judged = board({make_.ranking({rows_[1], rows_[0]}, 59, 1)});
  EXPECT_FALSE(judged.ranking.has_value());
  EXPECT_EQ(judged.lapsed_ranking, "1 of its 2 finalists is not among the trials that count here");
}

TEST_F(ImpossibleTest, SoDoesAnImpossibleTimeInItsRounds) {
  const auto ranking = make_.ranking({rows_[1], rows_[2]}, 8.3, 1);
  EXPECT_EQ(board({ranking}).lapsed_ranking,
            std::string("its time of b is impossible: ") + kReason);
  EXPECT_EQ(board({ranking}).entries[0].median_us, 60);
  EXPECT_TRUE(make_leaderboards(rows_, {make_.ranking({rows_[1], rows_[2]}, 59, 1)}, {}, peaks_)
                  .at(0)
                  .ranking.has_value());
}

TEST_F(ImpossibleTest, SoDoesAnImpossibleHeadline) {
  auto ranking = make_.ranking({rows_[1], rows_[2]}, 59, 1);
  set_text(ranking.ranking.headline, R"({"cold": {"median_us": 8.3, "protocol": "cold-graph-2"}})");
  EXPECT_EQ(board({ranking}).lapsed_ranking,
            std::string("its time of b is impossible: ") + kReason);
}

TEST_F(ImpossibleTest, RowsForOthersAreMarked) {
  mark_impossible(rows_, peaks_);
  EXPECT_EQ(rows_[0].trial.status, Status::kImpossible);
  EXPECT_EQ(rows_[0].trial.reason, kReason);
  EXPECT_EQ(rows_[1].trial.status, Status::kOk);
}

TEST_F(ImpossibleTest, NoRunHasReachedIt) {
  for (Database::TrialRow& row : rows_) row.trial.run = 7;
  const auto best_of = [&](const PeaksByDevice& peaks) {
    return RunHistories(rows_, {}, peaks).of(board()).at(0).median_us;
  };
  EXPECT_EQ(best_of({}), 8.3);
  EXPECT_EQ(best_of(peaks_), 60);
  const auto ranking = make_.ranking({rows_[1], rows_[2]}, 8.3, 1);
  EXPECT_EQ(RunHistories(rows_, {ranking}, peaks_).of(board()).at(0).median_us, 60);
}

TEST_F(DatabaseTest, PeaksAreReadByFingerprint) {
  Database database = open();
  put_basics(database);
  DeviceRecord other = testing::sample_device();
  other.fingerprint = "other";
  set_text(other.details, R"({"l2_bytes":1000})");
  const RowId id = database.put_device(other);
  database.add_ceiling({id, "read", 4300, "GB/s", {}, {}, "cold-graph-1", ""});
  database.add_ceiling({id, "read", 4400, "GB/s", {}, {}, "cold-graph-1", ""});
  const PeaksByDevice peaks = read_peaks(database);
  ASSERT_EQ(peaks.size(), 2U);
  EXPECT_EQ(peaks.at("other").memory->rate, 4400);
  EXPECT_FALSE(peaks.at(testing::sample_device().fingerprint).memory.has_value());
}

}  // namespace
}  // namespace warpwright
