// Leaderboards and comparisons on terminals of all widths.
#include <gmock/gmock.h>

#include "analysis/board/board_ranking.h"
#include "output/sample_boards.h"
#include "output/sample_comparisons.h"
#include "output/text/comparison_text.h"
#include "output/text/importance_text.h"
#include "output/text/leaderboard_text.h"
#include "output/text/overview_text.h"
#include "terminal/narrow.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLong =
    "CLUSTER_COLUMNS=2 CLUSTER_ROWS=1 COPY=bulk LOADS_IN_FLIGHT=8 SCHEDULE=persistent STAGES=";

class NarrowTextTest : public ::testing::Test {
 protected:
  // Eight entries whose configurations differ only in their last words, three of them ranked.
  Leaderboard long_board() {
    make_.work_flops = 2e9;
    std::vector<Database::TrialRow> rows;
    for (int i = 0; i < 8; ++i)
      rows.push_back(make_.ok("threshold_with_a_long_name",
                              kLong + std::to_string(i) + " THREADS=" + std::to_string(32 << i),
                              372.1 + 100.5 * i));
    rows.push_back(make_.failed("warp_row", kLong + std::string("99"), Status::kCompileFailed,
                                "error: a long reason, word after word, " + std::string(200, 'x')));
    Database::RankingRow ranking = measured_ranking(make_, rows);
    return make_leaderboards(rows, {ranking}).at(0);
  }
  RowMaker make_;
};

TEST_F(NarrowTextTest, ALeaderboardKeepsItsRanksAndTimes) {
  const Leaderboard board = with_headline_time(long_board());
  ASSERT_TRUE(board.ranking.has_value());
  std::vector<std::string> whole = {"rank", "median µs"};
  for (const LeaderboardEntry& entry : board.entries) whole.push_back(format_us(entry.median_us));
  expect_fits([&](const Screen& screen) { return leaderboard_text(board, {.screen = screen}); },
              whole);
  for (const std::size_t columns : kScreenWidths) {
    const std::string text = leaderboard_text(board, {.screen = {columns, true}});
    std::size_t rows = 0;
    for (const std::string& line : lines_of(text))
      for (const LeaderboardEntry& entry : board.entries)
        rows += line.find(std::to_string(entry.rank) + "  ") != std::string::npos &&
                line.find("  " + format_us(entry.median_us)) != std::string::npos;
    EXPECT_GE(rows, board.entries.size()) << text;
  }
}

TEST_F(NarrowTextTest, WhatIsLeftOutIsNamedInItsOrder) {
  const Leaderboard board = long_board();
  const auto text_at = [&](std::size_t columns) {
    return leaderboard_text(board, {.screen = {columns, true}});
  };
  EXPECT_THAT(text_at(132), Not(HasSubstr("no room for")));
  EXPECT_THAT(text_at(100), HasSubstr("  no room for "));
  EXPECT_THAT(text_at(100), HasSubstr("spill B"));
  EXPECT_THAT(text_at(100), HasSubstr("vs best"));
  EXPECT_THAT(text_at(40), HasSubstr("no room for 95 % interval"));
}

TEST_F(NarrowTextTest, ColourDoesNotCountAndFollowsTheEntries) {
  const Leaderboard board = long_board();
  for (const std::size_t columns : kScreenWidths) {
    const Screen screen{columns, true};
    expect_lines_fit(leaderboard_text(board, {.colour = true, .screen = screen}), columns);
  }
}

TEST_F(NarrowTextTest, EveryKindOfBoardFits) {
  RowMaker modelled;
  for (const std::vector<Database::TrialRow>& rows :
       {measured_rows(make_), modelled_rows(modelled)}) {
    const Leaderboard board = make_leaderboards(rows).at(0);
    expect_fits([&](const Screen& screen) { return leaderboard_text(board, {.screen = screen}); },
                {format_us(board.entries.front().median_us)});
  }
}

TEST_F(NarrowTextTest, ComparisonsFit) {
  for (const Comparison& comparison : {mixed_comparison(), regression_comparison()}) {
    std::vector<std::string> times;
    for (const ProblemComparison& problem : comparison.problems) {
      if (who_tried(problem).size() < 2) continue;  // listed without its time
      for (const ProblemBest& best : problem.best)
        if (best.entry) times.push_back(format_us(best.entry->median_us));
    }
    expect_fits(
        [&](const Screen& screen) { return comparison_text(comparison, {.screen = screen}); },
        times);
  }
}

