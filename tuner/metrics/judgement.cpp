#include "metrics/judgement.h"

namespace warpwright {

std::string Violation::cause() const { return "violates " + requirement; }

std::string Violation::reason() const { return cause() + ": " + got; }

FailureReason Violation::failure() const {
  return {reason(), {FailureCode::kRequirement, requirement}};
}

std::optional<Violation> find_violation(const GoalSpec& goal, const TrialMetrics& trial,
                                        MetricNeeds known) {
  for (const Expr& requirement : goal.requirements) {
    if (needs_of(requirement) > known) continue;
    if (std::string got = trial.broken(requirement); !got.empty())
      return Violation{requirement.text(), std::move(got)};
  }
  return std::nullopt;
}

Judgement judge(const GoalSpec& goal, const TrialMetrics& trial) {
  Judgement result;
  result.violation = find_violation(goal, trial);
  bool whole = !result.violation;
  for (const GoalObjective& objective : goal.objectives) {
    const MetricValue& value = result.objectives.emplace_back(trial.value(objective.expr));
    whole &= value.value.has_value();
    if (value.value) result.costs.push_back(objective.maximize ? -*value.value : *value.value);
  }
  if (!whole) result.costs.clear();
  return result;
}

}  // namespace warpwright
