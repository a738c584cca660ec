#include "replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "core/error.h"
#include "core/parallel.h"
#include "core/words.h"
#include "exchange/t4/t4_values.h"
#include "stats/random_search.h"

namespace warpwright {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Adds the lifetime of this object to a sum.
class QuestionTime {
 public:
  explicit QuestionTime(double& sum) : sum_(sum), begin_(SteadyClock::now()) {}
  ~QuestionTime() { sum_ += std::chrono::duration<double>(SteadyClock::now() - begin_).count(); }
  QuestionTime(const QuestionTime&) = delete;
  QuestionTime& operator=(const QuestionTime&) = delete;

 private:
  double& sum_;
  SteadyClock::time_point begin_;
};

class Runner {
 public:
  Runner(Strategy& strategy, const Recording& recording, const RunLimits& limits)
      : strategy_(strategy), recording_(recording), limits_(limits), seen_(recording.count()) {}

  ReplayRun run() {
    while (!stopped()) {
      while (waiting_.size() < limits_.in_flight && ask()) {
      }
      if (waiting_.empty()) break;
      answer();
    }
    return std::move(run_);
  }

 private:
  struct Question {
    std::uint64_t index = 0;
    bool first = false;  // first time that this index is asked
    double seconds = 0;
  };

  [[nodiscard]] bool stopped() const {
    return limits_.stop != nullptr && limits_.stop->load(std::memory_order_relaxed);
  }

  // Returns false if there is nothing to ask now. A strategy that waits for answers is asked again.
  bool ask() {
    if (spent_ == limits_.budget || repeats_ == kMaxRepeats) return false;
    Question question;
    std::optional<std::uint64_t> index;
    {
      const QuestionTime time(question.seconds);
      index = strategy_.ask();
    }
    if (!index) return false;
    WARPWRIGHT_CHECK(*index < recording_.count(), "a strategy asked for what is not in the space");
    question.index = *index;
    question.first = !seen_[*index];
    seen_[*index] = true;
    spent_ += question.first;
    repeats_ = question.first ? 0 : repeats_ + 1;
    waiting_.push_back(question);
    return true;
  }

  void answer() {
    Question question = waiting_.front();
    waiting_.pop_front();
    Answer answer;
    answer.index = question.index;
    if (const double us = recording_.us[question.index]; us > 0) answer.cost = us;
    if (const double us = recording_.at_least_us[question.index]; us > 0) answer.at_least = us;
    {
      const QuestionTime time(question.seconds);
      strategy_.tell(answer);
    }
    run_.question_seconds.push_back(static_cast<float>(question.seconds));
    if (question.first) run_.evaluated.push_back(static_cast<std::uint32_t>(question.index));
  }

  Strategy& strategy_;
  const Recording& recording_;
  const RunLimits& limits_;
  std::vector<bool> seen_;
  std::deque<Question> waiting_;
  std::uint64_t spent_ = 0, repeats_ = 0;
  ReplayRun run_;
};

}  // namespace

ReplayRun run_strategy(Strategy& strategy, const Recording& recording, const RunLimits& limits) {
  return Runner(strategy, recording, limits).run();
}

RunScore score_run(const ReplayRun& run, const Recording& recording, std::uint64_t budget) {
  RunScore result;
  double best_us = 0;
  for (std::size_t i = 0; i < run.evaluated.size(); ++i) {
    const double us = recording.us[run.evaluated[i]];
    if (us > 0 && (best_us == 0 || us < best_us)) {
      best_us = us;
      result.score = recording.best_us / us;
      const double slowdown = us / recording.best_us;
      if (!result.within_1 && within_of_best(slowdown, 0.01)) result.within_1 = i + 1;
      if (!result.within_5 && within_of_best(slowdown, 0.05)) result.within_5 = i + 1;
    }
    result.area += result.score;
  }
  result.area += result.score * static_cast<double>(budget - run.evaluated.size());
  result.area /= static_cast<double>(budget);
  return result;
}

std::vector<double> score_curve(const ReplayRun& run, const Recording& recording,
                                std::uint64_t budget) {
  std::vector<double> curve(budget, 0);
  double score = 0;
  for (std::uint64_t i = 0; i < budget; ++i) {
    const double us = i < run.evaluated.size() ? recording.us[run.evaluated[i]] : 0;
    if (us > 0) score = std::max(score, recording.best_us / us);
    curve[i] = score;
  }
  return curve;
}

namespace {

struct RunTask {
  std::size_t recording = 0, strategy = 0, budget = 0;
  std::uint64_t repeat = 0;
};

RunTask task_at(std::size_t number, const ReplayPlan& plan) {
  RunTask task;
  task.repeat = number % plan.repeats;
  number /= plan.repeats;
  task.budget = number % plan.budgets.size();
  number /= plan.budgets.size();
  task.strategy = number % plan.strategies.size();
  task.recording = number / plan.strategies.size();
  return task;
}

std::unique_ptr<Strategy> strategy_of(const RunTask& task, const Recording& recording,
                                      const ReplayPlan& plan) {
  const ReplayStrategy& strategy = plan.strategies[task.strategy];
  StrategyOptions options;
  options.seed = plan.seed + task.repeat;
  options.values = strategy.values;
  options.budget = plan.budgets[task.budget];
  return make_strategy(strategy.name, *recording.space, options);
}

// Makes every strategy once, so that a wrong option is reported at once, not when its turn comes.
void try_strategies(const std::vector<Recording>& recordings, const ReplayPlan& plan) {
  for (std::size_t strategy = 0; strategy < plan.strategies.size(); ++strategy)
    static_cast<void>(strategy_of({0, strategy, 0, 0}, recordings.front(), plan));
}

class ReplayWorkers {
 public:
  ReplayWorkers(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                ReplayResults& results)
      : recordings_(recordings), plan_(plan), results_(results), total_(results.all().size()) {}

