// Determines which of a few good configurations is the best, and which are indistinguishable from
// it. The caller times all of them in every round; effects common to a round (clock, temperature,
// neighbours) cancel because configurations are compared within rounds only. Assumes that rounds
// are independent of each other, but nothing about the shape of the noise. Times are microseconds,
// finite and > 0, one per configuration in every round; there is at least one round and one
// configuration. A configuration that was found too slow may leave: from some round on, it has
// kNoTime instead of a time in every round; at least one stays to the end. Anything else is a
// broken invariant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace warpwright {

inline constexpr double kNoTime = 0;

struct RankingOptions {
  // The probability that no configuration as fast as the best is excluded.
  double family_confidence = 0.99;
  // Applies to each interval by itself.
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
  // exp of the median over rounds of ln t - ln t_best. The best is 1, and no other is reported as
  // faster: `relative` and `relative_high` are raised to 1.
  double relative = 1;
  double relative_low = 1;
  double relative_high = 1;
  // The median over rounds. That of the best is slightly too low, because it was selected for being
  // low: report a measurement made afterwards.
  double median_us = 0;
  double ci_low_us = 0;
  double ci_high_us = 0;
  // For the hypothesis that no other is faster: the smallest p of its sign tests against those that
  // look faster, corrected for all pairs; 1 for the best itself.
  double p_adjusted = 1;
  // True for the best and for those not significantly slower than any other. False for those that
  // left.
  bool tied = true;
};

struct FinalRanking {
  std::vector<RankedConfiguration> configurations;  // in the caller's order
  std::size_t best = 0;  // the lowest score of those that stayed; the first among equals
  // The largest (score_high - score_low) / 2 of the tied configurations; a difference of
  // logarithms, hence a fraction of the time. Intended for a stopping rule: looking every 10 rounds
  // from 30 to 200 and stopping at 0.005 keeps the coverage of a score's interval above 93 %. 0 for
  // a single configuration, which has nothing to be compared with.
  double half_width = 0;
};

// Ties: a configuration is excluded iff some other one is significantly faster: the two-sided sign
// test of their paired differences, less the indifference, rejects at 1 - family_confidence. Holm's
// correction runs over all k (k - 1) / 2 pairs, hence P(any configuration as fast as the best is
// excluded) <= 1 %, regardless of the number and the behaviour of the others. Testing only against
// the best would keep more: if its clock drops in every fifth round, it proves little against the
// third, although a steady second beats the third in every round. The price of the correction is
// small, since the exact p-values of clear differences are tiny; but a two-sided p-value is at
// least 2^(1 - rounds), so 16 configurations need 15 rounds before anything can be excluded.
//
// Intervals are those of order statistics (stats/median.h), not a bootstrap over rounds. A
// percentile bootstrap of the median covers 94 % at 30 rounds but 93 % at 31, and as little as 92 %
// if rounds continue until its width suffices: it is narrow by chance exactly when the caller
// stops. Order statistics cover 95.7 % at 30 rounds and about 94 % under that rule (92 % if the
// caller looked after every round), they invert the very test that decides ties, and they need no
// random numbers.
//
// The result for a configuration that left is that of the moment when it left: its pairs are those
// with the other configurations present then, over the rounds until then.
[[nodiscard]] FinalRanking rank_final(const std::vector<std::vector<double>>& round_us,
                                      const RankingOptions& options = {});

// Returns the configurations that may leave after these rounds, because some other one is almost
// certainly faster: the test of rank_final() at a separate level, which halves from look to look
// (`look` counts from 0), so that all looks together cost 0.05 % of the family's confidence.
[[nodiscard]] std::vector<std::size_t> may_leave(const std::vector<std::vector<double>>& round_us,
                                                 int look, const RankingOptions& options = {});

// The fewest rounds after which rank_final() could exclude any configuration: 8 for two, 15 for
// sixteen.
[[nodiscard]] int rounds_to_exclude(std::size_t configurations, const RankingOptions& options = {});

// The fewest rounds after which any configuration could leave at the first look: 13 for two, 16 for
// four, 20 for sixteen.
[[nodiscard]] int rounds_to_leave(std::size_t configurations);

struct WinnerCandidate {
  std::string configuration;  // canonical text
  bool incumbent = false;     // the winner of an earlier tuning
  int registers = 0;          // per thread
  std::size_t shared_bytes = 0;
};

// The index of the configuration to use among those with indistinguishable times: the incumbent,
// then fewer registers, less shared memory, the smaller text. Needs at least one.
[[nodiscard]] std::size_t choose_winner(std::span<const WinnerCandidate> tied);

}  // namespace warpwright
