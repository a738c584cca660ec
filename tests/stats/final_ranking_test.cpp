#include "stats/final_ranking.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.h"
#include "stats/median.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

using Rounds = std::vector<std::vector<double>>;

// Returns true if any configuration was excluded from the tie set.
bool any_excluded(const FinalRanking& ranking) {
  for (const RankedConfiguration& configuration : ranking.configurations) {
    if (!configuration.tied) return true;
  }
  return false;
}

TEST(FinalRankingTest, ExactTimesGiveExactRatios) {
  const FinalRanking ranking = rank_final(Rounds(30, {12.0, 10.0, 11.0}));
  EXPECT_EQ(ranking.best, 1u);
  const auto& slowest = ranking.configurations[0];
  EXPECT_NEAR(slowest.relative, 1.2, 1e-12);
  EXPECT_NEAR(slowest.relative_low, 1.2, 1e-12);
  EXPECT_NEAR(slowest.relative_high, 1.2, 1e-12);
  EXPECT_NEAR(slowest.score, std::log(12.0) - std::log(12.0 * 10 * 11) / 3, 1e-12);
  EXPECT_EQ(slowest.median_us, 12);
  EXPECT_EQ(slowest.ci_low_us, 12);
  EXPECT_EQ(ranking.configurations[1].relative, 1);
  EXPECT_EQ(ranking.configurations[1].p_adjusted, 1);
  EXPECT_EQ(ranking.half_width, 0);
}

// Three pairs, each with p = 2^-29: Holm multiplies the smallest by 3 and raises the others to it.
TEST(FinalRankingTest, HolmRunsOverAllPairs) {
  const FinalRanking ranking = rank_final(Rounds(30, {12.0, 10.0, 11.0}));
  EXPECT_NEAR(ranking.configurations[0].p_adjusted, 3 * std::ldexp(1, -29), 1e-18);
  EXPECT_NEAR(ranking.configurations[2].p_adjusted, 3 * std::ldexp(1, -29), 1e-18);
  EXPECT_FALSE(ranking.configurations[0].tied);
  EXPECT_FALSE(ranking.configurations[2].tied);
}

TEST(FinalRankingTest, EqualTimesAreTiedAndTheFirstIsBest) {
  const FinalRanking ranking = rank_final(Rounds(30, {10.0, 10.0, 10.0}));
  EXPECT_EQ(ranking.best, 0u);
  EXPECT_FALSE(any_excluded(ranking));
  EXPECT_EQ(ranking.configurations[2].p_adjusted, 1);
}

TEST(FinalRankingTest, OneConfigurationIsTheBest) {
  const FinalRanking ranking = rank_final(Rounds{{5}, {7}, {6}});
  EXPECT_EQ(ranking.best, 0u);
  EXPECT_EQ(ranking.configurations[0].median_us, 6);
  EXPECT_EQ(ranking.configurations[0].score, 0);
  EXPECT_TRUE(ranking.configurations[0].tied);
  EXPECT_EQ(ranking.half_width, 0);
}

// 2^(1 - 7) is above 1 %, 2^(1 - 8) below.
// The best loses a twentieth of its speed in every fourth round, so that it proves nothing against
// the last; the steady second one does.
TEST(FinalRankingTest, WhoeverIsBeatenByAnyOtherIsExcluded) {
  Rounds rounds;
  for (int round = 0; round < 30; ++round)
    rounds.push_back({round % 4 == 3 ? 1190.0 : 1123.0, 1123.6, 1176.0});
  const FinalRanking ranking = rank_final(rounds);
  EXPECT_EQ(ranking.best, 0u);
  EXPECT_TRUE(ranking.configurations[1].tied);
  EXPECT_FALSE(ranking.configurations[2].tied);
  EXPECT_LT(ranking.configurations[2].p_adjusted, 1e-6);
  for (std::vector<double>& round : rounds) round[1] = round[0];
  EXPECT_TRUE(rank_final(rounds).configurations[2].tied) << "without the steady one";
}

TEST(FinalRankingTest, FewRoundsExcludeNothing) {
  EXPECT_TRUE(rank_final(Rounds(1, {10.0, 20.0})).configurations[1].tied);
  EXPECT_TRUE(rank_final(Rounds(2, {10.0, 20.0})).configurations[1].tied);
  EXPECT_TRUE(rank_final(Rounds(7, {10.0, 20.0})).configurations[1].tied);
  EXPECT_FALSE(rank_final(Rounds(8, {10.0, 20.0})).configurations[1].tied);
}

