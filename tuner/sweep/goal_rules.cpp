#include "sweep/goal_rules.h"

#include <algorithm>
#include <utility>

#include "metrics/trial_metrics.h"
#include "sweep/trial_record.h"

namespace warpwright {

bool may_end_trials_early(const SweepOptions& options, const SweepPlan& plan) {
  return options.screening && plan.goal.may_prune();
}

bool counts_energy(const SweepPlan& plan, std::size_t board) {
  const std::vector<ArgumentSpec>& arguments = plan.kernel.arguments;
  return plan.goal.uses_energy() && plan.device_of(board).counts_energy &&
         std::none_of(arguments.begin(), arguments.end(), [](const ArgumentSpec& argument) {
           return argument.role == ArgumentRole::kInOut;
         });
}

bool may_win(const SweepPlan& plan, std::size_t board, const TrialRecord& trial) {
  if (plan.goal.requirements.empty()) return true;
  const MetricNeeds known =
      trial.status == Status::kViolates ? MetricNeeds::kCompiler : MetricNeeds::kEnergy;
  return !find_violation(plan.goal, TrialMetrics(trial, &plan.device_of(board)), known);
}

std::optional<Outcome> refused_by_goal(const SweepPlan& plan, const TrialTask& task) {
  if (plan.goal.requirements.empty()) return std::nullopt;
  Outcome outcome;
  outcome.status = Status::kViolates;
  outcome.resources = task.trial().compiled.resources;
  const SweepBoard& board = plan.boards[task.question.board].summary;
  const TrialRecord trial =
      make_trial_record(plan.kernel, board, task.trial().configuration, task.identity, outcome);
  const std::optional<Violation> violation =
      find_violation(plan.goal, TrialMetrics(trial, &board.device), MetricNeeds::kCompiler);
  if (!violation) return std::nullopt;
  FailureReason failure = violation->failure();
  outcome.reason = std::move(failure.text);
  outcome.detail = std::move(failure.detail);
  return outcome;
}

}  // namespace warpwright
