// `warpwright replay`: runs strategies against complete recordings, without a device. Every run (of
// a recording, a strategy, a budget and a seed) is independent; runs execute in parallel, and their
// results do not depend on the number of threads. The time that strategies take for a question is
// measured here.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "replay/recording.h"
#include "search/strategy.h"

namespace warpwright {

// One run of a strategy against a recording. Its cost is counted as in published comparisons of
// tuners: the first evaluation of each configuration costs 1, whether it succeeded or failed, and
// repeats are free; a run ends when the budget is spent, or earlier if the strategy stops.

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
inline constexpr std::uint64_t kMaxRepeats = 10'000;

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

struct ReplayStrategy {
  std::string name;
  std::map<std::string, Value> values = {};  // its options
};

struct ReplayPlan {
  std::vector<ReplayStrategy> strategies;
  std::vector<std::uint64_t> budgets;
  std::uint64_t repeats = 50;  // seeds `seed`, `seed` + 1, ...
  std::uint64_t seed = 1;
  std::uint64_t in_flight = 1;
  std::size_t threads = 0;  // 0: as many as the machine has
};

// Callbacks while runs go on, made from the thread that called replay().
struct ReplayWatch {
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  std::function<bool()> stopped = {};
};

// The results of all runs, in the order recording, strategy, budget, seed.
class ReplayResults {
 public:
  ReplayResults(std::size_t recordings, const ReplayPlan& plan);

  [[nodiscard]] std::vector<ReplayRun>& all() { return runs_; }
  // The runs of every seed.
  [[nodiscard]] std::span<const ReplayRun> runs(std::size_t recording, std::size_t strategy,
                                                std::size_t budget) const;
  bool interrupted = false;  // missing results are empty then

 private:
  std::size_t strategies_, budgets_, repeats_;
  std::vector<ReplayRun> runs_;
};

// Throws Error (user) before the first run for an unknown strategy or an option that it does not
// take.
[[nodiscard]] ReplayResults replay(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                                   const ReplayWatch& watch = {});

// The limit exists because runs are kept until all have ended.
inline constexpr double kMaxRuns = 2e6;

// Makes the strategies of a plan from the words of a command line: `names` are strategies, or "all"
// for every one but exhaustive search; `settings` are "strategy.option=value". Throws Error (user)
// for an unknown name, a setting of another form or of a strategy that is not among them.
[[nodiscard]] std::vector<ReplayStrategy> strategies_of(const std::vector<std::string>& names,
                                                        const std::vector<std::string>& settings);

// Throws Error (user) when there are more than kMaxRuns of them.
void check_runs(std::size_t recordings, const ReplayPlan& plan);

}  // namespace warpwright