TEST(FinalRankingTest, SixteenConfigurationsNeedFifteenRounds) {
  std::vector<double> round(16, 10.0);
  round[3] = 9;
  EXPECT_FALSE(any_excluded(rank_final(Rounds(14, round))));
  EXPECT_TRUE(any_excluded(rank_final(Rounds(15, round))));
}

TEST(FinalRankingTest, WhatARoundHasInCommonDoesNotMatter) {
  SplitMix64 random(1);
  Rounds rounds = simulated_rounds(random, 30, {10, 10.2, 10.4}, 0.005, normal);
  const FinalRanking before = rank_final(rounds);
  for (auto& round : rounds) {
    const double factor = std::exp(normal(random));
    for (double& time : round) time *= factor;
  }
  const FinalRanking after = rank_final(rounds);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(after.configurations[c].score, before.configurations[c].score, 1e-12);
    EXPECT_NEAR(after.configurations[c].relative_high, before.configurations[c].relative_high,
                1e-12);
    EXPECT_EQ(after.configurations[c].p_adjusted, before.configurations[c].p_adjusted);
  }
}

TEST(FinalRankingTest, HalfWidthIsTheLargestOfTheTied) {
  SplitMix64 random(2);
  const FinalRanking ranking =
      rank_final(simulated_rounds(random, 30, {10, 10.001, 20}, 0.01, normal));
  ASSERT_TRUE(ranking.configurations[0].tied && ranking.configurations[1].tied);
  ASSERT_FALSE(ranking.configurations[2].tied);
  double largest = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    const RankedConfiguration& ranked = ranking.configurations[c];
    largest = std::max(largest, (ranked.score_high - ranked.score_low) / 2);
  }
  EXPECT_EQ(ranking.half_width, largest);
  EXPECT_GT(ranking.half_width, 0);
}

// Medians are not transitive: a higher score may come with a negative median paired difference.
TEST(FinalRankingTest, NothingIsCalledFasterThanTheBest) {
  SplitMix64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const FinalRanking ranking =
        rank_final(simulated_rounds(random, 30, {10, 10, 10}, 0.01, normal));
    for (const RankedConfiguration& ranked : ranking.configurations) {
      ASSERT_GE(ranked.relative, 1);
      ASSERT_GE(ranked.relative_high, ranked.relative);
      ASSERT_LE(ranked.relative_low, ranked.relative);
      ASSERT_GE(ranked.score, ranking.configurations[ranking.best].score);
    }
  }
}

// The second is slightly faster in 26 of 30 rounds, but so slow in the other 4 that its score is
// higher: significant (26 of 30), but in the wrong direction to exclude it.
TEST(FinalRankingTest, SignificantlyFasterThanTheBestIsTied) {
  Rounds rounds;
  for (int i = 0; i < 30; ++i) {
    const double second = i < 26 ? 10 * std::exp(-0.0015) : 10 * std::exp(2);
    rounds.push_back({10, second, 10 * std::exp(0.03 * i)});
  }
  const FinalRanking ranking = rank_final(rounds);
  ASSERT_EQ(ranking.best, 0u);
  EXPECT_EQ(ranking.configurations[1].p_adjusted, 1) << "nothing is faster than it";
  EXPECT_TRUE(ranking.configurations[1].tied);
}

TEST(FinalRankingTest, ADifferenceWithinTheIndifferenceIsNoneHoweverSteady) {
  const Rounds within(200, {10, 10.009});
  EXPECT_TRUE(rank_final(within).configurations[1].tied);
  const Rounds beyond(200, {10, 10.011});
  EXPECT_FALSE(rank_final(beyond).configurations[1].tied);
}

TEST(FinalRankingTest, BadTimesBreakAnInvariant) {
  EXPECT_THROW((void)rank_final(Rounds{}), Error);
  EXPECT_THROW((void)rank_final(Rounds{{}}), Error);
  EXPECT_THROW((void)rank_final(Rounds{{1, 2}, {1}}), Error);
  EXPECT_THROW((void)rank_final(Rounds{{1, 0}}), Error);
  EXPECT_THROW((void)rank_final(Rounds{{1, std::nan("")}}), Error);
  EXPECT_THROW((void)rank_final(Rounds{{1, HUGE_VAL}}), Error);
}

