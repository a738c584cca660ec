#include "replay/replay_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/random_search.h"

namespace warpwright {
namespace {

using MaybeCount = std::optional<std::uint64_t>;

// A curve has more points than are visible; the ones kept are evenly spaced in logarithms.
constexpr double kPointsPerDecade = 24;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> standard_error_of(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / (count - 1) / count);
}

// The median count; runs that never got there sort last.
MaybeCount reached_by_half(std::vector<MaybeCount> counts) {
  const auto later = [](const MaybeCount& a, const MaybeCount& b) {
    return a.value_or(UINT64_MAX) < b.value_or(UINT64_MAX);
  };
  const std::size_t half = (counts.size() - 1) / 2;
  std::nth_element(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(half), counts.end(),
                   later);
  return counts[half];
}

// Runs that were never near count with all of `last`.
double mean_count(const std::vector<MaybeCount>& counts, std::uint64_t last) {
  double sum = 0;
  for (const MaybeCount& count : counts) sum += static_cast<double>(count.value_or(last));
  return sum / static_cast<double>(counts.size());
}

NearBestAfter near_best(std::vector<MaybeCount> within_1, std::vector<MaybeCount> within_5,
                        double mean_1, double mean_5) {
  return {reached_by_half(std::move(within_1)), reached_by_half(std::move(within_5)), mean_1,
          mean_5};
}

// Includes 1 and `last`.
std::vector<std::uint64_t> curve_points(std::uint64_t last) {
  std::vector<std::uint64_t> points;
  for (int i = 0;; ++i) {
    const auto at = static_cast<std::uint64_t>(std::llround(std::pow(10, i / kPointsPerDecade)));
    if (at >= last) break;
    if (points.empty() || at > points.back()) points.push_back(at);
  }
  points.push_back(last);
  return points;
}

double quantile_of(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

ScoreCurve curve_of(std::span<const ReplayRun> runs, const Recording& recording,
                    std::uint64_t budget) {
  const std::uint64_t last = std::min<std::uint64_t>(budget, recording.count());
  std::vector<std::vector<double>> curves;
  for (const ReplayRun& run : runs) curves.push_back(score_curve(run, recording, last));
  ScoreCurve curve;
  curve.at = curve_points(last);
  std::vector<double> scores(curves.size());
  for (const std::uint64_t at : curve.at) {
    std::transform(curves.begin(), curves.end(), scores.begin(),
                   [at](const std::vector<double>& one) { return one[at - 1]; });
    std::sort(scores.begin(), scores.end());
    curve.mean.push_back(mean_of(scores));
    curve.low.push_back(quantile_of(scores, 0.25));
    curve.high.push_back(quantile_of(scores, 0.75));
  }
  return curve;
}

BudgetScore score_budget(std::span<const ReplayRun> runs, const Recording& recording,
                         std::uint64_t budget) {
  std::vector<double> scores, areas, evaluations;
  std::vector<MaybeCount> within_1, within_5;
  for (const ReplayRun& run : runs) {
    const RunScore one = score_run(run, recording, budget);
    scores.push_back(one.score);
    areas.push_back(one.area);
    evaluations.push_back(static_cast<double>(run.evaluated.size()));
    within_1.push_back(one.within_1);
    within_5.push_back(one.within_5);
  }
  BudgetScore result;
  result.budget = budget;
  result.score = mean_of(scores);
  result.standard_error = standard_error_of(scores);
  result.area = mean_of(areas);
  result.evaluations = mean_of(evaluations);
  const std::uint64_t last = std::min<std::uint64_t>(budget, recording.count());
  const double mean_1 = mean_count(within_1, last), mean_5 = mean_count(within_5, last);
  result.near = near_best(std::move(within_1), std::move(within_5), mean_1, mean_5);
  result.scores = std::move(scores);
  result.curve = curve_of(runs, recording, budget);
  return result;
}

QuestionSeconds question_seconds(std::vector<float> seconds) {
  if (seconds.empty()) return {};
  QuestionSeconds result;
  result.questions = seconds.size();
  result.mean =
      std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  result.median = *middle;
  return result;
}

// The fewest draws after which at least half of the searches are near, over one space or several.
MaybeCount draws_within(const std::vector<RandomSearch>& spaces, double fraction,
                        std::uint64_t budget) {
  const auto likely = [&](std::uint64_t draws) {
    double chance = 0;
    for (const RandomSearch& space : spaces) chance += space.chance_within(fraction, draws);
    return chance >= 0.5 * static_cast<double>(spaces.size());
  };
  std::uint64_t low = 1, high = budget;
  if (!likely(high)) return std::nullopt;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    likely(middle) ? high = middle : low = middle + 1;
  }
  return low;
}

// The mean number of draws of a random search: the sum of the chances that it continues.
double mean_draws(const RandomSearch& space, double fraction, std::uint64_t last) {
  double sum = 0;
  for (std::uint64_t draws = 0; draws < last; ++draws) {
    const double left = draws == 0 ? 1 : 1 - space.chance_within(fraction, draws);
    if (left < 1e-12) break;
    sum += left;
  }
  return sum;
}

class Reporter {
 public:
  Reporter(const std::vector<Recording>& recordings, const ReplayPlan& plan,
           const ReplayResults& results)
      : recordings_(recordings), plan_(plan), results_(results) {
    for (const Recording& recording : recordings) {
      spaces_.emplace_back(recording.times(), recording.count());
      largest_ = std::max<std::uint64_t>(largest_, recording.count());
    }
  }

