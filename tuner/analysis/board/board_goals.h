// What boards are ranked by, where it is more than a short time: the goals that runs have stored,
// or one that is given instead. The newest run of a board that has one decides.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "metrics/judgement.h"
#include "spec/goal.h"
#include "store/database.h"

namespace warpwright {

struct BoardGoal {
  GoalSpec spec;
  std::optional<DeviceInfo> device;  // what metrics may need to know of it

  [[nodiscard]] TrialMetrics metrics(const TrialRecord& trial,
                                     const std::optional<ShownTime>& shown = std::nullopt) const {
    return {trial, device ? &*device : nullptr, shown};
  }
};

// Instead of the objectives and requirements that are stored; empty ones leave those in force.
struct GoalOverride {
  std::vector<std::string> objectives, requirements;  // as parse_objective() and Expr::parse()
};

class BoardGoals {
 public:
  // None: a short time is all that counts.
  BoardGoals() = default;
  // Of one run, or the newest of each board. A goal that cannot be read counts as none. Throws
  // Error (user) on an override that no board can be ranked by, such as one with an unknown name.
  explicit BoardGoals(const Database& database, std::optional<RowId> run = std::nullopt,
                      const GoalOverride& instead = {});

  // nullptr where a short time is all that counts.
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