struct Coverage {
  double score = 0;
  double relative = 0;
};

// The fraction of simulations in which the intervals of configuration 1 of 8 cover its true score
// and its true ratio to the best, which is 2 % faster than all others, at 30 rounds.
template <typename Noise>
Coverage coverage_at_30_rounds(double true_score, Noise noise) {
  constexpr int kCases = 10000;
  SplitMix64 random(4);
  std::vector<double> true_us(8, 51.0);
  true_us[0] = 50;
  Coverage covered;
  for (int i = 0; i < kCases; ++i) {
    const FinalRanking ranking = rank_final(simulated_rounds(random, 30, true_us, 0.002, noise));
    const RankedConfiguration& ranked = ranking.configurations[1];
    if (ranked.score_low <= true_score && true_score <= ranked.score_high) {
      covered.score += 1.0 / kCases;
    }
    if (ranked.relative_low <= 1.02 && 1.02 <= ranked.relative_high) {
      covered.relative += 1.0 / kCases;
    }
  }
  return covered;
}

TEST(FinalRankingTest, IntervalsCoverTheTruthAt30Rounds) {
  const double true_score = std::log(51.0) - (7 * std::log(51.0) + std::log(50.0)) / 8;
  const Coverage covered = coverage_at_30_rounds(true_score, normal);
  EXPECT_NEAR(covered.score, median_ranks(30).coverage, 0.007);
  EXPECT_NEAR(covered.relative, median_ranks(30).coverage, 0.007);
}

// One-sided outliers move the mean of a round, and thus the true score, which is therefore
// estimated from many rounds.
TEST(FinalRankingTest, IntervalsCoverTheTruthAt30RoundsWithOutliers) {
  SplitMix64 random(5);
  std::vector<double> true_us(8, 51.0);
  true_us[0] = 50;
  const double true_score =
      rank_final(simulated_rounds(random, 400000, true_us, 0.002, normal_with_outliers))
          .configurations[1]
          .score;
  const Coverage covered = coverage_at_30_rounds(true_score, normal_with_outliers);
  EXPECT_NEAR(covered.score, median_ranks(30).coverage, 0.007);
  EXPECT_NEAR(covered.relative, median_ranks(30).coverage, 0.007);
}

// The fraction of rankings of identical configurations that exclude any.
class IdenticalConfigurations : public testing::TestWithParam<std::size_t> {};

TEST_P(IdenticalConfigurations, AreExcludedInAtMostOnePerCent) {
  constexpr int kRankings = 4000;
  SplitMix64 random(GetParam());
  const std::vector<double> true_us(GetParam(), 50.0);
  int excluded = 0;
  for (int i = 0; i < kRankings; ++i) {
    const auto rounds = simulated_rounds(random, 30, true_us, 0.005, normal_with_outliers);
    if (any_excluded(rank_final(rounds))) ++excluded;
  }
  EXPECT_LE(excluded, kRankings / 100);
}

// Other configurations, fast or slow, must not use up or loosen the correction.
TEST_P(IdenticalConfigurations, AreExcludedInAtMostOnePerCentBesideSlowerOnes) {
  constexpr int kRankings = 2000;
  SplitMix64 random(100 + GetParam());
  std::vector<double> true_us(GetParam(), 50.0);
  true_us.insert(true_us.end(), GetParam(), 53.0);
  int excluded = 0;
  for (int i = 0; i < kRankings; ++i) {
    FinalRanking ranking = rank_final(simulated_rounds(random, 30, true_us, 0.005, normal));
    ranking.configurations.resize(GetParam());
    if (any_excluded(ranking)) ++excluded;
  }
  EXPECT_LE(excluded, kRankings / 100);
}

// On a clock with 32 ns steps, times are often equal.
TEST_P(IdenticalConfigurations, AreExcludedInAtMostOnePerCentOnACoarseClock) {
  constexpr int kRankings = 2000;
  SplitMix64 random(200 + GetParam());
  const std::vector<double> true_us(GetParam(), 5.0);
  int excluded = 0;
  for (int i = 0; i < kRankings; ++i) {
    auto rounds = simulated_rounds(random, 30, true_us, 0.005, normal);
    for (auto& round : rounds) {
      for (double& time : round) time = 0.032 * std::round(time / 0.032);
    }
    if (any_excluded(rank_final(rounds))) ++excluded;
  }
  EXPECT_LE(excluded, kRankings / 100);
}

