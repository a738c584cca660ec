// Tests when a final ranking orders a board, and when it lapses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/board/leaderboard.h"
#include "analysis/sample_rows.h"
#include "core/error.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using ::testing::ElementsAre;
using testing::RowMaker;

class ApplyRankingTest : public ::testing::Test {
 protected:
  // The screening orders a, b, c, d; in the rounds, c wins.
  ApplyRankingTest()
      : rows_{make_.ok("a", "", 100), make_.ok("b", "", 100.5), make_.ok("c", "", 100.9),
              make_.ok("d", "", 150)},
        ranking_(make_.ranking({rows_[2], rows_[0], rows_[1]}, 99, 2)) {}

  [[nodiscard]] Leaderboard board() const {
    const auto boards = make_leaderboards(rows_, {ranking_});
    EXPECT_EQ(boards.size(), 1U);
    return boards.empty() ? Leaderboard{} : boards.front();
  }
  [[nodiscard]] std::vector<std::string> order() const {
    std::vector<std::string> texts;
    for (const auto& entry : board().entries) texts.push_back(entry.row.trial.configuration_text);
    return texts;
  }

  RowMaker make_;
  std::vector<Database::TrialRow> rows_;
  Database::RankingRow ranking_;
};

TEST_F(ApplyRankingTest, FinalistsComeFirstInTheirPlaces) {
  EXPECT_THAT(order(), ElementsAre("c", "a", "b", "d"));
  EXPECT_EQ(board().entries[3].rank, 4);
}

TEST_F(ApplyRankingTest, FinalistsHaveTheTimesOfTheRounds) {
  const Leaderboard ranked = board();
  EXPECT_EQ(ranked.entries[0].median_us, 99);
  EXPECT_EQ(ranked.entries[0].ci_high_us, 99.2);
  EXPECT_EQ(*ranked.entries[0].row.trial.median_us, 100.9);
  EXPECT_EQ(ranked.entries[3].median_us, 150);
  EXPECT_DOUBLE_EQ(ranked.entries[3].speed_vs_best, 99.0 / 150);
  EXPECT_DOUBLE_EQ(*ranked.entries[0].gigabytes_per_second, 1647476736 / 99.0 / 1e3);
}

TEST_F(ApplyRankingTest, TiesAreThoseOfTheTestsNotOfTheIntervals) {
  // The intervals of all three finalists overlap, but the tests separated the third.
  std::vector<bool> tied;
  for (const auto& entry : board().entries) tied.push_back(entry.tied_with_best);
  EXPECT_THAT(tied, ElementsAre(true, true, false, false));
}

TEST_F(ApplyRankingTest, WhatWasOnlyScreenedIsNoFinalist) {
  const Leaderboard ranked = board();
  EXPECT_TRUE(ranked.entries[2].finalist.has_value());
  EXPECT_FALSE(ranked.entries[3].finalist.has_value());
  EXPECT_EQ(ranked.ranking->rounds, 46);
}

TEST_F(ApplyRankingTest, TheSlowestVariantIsFoundBehindThePlaces) {
  EXPECT_DOUBLE_EQ(board().entries[0].speedup_over_slowest_variant_best, 150.0 / 99);
}

TEST_F(ApplyRankingTest, AFinalistMeasuredAgainEndsIt) {
  rows_.push_back(make_.ok("a", "", 101));
  const Leaderboard lapsed = board();
  EXPECT_FALSE(lapsed.ranking.has_value());
  EXPECT_EQ(lapsed.lapsed_ranking, "1 of its 3 finalists is not among the trials that count here");
  EXPECT_THAT(order(), ElementsAre("b", "c", "a", "d"));
  EXPECT_EQ(lapsed.entries[0].median_us, 100.5);
}

TEST_F(ApplyRankingTest, AFinalistThatProvedWrongEndsIt) {
  rows_.push_back(make_.failed("b", "", Status::kWrongResult, "wrong"));
  EXPECT_FALSE(board().ranking.has_value());
}

TEST_F(ApplyRankingTest, ANewerTrialThatMayBeFasterEndsIt) {
  rows_.push_back(
      make_.ok("e", "", 99.5));  // its interval begins at 99.1, the winner's ends at 99.2
  EXPECT_EQ(board().lapsed_ranking, "e was measured since (trial 5) and may be faster");
  EXPECT_THAT(order(), ElementsAre("e", "a", "b", "c", "d"));
}

