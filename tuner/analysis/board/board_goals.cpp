#include "analysis/board/board_goals.h"

#include <algorithm>
#include <set>

#include "metrics/trial_metrics.h"

namespace warpwright {
namespace {

// All names that some trial of the database may give a value.
GoalNames names_of(const Database& database) {
  std::set<std::string> parameters, sizes;
  GoalNames names;
  for (const Database::TrialRow& row : database.trials({})) {
    const auto add = [&](const auto* values, std::set<std::string>& known) {
      if (values == nullptr) return;
      for (const auto& [name, value] : *values) {
        known.insert(name);
        if (value.is_string()) names.texts.insert(name);
      }
    };
    add(row.trial.parameters.readable(), parameters);
    add(row.trial.problem.readable(), sizes);
  }
  names.parameters.assign(parameters.begin(), parameters.end());
  names.sizes.assign(sizes.begin(), sizes.end());
  return names;
}

}  // namespace

BoardGoals::BoardGoals(const Database& database, std::optional<RowId> run,
                       const GoalOverride& instead) {
  for (const auto& [id, device] : database.devices())
    if (const DeviceInfo* info = device.details.readable())
      devices_.emplace(device.fingerprint, *info);
  for (const auto& [id, row] : database.runs()) {
    const GoalRecord* goal = run && id != *run ? nullptr : row.goal.readable();
    if (goal == nullptr) continue;
    GoalDraft draft;
    try {
      draft = draft_of(*goal);
      (void)restore_goal(draft);
    } catch (const Error&) {
      continue;  // edited by hand
    }
    for (const GoalRecord::Board& board : goal->boards)
      drafts_.insert_or_assign({goal->kernel, board.fingerprint, board.problem_text}, draft);
  }
  for (const std::string& text : instead.objectives)
    instead_.objectives.push_back(parse_objective(text, {"--objective"}));
  for (const std::string& text : instead.requirements)
    instead_.requirements.push_back(Expr::parse(text, {"--require"}));
  if (!instead_.empty()) check(database);
}

// Checks the override against the metrics of all goals: a name that any of them defines is not a
// typo.
void BoardGoals::check(const Database& database) const {
  GoalDraft draft = instead_;
  std::set<std::string> seen;
  for (const auto& [board, stored] : drafts_)
    for (const GoalDraft::Metric& metric : stored.metrics)
      if (seen.insert(metric.name).second) draft.metrics.push_back(metric);
  (void)resolve_goal(draft, names_of(database));
}

std::shared_ptr<const BoardGoal> BoardGoals::find(const std::string& kernel,
                                                  const std::string& fingerprint,
                                                  const std::string& problem_text) const {
  const auto found = drafts_.find({kernel, fingerprint, problem_text});
  GoalDraft draft = found == drafts_.end() ? GoalDraft{} : found->second;
  if (!instead_.objectives.empty()) draft.objectives = instead_.objectives;
  if (!instead_.requirements.empty()) draft.requirements = instead_.requirements;
  auto goal = std::make_shared<BoardGoal>();
  goal->spec = restore_goal(draft);
  if (goal->spec.plain()) return nullptr;
  if (const auto device = devices_.find(fingerprint); device != devices_.end())
    goal->device = device->second;
  return goal;
}

}  // namespace warpwright
