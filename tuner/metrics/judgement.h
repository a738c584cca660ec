// The judgement of one trial by a goal: whether it satisfies the requirements, and its cost by each
// objective. The sweep reports it to strategies, and boards are ranked by it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/trial_metrics.h"
#include "records/failure_detail.h"
#include "spec/goal.h"

namespace warpwright {

struct Violation {
  std::string requirement;  // "registers <= 128"
  std::string got;          // "168"
  // "violates registers <= 128" and "violates registers <= 128: 168".
  [[nodiscard]] std::string cause() const;
  [[nodiscard]] std::string reason() const;
  [[nodiscard]] FailureReason failure() const;
};

// The first requirement that does not hold, among those that need at most `known`.
[[nodiscard]] std::optional<Violation> find_violation(const GoalSpec& goal,
                                                      const TrialMetrics& trial,
                                                      MetricNeeds known = MetricNeeds::kEnergy);

struct Judgement {
  std::optional<Violation> violation;
  std::vector<MetricValue> objectives;  // of the goal, in order
  // One cost per objective, where low is good; empty if one is unknown or a requirement is broken,
  // in which case the trial cannot win.
  std::vector<double> costs;
};
[[nodiscard]] Judgement judge(const GoalSpec& goal, const TrialMetrics& trial);

}  // namespace warpwright
