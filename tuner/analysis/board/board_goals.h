// The goals of boards that are ranked by more than a short time: those that runs have stored, or
// one that is given instead. For each board, the newest run that stored a goal decides.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "metrics/trial_metrics.h"
#include "spec/goal.h"
#include "store/database.h"

namespace warpwright {

struct BoardGoal {
  GoalSpec spec;
  std::optional<DeviceInfo> device;  // metrics may need its details

  [[nodiscard]] TrialMetrics metrics(const TrialRecord& trial,
                                     const std::optional<ShownTime>& shown = std::nullopt) const {
    return {trial, device ? &*device : nullptr, shown};
  }
};

// Replaces the stored objectives and requirements; empty ones leave those in force.
struct GoalOverride {
  std::vector<std::string> objectives, requirements;  // see parse_objective() and Expr::parse()
};

class BoardGoals {
 public:
  // No goals: only the time counts.
  BoardGoals() = default;
  // Reads the goals of one run, or the newest of each board. A goal that cannot be read is ignored.
  // Throws Error (user) for an override that no board can be ranked by, such as one with an unknown
  // name.
  explicit BoardGoals(const Database& database, std::optional<RowId> run = std::nullopt,
                      const GoalOverride& instead = {});

  // Returns nullptr if only the time counts.
  [[nodiscard]] std::shared_ptr<const BoardGoal> find(const std::string& kernel,
                                                      const std::string& fingerprint,
                                                      const std::string& problem_text) const;

 private:
  void check(const Database& database) const;

  std::map<std::tuple<std::string, std::string, std::string>, GoalDraft> drafts_;
  std::map<std::string, DeviceInfo> devices_;  // by fingerprint
  GoalDraft instead_;
};

}  // namespace warpwright
