#include "replay/replay.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "core/usable_cores.h"

namespace warpwright {
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

class Crew {
 public:
  Crew(const std::vector<Recording>& recordings, const ReplayPlan& plan, ReplayResults& results)
      : recordings_(recordings), plan_(plan), results_(results), total_(results.all().size()) {}

  void work_all(const ReplayWatch& watch) {
    const std::size_t wanted =
        plan_.threads > 0 ? plan_.threads : static_cast<std::size_t>(usable_cores());
    std::vector<std::jthread> helpers;
    active_ = std::min(wanted, total_);
    for (std::size_t i = active_; i > 0; --i) helpers.emplace_back([this] { work(); });
    look_after(watch);
    helpers.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work() {
    try {
      for (std::size_t number = next_++; number < total_ && !stop_; number = next_++) {
        const RunTask task = task_at(number, plan_);
        const Recording& recording = recordings_[task.recording];
        const std::unique_ptr<Strategy> strategy = strategy_of(task, recording, plan_);
        tell_beliefs(*strategy, recording.beliefs);
        results_.all()[number] = run_strategy(
            *strategy, recording, {plan_.budgets[task.budget], plan_.in_flight, &stop_});
        ++done_;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    if (--active_ == 0) ended_.notify_all();
  }

  void look_after(const ReplayWatch& watch) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(100), [&] { return active_ == 0; })) {
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
  std::atomic<std::size_t> next_{0}, done_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t active_ = 0;
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
  Crew(recordings, plan, results).work_all(watch);
  return results;
}

}  // namespace warpwright
