// The metrics of spec/metric_table.h for one stored trial, expressions over them, and the judgement
// of the trial by a goal. Nothing is measured here: values that the trial's row does not hold, as
// in databases of older versions, are unknown, with a reason.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "records/device_info.h"
#include "records/goal_record.h"
#include "records/kernel_resources.h"
#include "records/records.h"
#include "records/status.h"
#include "spec/goal.h"

namespace warpwright {

// The share of an SM's threads that can be resident with one entry's blocks: the theoretical
// occupancy, by the rules of the CUDA occupancy calculator for compute capability 7.0 and up. 0 to
// 1, and 0 if not even one block fits; nullopt when a required figure is unknown.
[[nodiscard]] std::optional<double> occupancy(const EntryResources& entry,
                                              const DeviceInfo& device);

// The device resources of a trial's entry points, over all launches of a configuration. Each is
// nullopt if the compiler gave no figure.
struct ResourceSummary {
  std::optional<int> registers;     // per thread, the largest
  std::optional<int> shared_bytes;  // per block, static and dynamic, the largest
  std::optional<int> spill_bytes;   // per thread, stores and loads, summed
};

[[nodiscard]] ResourceSummary summarise_resources(const TrialResources& resources);

// Whether an expression is monotonic in a trial's time, so that the ends of the time's interval
// give the ends of its own. True when the expression names time_us, gbs or gflops once and nothing
// else that is measured, and combines it by + - * / alone, never below a division by a sum. Returns
// false for everything else: no interval is better than a wrong one.
[[nodiscard]] bool follows_time(const Expr& expr);

struct MetricValue {
  std::optional<double> value;  // finite
  std::string why;              // the reason for a missing value, in one line
  // From the time's interval, if the expression is monotonic in the time and depends on nothing
  // else that is measured: see follows_time().
  std::optional<double> low, high;
};

// The time of a final ranking, which replaces the trial's own; µs.
struct ShownTime {
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
};

class TrialMetrics {
 public:
  // `device` is the trial's device; null when unknown.
  TrialMetrics(const TrialRecord& trial, const DeviceInfo* device,
               const std::optional<ShownTime>& shown = std::nullopt);

  // Never throws: an expression that has no finite number for this trial has a reason instead.
  [[nodiscard]] MetricValue value(const Expr& expr) const;
  // The reason why a requirement does not hold, "" when it does: "168" for `registers <= 128`. One
  // that cannot be evaluated does not hold.
  [[nodiscard]] std::string broken(const Expr& requirement) const;

 private:
  void add_time(const TrialRecord& trial, const std::optional<ShownTime>& shown);
  void add_energy(const TrialRecord& trial);
  void add_resources(const TrialRecord& trial, const DeviceInfo* device);
  void add_errors(const TrialRecord& trial);
  [[nodiscard]] std::string why_unknown(const std::string& name) const;
  [[nodiscard]] std::string first_unknown(const Expr& expr) const;

  Environment known_;
  std::string variant_, status_;
  // The metrics of the time at both ends of its interval.
  std::optional<Environment> at_low_, at_high_;
};

// The judgement of one trial by a goal: whether it satisfies the requirements, and its cost by each
// objective. The sweep reports it to strategies, and boards are ranked by it.
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

// Converts a goal to its stored form; the result has no boards.
[[nodiscard]] GoalRecord goal_record(const GoalDraft& draft, const std::string& kernel);
// The reverse. Throws Error (user) for a text that is no longer a valid expression.
[[nodiscard]] GoalDraft draft_of(const GoalRecord& record);

}  // namespace warpwright
