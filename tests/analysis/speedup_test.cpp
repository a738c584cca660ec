#include <gtest/gtest.h>

#include "analysis/board/leaderboard.h"
#include "analysis/sample_rows.h"

namespace warpwright {
namespace {

using testing::RowMaker;
using Rows = std::vector<Database::TrialRow>;

class SpeedupTest : public ::testing::Test {
 protected:
  // threshold's default is CHUNK=8, naive is the baseline.
  Database::TrialRow ok(const std::string& variant, const std::string& parameters, double us) {
    return known(make_.ok(variant, parameters, us));
  }
  Database::TrialRow pruned(const std::string& variant, const std::string& parameters, double us) {
    Database::TrialRow row = known(make_.failed(variant, parameters, Status::kPruned, "slower"));
    row.trial.at_least_us = us;
    return row;
  }
  static Database::TrialRow known(Database::TrialRow row) {
    row.default_configuration = row.trial.variant + " CHUNK=8";
    row.baseline = row.trial.variant == "naive";
    return row;
  }
  static Leaderboard board(const Rows& rows,
                           const std::vector<Database::RankingRow>& rankings = {}) {
    return make_leaderboards(rows, rankings).at(0);
  }
  RowMaker make_;
};

TEST_F(SpeedupTest, OverTheDefaultOfTheWinnersVariant) {
  const Leaderboard found = board({ok("threshold", "CHUNK=4", 100), ok("threshold", "CHUNK=8", 150),
                                   ok("other", "CHUNK=8", 110)});
  ASSERT_TRUE(found.over_default.has_value());
  EXPECT_DOUBLE_EQ(found.over_default->factor, 1.5);
  EXPECT_FALSE(found.over_default->at_least);
  EXPECT_EQ(found.over_default->configuration, "threshold CHUNK=8");
  EXPECT_EQ(found.over_default->trial, 2);
}

TEST_F(SpeedupTest, TheDefaultItselfMayWin) {
  EXPECT_EQ(board({ok("threshold", "CHUNK=8", 100)}).over_default->factor, 1);
}

TEST_F(SpeedupTest, APrunedDefaultGivesABound) {
  const Leaderboard found =
      board({ok("threshold", "CHUNK=4", 100), pruned("threshold", "CHUNK=8", 130)});
  EXPECT_DOUBLE_EQ(found.over_default->factor, 1.3);
  EXPECT_TRUE(found.over_default->at_least);
}

TEST_F(SpeedupTest, ADefaultThatWasNotTriedOrFailedGivesNone) {
  EXPECT_EQ(board({ok("threshold", "CHUNK=4", 100)}).over_default, std::nullopt);
  Rows rows = {ok("threshold", "CHUNK=4", 100),
               known(make_.failed("threshold", "CHUNK=8", Status::kWrongResult, "wrong"))};
  EXPECT_EQ(board(rows).over_default, std::nullopt);
}

TEST_F(SpeedupTest, WithoutKnownDefaultsThereIsNone) {
  EXPECT_EQ(board({make_.ok("threshold", "CHUNK=8", 100)}).over_default, std::nullopt);
  EXPECT_EQ(board({make_.ok("threshold", "CHUNK=8", 100)}).over_baseline, std::nullopt);
}

TEST_F(SpeedupTest, OverTheBestOfTheBaseline) {
  const Leaderboard found = board(
      {ok("threshold", "CHUNK=4", 100), ok("naive", "CHUNK=8", 500), ok("naive", "CHUNK=4", 400)});
  EXPECT_DOUBLE_EQ(found.over_baseline->factor, 4);
  EXPECT_EQ(found.over_baseline->configuration, "naive CHUNK=4");
  EXPECT_FALSE(found.over_baseline->at_least);
}

TEST_F(SpeedupTest, APrunedBaselineThatMightBeItsBestMakesABound) {
  const Leaderboard found =
      board({ok("threshold", "CHUNK=4", 100), ok("naive", "CHUNK=8", 500),
             pruned("naive", "CHUNK=4", 300), pruned("naive", "CHUNK=2", 350)});
  EXPECT_DOUBLE_EQ(found.over_baseline->factor, 3);
  EXPECT_TRUE(found.over_baseline->at_least);
  EXPECT_EQ(found.over_baseline->configuration, "naive CHUNK=4");
  const Leaderboard certain = board({ok("threshold", "CHUNK=4", 100), ok("naive", "CHUNK=8", 500),
                                     pruned("naive", "CHUNK=4", 600)});
  EXPECT_DOUBLE_EQ(certain.over_baseline->factor, 5);
  EXPECT_FALSE(certain.over_baseline->at_least);
}

TEST_F(SpeedupTest, ABaselineThatNeverPassedGivesNone) {
  const Rows rows = {ok("threshold", "CHUNK=4", 100),
                     known(make_.failed("naive", "CHUNK=4", Status::kCrashed, "signal 11"))};
  EXPECT_EQ(board(rows).over_baseline, std::nullopt);
}

TEST_F(SpeedupTest, ABoardOfFailuresHasNeither) {
  const Leaderboard found = board({known(make_.failed("naive", "", Status::kCrashed, "x"))});
  EXPECT_EQ(found.over_default, std::nullopt);
  EXPECT_EQ(found.over_baseline, std::nullopt);
}

TEST_F(SpeedupTest, TheFinalRankingDecidesWhoIsTheBest) {
  const Rows rows = {ok("threshold", "CHUNK=8", 100), ok("threshold", "CHUNK=4", 101)};
  const Leaderboard found = board(rows, {make_.ranking({rows[1], rows[0]}, 99, 1)});
  EXPECT_EQ(found.entries.front().row.trial.configuration_text, "threshold CHUNK=4");
  EXPECT_DOUBLE_EQ(found.over_default->factor, 99.1 / 99);
}

TEST_F(SpeedupTest, ATimeOfZeroComparesWithNothing) {
  EXPECT_EQ(board({ok("threshold", "CHUNK=8", 0)}).over_default, std::nullopt);
}

}  // namespace
}  // namespace warpwright
