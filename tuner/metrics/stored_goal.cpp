#include "metrics/stored_goal.h"

namespace warpwright {

GoalRecord goal_record(const GoalDraft& draft, const std::string& kernel) {
  GoalRecord record;
  record.kernel = kernel;
  for (const GoalDraft::Metric& metric : draft.metrics)
    record.metrics.push_back({metric.name, metric.expr.text()});
  for (const GoalDraft::Objective& objective : draft.objectives)
    record.objectives.push_back({objective.expr.text(), objective.maximize});
  for (const Expr& requirement : draft.requirements)
    record.requirements.push_back(requirement.text());
  return record;
}

GoalDraft draft_of(const GoalRecord& record) {
  GoalDraft draft;
  for (const GoalRecord::Metric& metric : record.metrics)
    draft.metrics.push_back({metric.name, Expr::parse(metric.expression), {}});
  for (const GoalRecord::Objective& objective : record.objectives)
    draft.objectives.push_back({Expr::parse(objective.expression), objective.maximize});
  for (const std::string& requirement : record.requirements)
    draft.requirements.push_back(Expr::parse(requirement));
  return draft;
}

}  // namespace warpwright
