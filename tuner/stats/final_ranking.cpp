#include "stats/final_ranking.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/error.h"
#include "stats/median.h"
#include "stats/multiple_tests.h"
#include "stats/paired_test.h"

namespace warpwright {
namespace {

// Logarithms of times by configuration, so that a configuration's rounds lie side by side.
using Columns = std::vector<std::vector<double>>;

Columns log_columns(const std::vector<std::vector<double>>& round_us) {
  WARPWRIGHT_CHECK(!round_us.empty() && !round_us[0].empty(),
                   "a ranking needs a round and a configuration");
  Columns columns(round_us[0].size(), std::vector<double>(round_us.size()));
  for (std::size_t round = 0; round < round_us.size(); ++round) {
    WARPWRIGHT_CHECK(round_us[round].size() == columns.size(),
                     "every round must time all configurations");
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double time_us = round_us[round][c];
      WARPWRIGHT_CHECK(std::isfinite(time_us) && time_us > 0, "a time must be finite and above 0");
      columns[c][round] = std::log(time_us);
    }
  }
  return columns;
}

// The part of each round's times that all configurations have in common.
std::vector<double> round_means(const Columns& columns) {
  std::vector<double> means(columns[0].size(), 0.0);
  for (std::size_t round = 0; round < means.size(); ++round) {
    for (const std::vector<double>& column : columns) means[round] += column[round];
    means[round] /= static_cast<double>(columns.size());
  }
  return means;
}

void subtract(std::span<const double> a, std::span<const double> b, std::span<double> difference) {
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
}

// Where the pair (a, b), a < b, lies in a list of all pairs of k.
std::size_t pair_index(std::size_t a, std::size_t b, std::size_t k) {
  return a * k - a * (a + 1) / 2 + (b - a - 1);
}

// One pair (a, b), a < b, of configurations.
struct PairTest {
  bool first_slower = false;  // the median of a - b is above 0
  double p_adjusted = 1;      // that the slower one is slower by more than the margin
};

// That either of a pair is slower than the other by more than `margin`: the sign test of the
// differences against the margin, on the side on which most of them lie.
double p_of_difference(std::span<double> difference, bool first_slower, double margin) {
  if (!first_slower) {
    for (double& one : difference) one = -one;
  }
  for (double& one : difference) one -= margin;
  const auto beyond =
      std::count_if(difference.begin(), difference.end(), [](double one) { return one > 0; });
  // Most of them within the margin: nothing suggests a difference.
  if (2 * static_cast<std::size_t>(beyond) <= difference.size()) return 1;
  return sign_test(difference).p;
}

// For all pairs, in the order of pair_index().
std::vector<PairTest> test_pairs(const Columns& columns, double margin,
                                 std::span<double> difference) {
  std::vector<PairTest> pairs;
  std::vector<double> p_values;
  pairs.reserve(columns.size() * (columns.size() - 1) / 2);
  p_values.reserve(pairs.capacity());
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = a + 1; b < columns.size(); ++b) {
      subtract(columns[a], columns[b], difference);
      pairs.push_back({.first_slower = median(difference) > 0});
      p_values.push_back(p_of_difference(difference, pairs.back().first_slower, margin));
    }
  }
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].p_adjusted = adjusted[i];
  return pairs;
}

// The strongest evidence that any of k configurations is faster than `c`.
double p_of_being_slower(const std::vector<PairTest>& pairs, std::size_t c, std::size_t k) {
  double p = 1;
  for (std::size_t other = 0; other < k; ++other) {
    if (other == c) continue;
    const PairTest& pair = pairs[pair_index(std::min(c, other), std::max(c, other), k)];
    if (pair.first_slower == (c < other)) p = std::min(p, pair.p_adjusted);
  }
  return p;
}

}  // namespace

FinalRanking rank_final(const std::vector<std::vector<double>>& round_us,
                        const RankingOptions& options) {
  const Columns columns = log_columns(round_us);
  const std::size_t k = columns.size();
  const std::vector<double> means = round_means(columns);
  std::vector<double> scratch(round_us.size());
  FinalRanking ranking;
  ranking.configurations.resize(k);
  for (std::size_t c = 0; c < k; ++c) {
    RankedConfiguration& ranked = ranking.configurations[c];
    subtract(columns[c], means, scratch);
    const MedianInterval score = median_interval(scratch, options.interval_confidence);
    ranked.score = score.median;
    ranked.score_low = score.low;
    ranked.score_high = score.high;
    for (std::size_t round = 0; round < scratch.size(); ++round) {
      scratch[round] = round_us[round][c];
    }
    const MedianInterval time = median_interval(scratch, options.interval_confidence);
    ranked.median_us = time.median;
    ranked.ci_low_us = time.low;
    ranked.ci_high_us = time.high;
    if (ranked.score < ranking.configurations[ranking.best].score) ranking.best = c;
  }

  const std::vector<PairTest> pairs =
      test_pairs(columns, std::log1p(options.indifference), scratch);
  for (std::size_t c = 0; c < k; ++c) {
    RankedConfiguration& ranked = ranking.configurations[c];
    if (c != ranking.best) {
      subtract(columns[c], columns[ranking.best], scratch);
      const MedianInterval slower = median_interval(scratch, options.interval_confidence);
      ranked.relative = std::max(1.0, std::exp(slower.median));
      ranked.relative_low = std::exp(slower.low);
      ranked.relative_high = std::max(1.0, std::exp(slower.high));
      ranked.p_adjusted = p_of_being_slower(pairs, c, k);
      ranked.tied = ranked.p_adjusted > 1 - options.family_confidence;
    }
    if (ranked.tied) {
      ranking.half_width = std::max(ranking.half_width, (ranked.score_high - ranked.score_low) / 2);
    }
  }
  return ranking;
}

std::size_t choose_winner(std::span<const WinnerCandidate> tied) {
  WARPWRIGHT_CHECK(!tied.empty(), "a winner is chosen from at least one candidate");
  const auto preference = [](const WinnerCandidate& candidate) {
    return std::tuple<bool, int, std::size_t, const std::string&>(
        !candidate.incumbent, candidate.registers, candidate.shared_bytes, candidate.configuration);
  };
  const auto winner = std::min_element(tied.begin(), tied.end(),
                                       [&](const WinnerCandidate& a, const WinnerCandidate& b) {
                                         return preference(a) < preference(b);
                                       });
  return static_cast<std::size_t>(winner - tied.begin());
}

}  // namespace warpwright
