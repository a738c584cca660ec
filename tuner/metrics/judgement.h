// What a goal makes of one trial: whether it keeps to the requirements, and what it costs by each
// objective. The sweep tells strategies by it, boards are ranked by it.
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

// The first requirement that does not hold, of those that need at most `known`.
[[nodiscard]] std::optional<Violation> find_violation(const GoalSpec& goal,
                                                      const TrialMetrics& trial,
                                                      MetricNeeds known = MetricNeeds::kEnergy);

struct Judgement {
  std::optional<Violation> violation;
  std::vector<MetricValue> objectives;  // of the goal, in order
  // Low is good in all of them, as many as there are objectives; empty where one is not known or a
  // requirement is broken: such a trial cannot win.
  std::vector<double> costs;
};
[[nodiscard]] Judgement judge(const GoalSpec& goal, const TrialMetrics& trial);

}  // namespace warpwright
