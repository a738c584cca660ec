// Reports the performance of strategies in replays: scores with their standard errors, the
// evaluations until each was near the best, the course of the best so far, and next to them the
// exact results of random search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/replay.h"

namespace warpwright {

// Evaluations until at least half of the runs were within 1 and 5 % of the best; none if half of
// them never were. The means over runs count a run that never was with its whole length.
struct NearBestAfter {
  std::optional<std::uint64_t> within_1, within_5;
  double mean_1 = 0, mean_5 = 0;
};

// The score so far over the evaluations; quartiles are over runs, and equal the mean if it is
// exact.
struct ScoreCurve {
  std::vector<std::uint64_t> at;
  std::vector<double> mean, low, high;
};

struct BudgetScore {
  std::uint64_t budget = 0;
  double score = 0;
  std::optional<double> standard_error;  // none for one run or an exact result
  double area = 0;
  double evaluations = 0;  // mean per run
  NearBestAfter near;
  std::vector<double> scores = {};  // of each run, in order of seed
  ScoreCurve curve = {};
};

// A strategy's own time for a question: asking it and processing its answer, in seconds.
struct QuestionSeconds {
  double median = 0, mean = 0;
  std::size_t questions = 0;
};

struct StrategyScores {
  std::string name;
  bool exact = false;                // random search in closed form, which asks nothing
  std::vector<BudgetScore> budgets;  // in the order of the plan
  QuestionSeconds question;          // over all budgets
};

struct RecordingScores {
  std::vector<StrategyScores> strategies;  // exact random search, then those of the plan
};

struct ReplayReport {
  std::vector<RecordingScores> recordings;
  // Means over recordings: plain means of their means, with the standard error of the seeds' means.
  // The evaluations until near the best and the strategies' own times are over all runs together,
  // and there are no curves. Empty with one recording.
  std::vector<StrategyScores> mean;
};

[[nodiscard]] ReplayReport make_replay_report(const std::vector<Recording>& recordings,
                                              const ReplayPlan& plan, const ReplayResults& results);

inline constexpr const char* kExactRandom = "random, exact";

}  // namespace warpwright