  void work_all(const ReplayWatch& watch) {
    {
      const std::jthread workers([this] { work(); });
      look_after(watch);
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // Runs everything; the caller of work_all() stays free to show progress.
  void work() {
    try {
      parallel_ranges(total_, 1, static_cast<int>(plan_.threads),
                      [this](std::uint64_t first, std::uint64_t last) {
                        for (std::uint64_t number = first; number < last; ++number) run(number);
                      });
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    ended_.notify_all();
  }

  void run(std::size_t number) {
    if (stop_) return;
    try {
      const RunTask task = task_at(number, plan_);
      const Recording& recording = recordings_[task.recording];
      const std::unique_ptr<Strategy> strategy = strategy_of(task, recording, plan_);
      tell_beliefs(*strategy, recording.beliefs);
      results_.all()[number] =
          run_strategy(*strategy, recording, {plan_.budgets[task.budget], plan_.in_flight, &stop_});
      ++done_;
    } catch (...) {
      stop_ = true;  // ends the runs in progress
      throw;
    }
  }

  void look_after(const ReplayWatch& watch) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(100), [&] { return is_done_; })) {
      if (watch.progress) watch.progress(done_, total_);
      if (!watch.stopped || !watch.stopped()) continue;
      stop_ = true;
      results_.interrupted = true;
    }
    if (watch.progress) watch.progress(done_, total_);
  }

  const std::vector<Recording>& recordings_;
  const ReplayPlan& plan_;
  ReplayResults& results_;
  const std::size_t total_;
  std::atomic<std::size_t> done_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_done_ = false;
  std::exception_ptr failure_;
};

}  // namespace

ReplayResults::ReplayResults(std::size_t recordings, const ReplayPlan& plan)
    : strategies_(plan.strategies.size()),
      budgets_(plan.budgets.size()),
      repeats_(plan.repeats),
      runs_(recordings * strategies_ * budgets_ * repeats_) {}

std::span<const ReplayRun> ReplayResults::runs(std::size_t recording, std::size_t strategy,
                                               std::size_t budget) const {
  const std::size_t group = (recording * strategies_ + strategy) * budgets_ + budget;
  return std::span(runs_).subspan(group * repeats_, repeats_);
}

ReplayResults replay(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                     const ReplayWatch& watch) {
  try_strategies(recordings, plan);
  ReplayResults results(recordings.size(), plan);
  ReplayWorkers(recordings, plan, results).work_all(watch);
  return results;
}

namespace {

std::vector<std::string> known_strategies() {
  std::vector<std::string> names;
  for (const auto& [name, help] : strategy_names()) names.push_back(name);
  return names;
}

void add_strategy(const std::string& name, std::vector<ReplayStrategy>& strategies) {
  const bool there = std::any_of(strategies.begin(), strategies.end(),
                                 [&](const ReplayStrategy& one) { return one.name == name; });
  if (!there) strategies.push_back({name});
}

ReplayStrategy& strategy_named(const std::string& setting, const std::string& name,
                               std::vector<ReplayStrategy>& strategies) {
  std::vector<std::string> names;
  for (ReplayStrategy& strategy : strategies) {
    if (strategy.name == name) return strategy;
    names.push_back(strategy.name);
  }
  throw user_error(fmt::format("--set {}: '{}' is not a strategy of this replay{}", setting, name,
                               suggestion(name, names)));
}

void apply_setting(const std::string& setting, std::vector<ReplayStrategy>& strategies) {
  const std::size_t equals = setting.find('=');
  const std::size_t dot = setting.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 >= equals ||
      equals + 1 == setting.size()) {
    throw user_error(fmt::format(
        "--set {}: expected STRATEGY.OPTION=VALUE; for example --set genetic.population=30",
        setting));
  }
  ReplayStrategy& strategy = strategy_named(setting, setting.substr(0, dot), strategies);
  strategy.values[setting.substr(dot + 1, equals - dot - 1)] =
      read_value(setting.substr(equals + 1));
}

}  // namespace

std::vector<ReplayStrategy> strategies_of(const std::vector<std::string>& names,
                                          const std::vector<std::string>& settings) {
  const std::vector<std::string> known = known_strategies();
  std::vector<ReplayStrategy> strategies;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const std::string& one : known)
        if (one != "exhaustive") add_strategy(one, strategies);
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      add_strategy(name, strategies);
    } else {
      throw user_error(
          fmt::format("--strategy: unknown strategy '{}'{}", name, suggestion(name, known)));
    }
  }
  for (const std::string& setting : settings) apply_setting(setting, strategies);
  return strategies;
}

void check_runs(std::size_t recordings, const ReplayPlan& plan) {
  const double runs = static_cast<double>(recordings) *
                      static_cast<double>(plan.strategies.size()) *
                      static_cast<double>(plan.budgets.size()) * static_cast<double>(plan.repeats);
  if (runs <= kMaxRuns) return;
  throw user_error(fmt::format(
      "{:.0f} runs ({} x {} x {} x {}: recordings, strategies, budgets, repeats), "
      "expected at most {:.0f}; lower --repeats",
      runs, recordings, plan.strategies.size(), plan.budgets.size(), plan.repeats, kMaxRuns));
}

}  // namespace warpwright