INSTANTIATE_TEST_SUITE_P(FinalRanking, IdenticalConfigurations, testing::Values(2, 8, 16));

TEST(FinalRankingTest, TwoPerCentSlowerIsExcludedAt30Rounds) {
  constexpr int kRankings = 2000;
  SplitMix64 random(6);
  std::vector<double> true_us(16, 50.0);
  true_us[7] = 51;
  int excluded = 0;
  for (int i = 0; i < kRankings; ++i) {
    const FinalRanking ranking = rank_final(simulated_rounds(random, 30, true_us, 0.005, normal));
    if (!ranking.configurations[7].tied) ++excluded;
  }
  EXPECT_GE(excluded, kRankings * 95 / 100);
}

struct Stopped {
  double coverage = 0;  // of the score of configuration 0
  double excluded = 0;  // fraction of rankings that excluded any
  double rounds = 0;    // mean
};

// Applies the caller's stopping rule to identical configurations: look every 10 rounds from 30 to
// 200 and stop at a half-width of 0.5 %.
Stopped stop_by_width(std::size_t configurations, double noise) {
  constexpr int kCases = 2000;
  SplitMix64 random(7);
  const std::vector<double> true_us(configurations, 50.0);
  Stopped stopped;
  for (int i = 0; i < kCases; ++i) {
    Rounds rounds = simulated_rounds(random, 30, true_us, noise, normal);
    FinalRanking ranking = rank_final(rounds);
    while (ranking.half_width > 0.005 && rounds.size() < 200) {
      for (auto& round : simulated_rounds(random, 10, true_us, noise, normal)) {
        rounds.push_back(std::move(round));
      }
      ranking = rank_final(rounds);
    }
    const RankedConfiguration& ranked = ranking.configurations[0];
    if (ranked.score_low <= 0 && 0 <= ranked.score_high) stopped.coverage += 1.0 / kCases;
    if (any_excluded(ranking)) stopped.excluded += 1.0 / kCases;
    stopped.rounds += static_cast<double>(rounds.size()) / kCases;
  }
  return stopped;
}

TEST(FinalRankingTest, StoppingByWidthKeepsTheCoverage) {
  for (const double noise : {0.012, 0.02}) {
    for (const std::size_t configurations : {2, 3}) {
      const Stopped stopped = stop_by_width(configurations, noise);
      EXPECT_GE(stopped.coverage, 0.93) << configurations << " at " << noise;
      EXPECT_LE(stopped.excluded, 0.01) << configurations << " at " << noise;
      EXPECT_GT(stopped.rounds, 30) << "the rule never had to wait";
      EXPECT_LT(stopped.rounds, 150) << "the rule never stopped";
    }
  }
}

TEST(ChooseWinnerTest, TheIncumbentStays) {
  const std::vector<WinnerCandidate> tied = {{"A", false, 32, 0}, {"B", true, 255, 65536}};
  EXPECT_EQ(choose_winner(tied), 1u);
}

TEST(ChooseWinnerTest, ThenFewerRegisters) {
  const std::vector<WinnerCandidate> tied = {{"A", false, 64, 0}, {"B", false, 40, 65536}};
  EXPECT_EQ(choose_winner(tied), 1u);
}

TEST(ChooseWinnerTest, ThenLessSharedMemory) {
  const std::vector<WinnerCandidate> tied = {{"A", false, 40, 2048}, {"B", false, 40, 1024}};
  EXPECT_EQ(choose_winner(tied), 1u);
}

TEST(ChooseWinnerTest, ThenTheCanonicalOrder) {
  const std::vector<WinnerCandidate> tied = {{"B", false, 40, 1024}, {"A", false, 40, 1024}};
  EXPECT_EQ(choose_winner(tied), 1u);
}

TEST(ChooseWinnerTest, OneIsChosenAndNoneBreaksAnInvariant) {
  EXPECT_EQ(choose_winner(std::vector<WinnerCandidate>(1)), 0u);
  EXPECT_THROW((void)choose_winner(std::vector<WinnerCandidate>{}), Error);
}

// The third leaves after 20 rounds of 40.
Rounds one_leaves(double slow_us) {
  Rounds rounds;
  for (int round = 0; round < 40; ++round) {
    const double wobble = 1 + 0.001 * (round % 7);
    rounds.push_back({10 * wobble, 10.5 * (2 - wobble), round < 20 ? slow_us * wobble : kNoTime});
  }
  return rounds;
}

