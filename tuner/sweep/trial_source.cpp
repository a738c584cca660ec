#include "sweep/trial_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "metrics/judgement.h"
#include "stats/pareto_front.h"

namespace warpwright {

TrialSource::TrialSource(std::vector<PlannedBoard>& boards, const GoalSpec& goal,
                         const Budget& budget, Clock::time_point start)
    : planned_(boards), goal_(goal), budget_(budget), start_(start), boards_(boards.size()) {}

std::uint64_t TrialSource::planned() const {
  std::uint64_t total = 0;
  for (const PlannedBoard& board : planned_) {
    const std::uint64_t all = board.space->count();
    total += budget_.trials ? std::min(all, static_cast<std::uint64_t>(*budget_.trials)) : all;
  }
  return total;
}

std::optional<TrialSource::Question> TrialSource::next() {
  for (; current_ < boards_.size(); ++current_) {
    if (const auto index = ask(current_)) return Question{current_, *index};
  }
  return std::nullopt;
}

std::optional<std::uint64_t> TrialSource::ask(std::size_t board) {
  State& state = boards_[board];
  if (state.abandoned) return std::nullopt;
  if (budget_.trials && state.asked >= static_cast<std::uint64_t>(*budget_.trials)) {
    if (state.asked < planned_[board].space->count()) cut_short_ = true;
    return std::nullopt;
  }
  if (budget_.time) {
    // The remaining time is shared evenly among the remaining boards.
    if (!state.deadline) {
      const auto left = start_ + *budget_.time - Clock::now();
      state.deadline = Clock::now() + left / static_cast<int>(boards_.size() - board);
    }
    if (Clock::now() >= *state.deadline) {
      cut_short_ = true;
      return std::nullopt;
    }
  }
  if (!std::exchange(state.begun, true)) on_begin_(board);
  const std::optional<std::uint64_t> index = planned_[board].strategy->ask();
  if (index) ++state.asked;
  return index;
}

// Empty for a trial that cannot win.
std::vector<double> TrialSource::costs_of(std::size_t board, const TrialRecord& trial) const {
  if (trial.status != Status::kOk) return {};
  if (goal_.plain() && trial.median_us) return {*trial.median_us};
  return judge(goal_, TrialMetrics(trial, &planned_[board].summary.device)).costs;
}

void TrialSource::tell(const Question& question, const TrialRecord& trial) {
  Answer answer{question.index};
  const std::vector<double> costs = costs_of(question.board, trial);
  if (goal_.has_front()) {
    answer.costs = costs;
  } else if (!costs.empty()) {
    answer.cost = costs.front();
  }
  if (trial.status == Status::kPruned) answer.at_least = trial.at_least_us;
  planned_[question.board].strategy->tell(answer);
  correct(question, trial);
}

void TrialSource::correct(const Question& question, const TrialRecord& trial) {
  State& state = boards_[question.board];
  const std::vector<double> costs = costs_of(question.board, trial);
  if (costs.empty()) return;
  if (goal_.has_front()) {
    const auto beats = [&](const auto& other) { return dominates(other, costs); };
    if (std::any_of(state.front.begin(), state.front.end(), beats)) return;
    std::erase_if(state.front,
                  [&](const auto& other) { return other == costs || dominates(costs, other); });
    state.front.push_back(costs);
    state.best = trial.configuration_text;
    return;
  }
  if (state.best_cost && costs.front() >= *state.best_cost) return;
  state.best_cost = costs.front();
  state.best = trial.configuration_text;
}

TrialSource::Note TrialSource::note(std::size_t board) const {
  const State& state = boards_[board];
  if (goal_.has_front() && !state.front.empty())
    return {fmt::format("a front of {}", state.front.size()), state.best};
  if (!state.best_cost) return {"no valid configuration yet", ""};
  const GoalObjective& objective = goal_.objectives.front();
  if (!goal_.by_time()) {
    return {fmt::format("best {:.4g} of {}",
                        objective.maximize ? -*state.best_cost : *state.best_cost, objective.name),
            state.best};
  }
  return {fmt::format("best {:.4g} µs{}", *state.best_cost,
                      planned_[board].summary.device.has_clock ? "" : " modelled"),
          state.best};
}

}  // namespace warpwright