TEST_F(NarrowTextTest, InsightsFit) {
  std::vector<Database::TrialRow> rows;
  for (int i = 0; i < 24; ++i) {
    rows.push_back(make_.ok("v", "A_LONG_PARAMETER=" + std::to_string(i % 6), 100 + 3.5 * i));
    set_text(rows.back().trial.parameters, "{\"A_LONG_PARAMETER\":" + std::to_string(i % 6) +
                                               ",\"B\":" + std::to_string(i / 6) + "}");
    rows.back().trial.configuration_text += " B=" + std::to_string(i / 6);
  }
  const Leaderboard board = make_leaderboards(rows).at(0);
  const Importance importance = parameter_importance(board);
  expect_fits([&](const Screen& screen) { return importance_text(importance, false, screen); });
  const Landscape landscape = make_landscape(board).value();
  expect_fits([&](const Screen& screen) { return landscape_text(landscape, false, screen); });
}

TEST_F(NarrowTextTest, AWinnerHasOneTime) {
  const std::vector<Database::TrialRow> rows = measured_rows(make_);
  const Leaderboard board = make_leaderboards(rows, {measured_ranking(make_, rows)}).at(0);
  ASSERT_NE(format_us(board.entries[0].median_us), "370.6") << "the rounds say something else";
  const std::string text = leaderboard_text(board, {});
  EXPECT_THAT(text, HasSubstr("cold        370.6 µs"));
  EXPECT_THAT(text, HasSubstr("    =1      370.6"));
  EXPECT_THAT(text, HasSubstr("best of each variant: threshold 370.6 µs"));
  EXPECT_THAT(text, Not(HasSubstr(format_us(board.entries[0].median_us))));
}

TEST_F(NarrowTextTest, WithoutAFinalRankingTheTimesAreThoseOfTheSweep) {
  const Leaderboard board = make_leaderboards(measured_rows(make_)).at(0);
  EXPECT_EQ(with_headline_time(board).entries[0].median_us, board.entries[0].median_us);
}

class OverviewTextTest : public NarrowTextTest {
 protected:
  std::vector<OverviewRow> rows() {
    std::vector<Leaderboard> boards = {long_board()};
    boards.push_back(boards.front());
    boards.back().problem_text = "rows=1 V=50257 K=10 dtype=f32";
    boards.back().ranking.reset();
    boards.back().lapsed_ranking = "x was measured since";
    boards.back().entries.front().median_us = 1.25;
    boards.back().stale = 3;
    RowMaker modelled;
    boards.push_back(make_leaderboards(modelled_rows(modelled)).at(0));
    boards[0].entries[1].row.trial.started_utc = "2026-03-01T12:00:00Z";
    return make_overview(boards);
  }
};

TEST_F(OverviewTextTest, ALineForEachKernelAndDevice) {
  const std::vector<OverviewRow> overview = rows();
  ASSERT_EQ(overview.size(), 2U);
  EXPECT_EQ(overview[0].boards, 2U);
  EXPECT_EQ(overview[0].trials, 18U);
  EXPECT_EQ(overview[0].failures, 2U);
  EXPECT_EQ(overview[0].fastest_us, 1.25);
  EXPECT_EQ(overview[0].slowest_us, 370.62) << "the headline's";
  EXPECT_EQ(overview[0].fastest_problem, "rows=1 V=50257 K=10 dtype=f32");
  EXPECT_EQ(overview[0].stale, 3U);
  EXPECT_EQ(overview[0].lapsed, 1U);
  EXPECT_TRUE(overview[1].modelled);
  const std::string text = overview_text(overview, "2026-03-03T13:00:00Z");
  EXPECT_THAT(text, HasSubstr("NVIDIA H200 (cuda:0)"));
  EXPECT_THAT(text, HasSubstr("1.25 to 370.6"));
  EXPECT_THAT(text, HasSubstr("measured"));
  EXPECT_THAT(text, HasSubstr("modelled"));
  EXPECT_THAT(text, HasSubstr("2 d"));
  EXPECT_THAT(text, HasSubstr("3 stale, 1 ranking lapsed"));
}

TEST_F(OverviewTextTest, FitsAndKeepsTimesAndTheirKind) {
  const std::vector<OverviewRow> overview = rows();
  expect_fits(
      [&](const Screen& screen) { return overview_text(overview, "2026-03-03T13:00:00Z", screen); },
      {"1.25 to 370.6", "best µs", "measured", "modelled"});
}

TEST(AgeText, CountsInTheUnitThatFits) {
  const std::string then = "2026-03-01T12:00:00Z";
  EXPECT_EQ(age_text(then, then), "now");
  EXPECT_EQ(age_text(then, "2026-03-01T11:00:00Z"), "now") << "clocks of two hosts differ";
  EXPECT_EQ(age_text(then, "2026-03-01T12:05:59Z"), "5 min");
  EXPECT_EQ(age_text(then, "2026-03-02T12:00:00Z"), "24 h");
  EXPECT_EQ(age_text(then, "2027-03-01T12:00:00Z"), "365 d");
  EXPECT_EQ(age_text("", then), "–");
  EXPECT_EQ(age_text("2026-13-01T12:00:00Z", then), "–");
}

}  // namespace
}  // namespace warpwright::testing