TEST(LeavingTest, WhatHasLeftIsJudgedByItsRounds) {
  const Rounds rounds = one_leaves(12);
  const FinalRanking ranking = rank_final(rounds);
  const RankedConfiguration& left = ranking.configurations[2];
  EXPECT_FALSE(left.tied);
  EXPECT_NEAR(left.relative, 1.2, 1e-12);
  const Rounds until(rounds.begin(), rounds.begin() + 20);
  EXPECT_EQ(left.p_adjusted, rank_final(until).configurations[2].p_adjusted);
  EXPECT_EQ(left.median_us, rank_final(until).configurations[2].median_us);
}

TEST(LeavingTest, ThoseThatStayAreJudgedAsIfTheyHadBeenAlone) {
  Rounds alone;
  for (const std::vector<double>& round : one_leaves(12)) alone.push_back({round[0], round[1]});
  const FinalRanking ranking = rank_final(one_leaves(12));
  const FinalRanking without = rank_final(alone);
  EXPECT_EQ(ranking.best, without.best);
  EXPECT_EQ(ranking.half_width, without.half_width);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(ranking.configurations[c].score, without.configurations[c].score);
    EXPECT_EQ(ranking.configurations[c].p_adjusted, without.configurations[c].p_adjusted);
    EXPECT_EQ(ranking.configurations[c].relative_high, without.configurations[c].relative_high);
  }
}

// A configuration that led until it left is not the best: another one was faster in the rounds that
// count.
TEST(LeavingTest, TheBestIsOneThatStayed) {
  EXPECT_EQ(rank_final(one_leaves(9)).best, 0u);
  EXPECT_FALSE(rank_final(one_leaves(9)).configurations[2].tied);
}

TEST(LeavingTest, TheFewestRoundsAreThoseAfterWhichOneMayLeave) {
  for (const std::size_t k : {2u, 3u, 4u, 8u, 11u, 16u}) {
    std::vector<double> round(k, 10.0);
    round[0] = 9;
    const auto rounds = static_cast<std::size_t>(rounds_to_leave(k));
    EXPECT_EQ(may_leave(Rounds(rounds, round), 0).size(), k - 1) << k;
    EXPECT_TRUE(may_leave(Rounds(rounds - 1, round), 0).empty()) << k;
  }
  EXPECT_EQ(rounds_to_exclude(16), 15);
  EXPECT_EQ(rounds_to_exclude(2), 8);
  EXPECT_EQ(rounds_to_leave(16), 20);
  EXPECT_EQ(rounds_to_leave(4), 16);
  EXPECT_EQ(rounds_to_leave(1), 13);
}

TEST(LeavingTest, EveryLookHasHalfTheLevelOfTheOneBefore) {
  // One pair, p = 2^(1 - 13) = 0.000244: just within the first look's 0.00025.
  EXPECT_TRUE(may_leave(Rounds(12, {10.0, 11.0}), 0).empty());
  EXPECT_EQ(may_leave(Rounds(13, {10.0, 11.0}), 0), std::vector<std::size_t>{1});
  EXPECT_TRUE(may_leave(Rounds(13, {10.0, 11.0}), 1).empty());
  EXPECT_EQ(may_leave(Rounds(14, {10.0, 11.0}), 1), std::vector<std::size_t>{1});
}

TEST(LeavingTest, EqualsHardlyEverLeave) {
  SplitMix64 random(8);
  int left = 0;
  for (int i = 0; i < 2000; ++i) {
    const Rounds rounds = simulated_rounds(random, 20, std::vector<double>(8, 10.0), 0.01, normal);
    left += may_leave(rounds, 0).empty() ? 0 : 1;
  }
  EXPECT_LE(left, 4);
}

TEST(LeavingTest, NothingComesBackAndOneStays) {
  Rounds rounds = one_leaves(12);
  rounds[30][2] = 12;
  EXPECT_THROW((void)rank_final(rounds), Error);
  rounds = one_leaves(12);
  for (std::size_t round = 30; round < 40; ++round) rounds[round] = {kNoTime, kNoTime, kNoTime};
  EXPECT_THROW((void)rank_final(rounds), Error);
  EXPECT_THROW((void)rank_final(Rounds(3, {10, kNoTime})), Error);
}

}  // namespace
}  // namespace warpwright
