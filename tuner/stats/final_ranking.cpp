#include "stats/final_ranking.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/error.h"
#include "stats/hypothesis_tests.h"
#include "stats/median.h"

namespace warpwright {
namespace {

// Logarithms of times by configuration, so that a configuration's rounds are contiguous. The column
// of a configuration that has left is shorter.
using Columns = std::vector<std::vector<double>>;

constexpr double kLooksLevel = 0.0005;

Columns log_columns(const std::vector<std::vector<double>>& round_us) {
  WARPWRIGHT_CHECK(!round_us.empty() && !round_us[0].empty(),
                   "a ranking needs a round and a configuration");
  Columns columns(round_us[0].size());
  for (std::size_t round = 0; round < round_us.size(); ++round) {
    WARPWRIGHT_CHECK(round_us[round].size() == columns.size(),
                     "every round must time all configurations");
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double time_us = round_us[round][c];
      if (time_us == kNoTime && round > 0) continue;
      WARPWRIGHT_CHECK(std::isfinite(time_us) && time_us > 0, "a time must be finite and above 0");
      WARPWRIGHT_CHECK(columns[c].size() == round, "what has left a ranking does not come back");
      columns[c].push_back(std::log(time_us));
    }
  }
  return columns;
}

// The configurations that have at least `rounds` rounds.
std::vector<std::size_t> present(const Columns& columns, std::size_t rounds) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].size() >= rounds) found.push_back(c);
  }
  return found;
}

// The mean of each round over all configurations that stayed: the part that they have in common.
std::vector<double> round_means(const Columns& columns, const std::vector<std::size_t>& stayed) {
  std::vector<double> means(columns[stayed.front()].size(), 0.0);
  for (std::size_t round = 0; round < means.size(); ++round) {
    for (const std::size_t c : stayed) means[round] += columns[c][round];
    means[round] /= static_cast<double>(stayed.size());
  }
  return means;
}

// Subtracts the first difference.size() elements.
void subtract(std::span<const double> a, std::span<const double> b, std::span<double> difference) {
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = a[i] - b[i];
}

// The index of the pair (a, b), a < b, in a list of all pairs of k.
std::size_t pair_index(std::size_t a, std::size_t b, std::size_t k) {
  return a * k - a * (a + 1) / 2 + (b - a - 1);
}

// One pair (a, b), a < b, of configurations.
struct PairTest {
  bool first_slower = false;  // the median of a - b is above 0
  double p_adjusted = 1;      // p-value of the slower one being slower by more than the margin
};

// The p-value of either one of a pair being slower than the other by more than `margin`: the sign
// test of the differences against the margin, on the side where most of them lie.
double p_of_difference(std::span<double> difference, bool first_slower, double margin) {
  if (!first_slower) {
    for (double& one : difference) one = -one;
  }
  for (double& one : difference) one -= margin;
  const auto beyond =
      std::count_if(difference.begin(), difference.end(), [](double one) { return one > 0; });
  // Most of them are within the margin, so nothing suggests a difference.
  if (2 * static_cast<std::size_t>(beyond) <= difference.size()) return 1;
  return sign_test(difference).p;
}

// Tests all pairs of `those` over their first `rounds`, in the order of pair_index().
std::vector<PairTest> test_pairs(const Columns& columns, const std::vector<std::size_t>& those,
                                 std::size_t rounds, double margin) {
  std::vector<PairTest> pairs;
  std::vector<double> p_values;
  std::vector<double> difference(rounds);
  pairs.reserve(those.size() * (those.size() - 1) / 2);
  p_values.reserve(pairs.capacity());
  for (std::size_t a = 0; a < those.size(); ++a) {
    for (std::size_t b = a + 1; b < those.size(); ++b) {
      subtract(columns[those[a]], columns[those[b]], difference);
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

// Computes p_of_being_slower() of every configuration, among those that were present until its last
// round.
std::vector<double> all_p_of_being_slower(const Columns& columns, double margin) {
  std::vector<double> all(columns.size(), 1);
  std::set<std::size_t> lengths;
  for (const std::vector<double>& column : columns) lengths.insert(column.size());
  for (const std::size_t rounds : lengths) {
    const std::vector<std::size_t> those = present(columns, rounds);
    const std::vector<PairTest> pairs = test_pairs(columns, those, rounds, margin);
    for (std::size_t i = 0; i < those.size(); ++i) {
      if (columns[those[i]].size() == rounds)
        all[those[i]] = p_of_being_slower(pairs, i, those.size());
    }
  }
  return all;
}

// The number of rounds after which the test of one pair, among all pairs of `configurations`, could
// reject at this level: the smallest two-sided p-value is 2^(1 - rounds), and Holm multiplies it by
// the number of pairs.
int rounds_for(std::size_t configurations, double level) {
  const auto count = static_cast<double>(std::max<std::size_t>(configurations, 2));
  const double pairs = count * (count - 1) / 2;
  return 1 + static_cast<int>(std::ceil(std::log2(pairs / level)));
}

}  // namespace

FinalRanking rank_final(const std::vector<std::vector<double>>& round_us,
                        const RankingOptions& options) {
  const Columns columns = log_columns(round_us);
  const std::vector<std::size_t> stayed = present(columns, round_us.size());
  WARPWRIGHT_CHECK(!stayed.empty(), "one configuration stays to the end of a ranking");
  const std::vector<double> means = round_means(columns, stayed);
  FinalRanking ranking;
  ranking.configurations.resize(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    RankedConfiguration& ranked = ranking.configurations[c];
    std::vector<double> scratch(columns[c].size());
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
  }
  ranking.best = *std::min_element(stayed.begin(), stayed.end(), [&](std::size_t a, std::size_t b) {
    return ranking.configurations[a].score < ranking.configurations[b].score;
  });

  const std::vector<double> p = all_p_of_being_slower(columns, std::log1p(options.indifference));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    RankedConfiguration& ranked = ranking.configurations[c];
    if (c != ranking.best) {
      std::vector<double> difference(columns[c].size());
      subtract(columns[c], columns[ranking.best], difference);
      const MedianInterval slower = median_interval(difference, options.interval_confidence);
      ranked.relative = std::max(1.0, std::exp(slower.median));
      ranked.relative_low = std::exp(slower.low);
      ranked.relative_high = std::max(1.0, std::exp(slower.high));
      ranked.p_adjusted = p[c];
      const bool has_left = columns[c].size() < round_us.size();
      ranked.tied = !has_left && p[c] > 1 - options.family_confidence;
    }
    if (ranked.tied) {
      ranking.half_width = std::max(ranking.half_width, (ranked.score_high - ranked.score_low) / 2);
    }
  }
  return ranking;
}

std::vector<std::size_t> may_leave(const std::vector<std::vector<double>>& round_us, int look,
                                   const RankingOptions& options) {
  const Columns columns = log_columns(round_us);
  const double level = std::ldexp(kLooksLevel, -1 - look);
  const std::vector<double> p = all_p_of_being_slower(columns, std::log1p(options.indifference));
  std::vector<std::size_t> leaving;
  for (const std::size_t c : present(columns, round_us.size())) {
    if (p[c] <= level) leaving.push_back(c);
  }
  return leaving;
}

int rounds_to_exclude(std::size_t configurations, const RankingOptions& options) {
  return rounds_for(configurations, 1 - options.family_confidence);
}

// The first look gets half of the level of all looks.
int rounds_to_leave(std::size_t configurations) {
  return rounds_for(configurations, kLooksLevel / 2);
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
