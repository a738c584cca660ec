// One run of a strategy against a recording. Its cost is counted as in published comparisons of
// tuners: the first evaluation of each configuration costs 1, whether it succeeded or failed, and
// repeats are free; a run ends when the budget is spent, or earlier if the strategy stops.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "replay/recording.h"
#include "search/strategy.h"

namespace warpwright {

struct RunLimits {
  std::uint64_t budget = 0;
  std::uint64_t in_flight = 1;  // questions unanswered at a time; answers come in their order
  const std::atomic<bool>* stop = nullptr;  // ends the run early where it becomes true
};

struct ReplayRun {
  std::vector<std::uint32_t> evaluated;  // indices, each once, in the order answered
  std::vector<float> question_seconds;   // the strategy's time for each of its questions
};

// A strategy that repeats itself this often in a row is considered finished.
inline constexpr std::uint64_t kMostRepeats = 10'000;

[[nodiscard]] ReplayRun run_strategy(Strategy& strategy, const Recording& recording,
                                     const RunLimits& limits);

// The score of the best found time, best / found: 1 is the best there is, 0 means that nothing
// succeeded.
struct RunScore {
  double score = 0;
  double area = 0;  // the mean of the score so far over all evaluations of the budget
  // Evaluations until the best found was within 1 and 5 % of the best.
  std::optional<std::uint64_t> within_1, within_5;
};
[[nodiscard]] RunScore score_run(const ReplayRun& run, const Recording& recording,
                                 std::uint64_t budget);

// The score after each of `budget` evaluations; it stays as it is once a run has ended.
[[nodiscard]] std::vector<double> score_curve(const ReplayRun& run, const Recording& recording,
                                              std::uint64_t budget);

}  // namespace warpwright