  ReplayReport make() {
    ReplayReport report;
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      RecordingScores& scores = report.recordings.emplace_back();
      scores.strategies.push_back(exact_random(i));
      for (std::size_t s = 0; s < plan_.strategies.size(); ++s)
        scores.strategies.push_back(strategy_scores(i, s));
    }
    if (recordings_.size() > 1) report.mean = mean_scores(report.recordings);
    return report;
  }

 private:
  [[nodiscard]] StrategyScores exact_random(std::size_t recording) const {
    StrategyScores scores{kExactRandom, true, {}, {}};
    const RandomSearch& space = spaces_[recording];
    for (const std::uint64_t budget : plan_.budgets) {
      const std::uint64_t last = std::min<std::uint64_t>(budget, recordings_[recording].count());
      BudgetScore& score = scores.budgets.emplace_back();
      score.budget = budget;
      score.score = space.expected_score(budget);
      score.area = space.expected_area(budget);
      score.evaluations = static_cast<double>(last);
      score.near = {draws_within({space}, 0.01, last), draws_within({space}, 0.05, last),
                    mean_draws(space, 0.01, last), mean_draws(space, 0.05, last)};
      score.curve.at = curve_points(last);
      for (const std::uint64_t at : score.curve.at)
        score.curve.mean.push_back(space.expected_score(at));
      score.curve.low = score.curve.high = score.curve.mean;
    }
    return scores;
  }

  StrategyScores strategy_scores(std::size_t recording, std::size_t strategy) {
    StrategyScores scores{plan_.strategies[strategy].name, false, {}, {}};
    std::vector<float> seconds;
    for (std::size_t b = 0; b < plan_.budgets.size(); ++b) {
      const auto runs = results_.runs(recording, strategy, b);
      for (const ReplayRun& run : runs)
        seconds.insert(seconds.end(), run.question_seconds.begin(), run.question_seconds.end());
      scores.budgets.push_back(score_budget(runs, recordings_[recording], plan_.budgets[b]));
    }
    scores.question = question_seconds(std::move(seconds));
    return scores;
  }

  [[nodiscard]] std::vector<StrategyScores> mean_scores(
      const std::vector<RecordingScores>& recordings) const {
    std::vector<StrategyScores> means;
    for (std::size_t s = 0; s < recordings.front().strategies.size(); ++s) {
      const StrategyScores& first = recordings.front().strategies[s];
      StrategyScores& mean = means.emplace_back(StrategyScores{first.name, first.exact, {}, {}});
      for (std::size_t b = 0; b < plan_.budgets.size(); ++b) {
        mean.budgets.push_back(mean_of_recordings(recordings, s, b));
        NearBestAfter& near = mean.budgets.back().near;
        near = first.exact ? exact_near(b) : near_of_all(s - 1, b);
        // All recordings have the same number of runs.
        for (const RecordingScores& recording : recordings) {
          const NearBestAfter& one = recording.strategies[s].budgets[b].near;
          near.mean_1 += one.mean_1 / static_cast<double>(recordings.size());
          near.mean_5 += one.mean_5 / static_cast<double>(recordings.size());
        }
      }
      if (!first.exact) mean.question = question_of_all(s - 1);
    }
    return means;
  }

  [[nodiscard]] BudgetScore mean_of_recordings(const std::vector<RecordingScores>& recordings,
                                               std::size_t strategy, std::size_t budget) const {
    const auto count = static_cast<double>(recordings.size());
    BudgetScore mean;
    mean.budget = plan_.budgets[budget];
    // Means are taken per seed: recordings of one size draw alike from one seed, so their errors
    // are not independent.
    std::vector<double> seeds(strategy == 0 ? 0 : plan_.repeats, 0);
    for (const RecordingScores& recording : recordings) {
      const BudgetScore& one = recording.strategies[strategy].budgets[budget];
      mean.score += one.score / count;
      mean.area += one.area / count;
      mean.evaluations += one.evaluations / count;
      for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] += one.scores[i] / count;
    }
    mean.standard_error = standard_error_of(seeds);
    return mean;
  }

  [[nodiscard]] NearBestAfter exact_near(std::size_t budget) const {
    const std::uint64_t last = std::min(plan_.budgets[budget], largest_);
    return {draws_within(spaces_, 0.01, last), draws_within(spaces_, 0.05, last), 0, 0};
  }

  [[nodiscard]] NearBestAfter near_of_all(std::size_t strategy, std::size_t budget) const {
    std::vector<MaybeCount> within_1, within_5;
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      for (const ReplayRun& run : results_.runs(i, strategy, budget)) {
        const RunScore one = score_run(run, recordings_[i], plan_.budgets[budget]);
        within_1.push_back(one.within_1);
        within_5.push_back(one.within_5);
      }
    }
    return near_best(std::move(within_1), std::move(within_5), 0, 0);
  }

  [[nodiscard]] QuestionSeconds question_of_all(std::size_t strategy) const {
    std::vector<float> seconds;
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      for (std::size_t b = 0; b < plan_.budgets.size(); ++b) {
        for (const ReplayRun& run : results_.runs(i, strategy, b))
          seconds.insert(seconds.end(), run.question_seconds.begin(), run.question_seconds.end());
      }
    }
    return question_seconds(std::move(seconds));
  }

  const std::vector<Recording>& recordings_;
  const ReplayPlan& plan_;
  const ReplayResults& results_;
  std::vector<RandomSearch> spaces_;
  std::uint64_t largest_ = 0;
};

}  // namespace

ReplayReport make_replay_report(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                                const ReplayResults& results) {
  return Reporter(recordings, plan, results).make();
}

}  // namespace warpwright
