// Which of a few good configurations is the best, and which cannot be told apart from it. The
// caller times all of them in every round; what a round has in common (clock, temperature,
// neighbours) cancels because configurations are compared within rounds only. Assumes that rounds
// are independent of each other; nothing about the shape of the noise. Times are microseconds,
// finite and > 0, one per configuration in every round; at least one round and one configuration.
// One that has been found too slow may leave: from some round on, and in all that follow, it has
// kLeft instead; at least one stays to the end. Anything else is a broken invariant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warpwright {

inline constexpr double kLeft = 0;

struct RankingOptions {
  // The probability that no configuration as fast as the best is excluded.
  double family_confidence = 0.99;
  // For each interval by itself.
  double interval_confidence = 0.95;
  // Differences up to this fraction count as ties: no timer is unbiased to the last digit, and with
  // enough rounds any bias becomes significant.
  double indifference = 0.001;
};

struct RankedConfiguration {
  // The median over rounds of ln t - (mean of ln t over the configurations that stayed): -0.01 is
  // 1 % faster than the field.
  double score = 0;
  double score_low = 0;
  double score_high = 0;
  // exp of the median over rounds of ln t - ln t_best. The best is 1, and nothing is called faster
  // than it: `relative` and `relative_high` are raised to 1.
  double relative = 1;
  double relative_low = 1;
  double relative_high = 1;
  // The median over rounds. The best one's is a little too good, because it was chosen for being
  // low: report a measurement made afterwards.
  double median_us = 0;
  double ci_low_us = 0;
  double ci_high_us = 0;
  // For the hypothesis that no other is faster: the smallest p of its sign tests against those that
  // look faster, corrected for all pairs; 1 for the best itself.
  double p_adjusted = 1;
  // The best, or not significantly slower than any other. What has left is not.
  bool tied = true;
};

struct FinalRanking {
  std::vector<RankedConfiguration> configurations;  // in the caller's order
  std::size_t best = 0;  // the lowest score of those that stayed; the first among equals
  // The largest (score_high - score_low) / 2 of the tied configurations; a difference of
  // logarithms, hence a fraction of the time. For a stopping rule: looking every 10 rounds from 30
  // to 200 and stopping at 0.005 keeps the coverage of a score's interval above 93 %. 0 for a
  // single configuration, which has nothing to be compared with.
  double half_width = 0;
};

// Ties: a configuration is excluded iff some other one is significantly faster: the two-sided sign
// test of their paired differences, less the indifference, rejects at 1 - family_confidence. Holm's
// correction runs over all k (k - 1) / 2 pairs, hence P(any configuration as fast as the best is
// excluded) <= 1 %, however many others there are and whatever they do. Testing only against the
// best would keep more: if its clock drops in every fifth round, it proves little against the
// third, though a steady second beats the third in every round. The price of the correction is
// small, since the exact p-values of clear differences are tiny; but a two-sided p-value is at
// least 2^(1 - rounds), so 16 configurations need 15 rounds before anything can be excluded.
//
// Intervals are those of order statistics (stats/median.h), not a bootstrap over rounds. A
// percentile bootstrap of the median covers 94 % at 30 rounds but 93 % at 31, and where rounds go
// on until its width suffices, as few as 92 %: it is narrow by chance exactly when the caller
// stops. Order statistics cover 95.7 % at 30 rounds and about 94 % under that rule (92 % if the
// caller looked after every round), they invert the very test that decides ties, and they need no
// random numbers.
//
// What is known of one that has left is what was known when it left: its pairs are those with the
// others of that moment, over the rounds until then.
[[nodiscard]] FinalRanking rank_final(const std::vector<std::vector<double>>& round_us,
                                      const RankingOptions& options = {});

// Those that may leave after these rounds, because it is all but certain that some other one is
// faster: the test of rank_final() at a level of its own, which halves from look to look (`look`
// counts from 0), so that all looks together cost 0.05 % of the family's confidence.
[[nodiscard]] std::vector<std::size_t> may_leave(const std::vector<std::vector<double>>& round_us,
                                                 int look, const RankingOptions& options = {});

// The fewest rounds after which rank_final() could exclude any of so many: 8 of two, 15 of sixteen.
[[nodiscard]] int rounds_to_exclude(std::size_t configurations, const RankingOptions& options = {});

// The fewest rounds after which any of so many could leave at the first look: 13 of two, 16 of
// four, 20 of sixteen.
[[nodiscard]] int rounds_to_leave(std::size_t configurations);

struct WinnerCandidate {
  std::string configuration;  // its canonical text
  bool incumbent = false;     // the winner of an earlier tuning
  int registers = 0;          // per thread
  std::size_t shared_bytes = 0;
};

// The index of the one to use among configurations whose times cannot be told apart: the incumbent,
// then fewer registers, less shared memory, the smaller text. At least one.
[[nodiscard]] std::size_t choose_winner(std::span<const WinnerCandidate> tied);

}  // namespace warpwright
