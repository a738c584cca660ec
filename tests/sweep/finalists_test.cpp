#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "sweep/ranking_stage.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;

std::vector<RankingCandidate> candidates(const std::vector<double>& medians_us) {
  std::vector<RankingCandidate> all;
  for (const double median_us : medians_us)
    all.push_back({all.size(), static_cast<RowId>(100 + all.size()), median_us, ""});
  return all;
}

std::vector<std::uint64_t> indices(const std::vector<RankingCandidate>& finalists) {
  std::vector<std::uint64_t> picked;
  for (const RankingCandidate& finalist : finalists) picked.push_back(finalist.index);
  return picked;
}

TEST(PickFinalistsTest, OneConfigurationNeedsNoRanking) {
  EXPECT_TRUE(pick_finalists(candidates({10})).empty());
  EXPECT_TRUE(pick_finalists({}).empty());
}

TEST(PickFinalistsTest, FewAreAllTakenHoweverFarApart) {
  EXPECT_THAT(indices(pick_finalists(candidates({30, 10, 20}))), ElementsAre(1, 2, 0));
}

TEST(PickFinalistsTest, FewCloseOnesAreFilledUpToFour) {
  std::vector<double> medians = {10, 10.1};
  for (int i = 0; i < 20; ++i) medians.push_back(20 + i);
  EXPECT_EQ(pick_finalists(candidates(medians)).size(), 4u);
}

TEST(PickFinalistsTest, AllWithinFivePerCentUpToSixteen) {
  std::vector<double> medians(12, 10.0);
  medians.push_back(10.49);
  medians.push_back(10.51);
  EXPECT_EQ(pick_finalists(candidates(medians)).size(), 13u);
  EXPECT_EQ(pick_finalists(candidates(std::vector<double>(40, 10.0))).size(), 16u);
}

TEST(PickFinalistsTest, WhatWasTimedAtALowerClockCountsAsIfItTookAsManyCyclesAtTheHighest) {
  std::vector<RankingCandidate> all = candidates({10, 10.1, 10.2, 10.3, 11, 11, 11, 11});
  all[0].sm_clock_mhz = 1965;
  all[4].sm_clock_mhz = 1965;
  all[5].sm_clock_mhz = 1860;
  all[6].sm_clock_mhz = 1890;
  EXPECT_THAT(indices(pick_finalists(all)), ElementsAre(0, 1, 2, 3, 5));
  all = candidates(std::vector<double>(20, 11));
  all[0] = {0, 100, 10, "", 1965};
  for (std::size_t i = 1; i < all.size(); ++i) all[i].sm_clock_mhz = 1700 - static_cast<int>(i);
  EXPECT_THAT(indices(pick_finalists(all)), ElementsAre(0, 19, 18, 17, 16, 15, 14, 13));
}

TEST(PickFinalistsTest, LongKernelsThatTellTheirClocksMeetFewerAndThoseThatWereSlowedDown) {
  std::vector<RankingCandidate> all = candidates({6215, 6229, 6313, 6381, 6460, 6801, 6856, 6960});
  for (RankingCandidate& one : all) {
    one.sm_clock_mhz = 1965;
    one.clock_during_mhz = 1640;
  }
  all[5].clock_during_mhz = 1600;  // within one kernel's variation: it is slow by itself
  EXPECT_THAT(indices(pick_finalists(all)), ElementsAre(0, 1, 2, 3));
  all[3].median_us = 6400;         // outside 2.5 % of the best, like those after it
  all[6].clock_during_mhz = 1440;  // 6020 us at the clock of the others
  EXPECT_THAT(indices(pick_finalists(all)), ElementsAre(0, 1, 2, 6));
}

TEST(RankingRecordTest, TheWinnerOfTheTieRulesComesFirstThenTiesThenTheRest) {
  FinalsOutcome outcome;
  for (int round = 0; round < 40; ++round) {
    const double wobble = 0.01 * (round % 5);
    outcome.round_us.push_back({11 + wobble, 10 + wobble, 10 + 0.01 * ((round + 2) % 5)});
  }
  outcome.ranking = rank_final(outcome.round_us);
  outcome.winner = 2;
  outcome.decided_by = "fewer registers";
  outcome.protocol = "cold-graph-1";
  outcome.headline.emplace().sm_clock_mhz = 1980;
  SweepBoard board;
  board.problem = {{"n", 8}};
  board.problem_text = "n=8";
  const RankingRecord record = make_ranking_record("square", board, candidates({11, 10, 10}),
                                                   outcome, "2026-03-01T12:00:00Z");
  EXPECT_EQ(record.winner, 102);
  EXPECT_EQ(record.rounds, 40);
  EXPECT_EQ(record.decided_by, "fewer registers");
  EXPECT_EQ(record.headline->sm_clock_mhz, 1980);
  ASSERT_EQ(record.entries.size(), 3u);
  EXPECT_EQ(record.entries[0].trial, 102);
  EXPECT_EQ(record.entries[1].trial, 101);
  EXPECT_EQ(record.entries[2].trial, 100);
  EXPECT_TRUE(record.entries[1].tied);
  EXPECT_FALSE(record.entries[2].tied);
  EXPECT_EQ(record.entries[2].rounds_us.size(), 40u);
  EXPECT_LT(*record.entries[2].p_adjusted, 0.01);
}

}  // namespace
}  // namespace warpwright::testing
