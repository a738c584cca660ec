// The metrics of spec/metric_table.h for one stored trial, and expressions over them. Nothing is
// measured here: values that the trial's row does not hold, as in databases of older versions, are
// unknown, with a reason.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/expr/expr.h"
#include "records/device_info.h"
#include "records/records.h"

namespace warpwright {

struct MetricValue {
  std::optional<double> value;  // finite
  std::string why;              // the reason for a missing value, in one line
  // From the time's interval, if the expression is monotonic in the time and depends on nothing
  // else that is measured (metrics/follows_time.h).
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

}  // namespace warpwright