TEST_F(ApplyRankingTest, ANewerTrialThatIsClearlySlowerDoesNot) {
  rows_.push_back(make_.ok("e", "", 99.7));
  EXPECT_EQ(board().lapsed_ranking, "");
  EXPECT_THAT(order(), ElementsAre("c", "a", "b", "e", "d"));
}

TEST_F(ApplyRankingTest, ANewerTwinOfAFinalistDoesNot) {
  rows_.push_back(make_.ok("e", "", 99));
  rows_.back().trial.same_as = rows_[0].trial.id;
  EXPECT_TRUE(board().ranking.has_value());
}

TEST_F(ApplyRankingTest, AnOlderTrialThatWasNotChosenDoesNot) {
  ranking_ = make_.ranking({rows_[2]}, 101, 1);
  EXPECT_TRUE(board().ranking.has_value());
  EXPECT_THAT(order(), ElementsAre("c", "a", "b", "d"));
}

// A narrower sweep ranks only the values that it has.
TEST_F(ApplyRankingTest, AnOlderTrialThatItsSweepCouldNotChooseEndsIt) {
  rows_ = {make_.ok("a", "", 100), make_.ok("b", "", 101), make_.ok("fast", "", 70)};
  ranking_ = make_.ranking({rows_[0], rows_[1]}, 99, 1);
  ranking_.ranking.last_trial = rows_[2].trial.id;
  EXPECT_EQ(board().lapsed_ranking, "fast (trial 7) was not among its candidates and is faster");
  EXPECT_THAT(order(), ElementsAre("fast", "a", "b"));
}

TEST_F(ApplyRankingTest, AnOlderTrialAtAFasterClockDoesNot) {
  rows_.push_back(make_.ok("e", "", 92));
  ranking_.ranking.last_trial = rows_.back().trial.id;
  EXPECT_EQ(board().lapsed_ranking, "");
  EXPECT_THAT(order(), ElementsAre("c", "a", "b", "e", "d"));
}

TEST_F(ApplyRankingTest, ARankingOfAnotherBoardChangesNothing) {
  ranking_.ranking.problem_text = "rows=1";
  EXPECT_THAT(order(), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(board().lapsed_ranking, "");
}

TEST_F(ApplyRankingTest, TheHeadlineIsRead) {
  set_text(ranking_.ranking.headline, R"({
    "cold": {"median_us": 98.5, "ci_low_us": 98, "ci_high_us": 99, "floor_us": 3.2,
             "raw_median_us": 101.7, "protocol": "cold-graph-2"},
    "hot": {"median_us": 90, "ci_low_us": 89, "ci_high_us": 91, "sets": 3, "l2_resident": false},
    "slope": {"us": 89.5, "empty_us": 1.1}, "end_to_end": {"cached_us": 104, "uncached_us": null},
    "energy_mj_per_launch": null, "power_w": 566, "sm_clock_mhz": 1965})");
  const Headline headline = board().headline;
  EXPECT_EQ(headline.cold->raw_median_us, 101.7);
  EXPECT_EQ(headline.cold->protocol, "cold-graph-2");
  EXPECT_EQ(headline.hot->sets, 3);
  EXPECT_EQ(headline.slope->empty_us, 1.1);
  EXPECT_EQ(headline.end_to_end->cached_us, 104);
  EXPECT_EQ(headline.end_to_end->uncached_us, std::nullopt);
  EXPECT_EQ(headline.energy_mj_per_launch, std::nullopt);
  EXPECT_EQ(headline.sm_clock_mhz, 1965);
}

TEST_F(ApplyRankingTest, AHeadlineWithoutPartsIsEmpty) {
  set_text(ranking_.ranking.headline, R"({"cold": null, "hot": {}, "slope": {"us": null}})");
  const Headline headline = board().headline;
  EXPECT_FALSE(headline.cold || headline.hot || headline.slope || headline.end_to_end);
}

TEST_F(ApplyRankingTest, ADamagedHeadlineSaysSo) {
  set_text(ranking_.ranking.headline, "[1", {"ranking", 1, "headline"});
  try {
    static_cast<void>(board());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "ranking 1: its headline is not JSON: [1; measure it again with --fresh");
  }
}

}  // namespace
}  // namespace warpwright
