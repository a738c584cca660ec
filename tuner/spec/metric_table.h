// The metrics that every trial may have, by the names that `metrics`, `objective` and `require` of
// a sweep use. This is the only list of them: messages suggest from it, and a test compares the
// table in README.md with it. tuner/metrics/trial_metrics.h computes them from a stored trial.
#pragma once

#include <span>
#include <string_view>

namespace warpwright {

// The stage that a trial must have reached for the metric to be known, in this order.
enum class MetricNeeds {
  kCompiler,  // known before anything runs
  kRun,       // the kernel has run and its results were checked
  kTime,      // measured or modelled
  kEnergy,    // a device that measures the energy it uses
};

struct BuiltInMetric {
  std::string_view name;
  std::string_view unit;  // "" for a plain number
  MetricNeeds needs = MetricNeeds::kCompiler;
  std::string_view doc;
};

[[nodiscard]] std::span<const BuiltInMetric> built_in_metrics();
// Returns nullptr if there is no metric of that name.
[[nodiscard]] const BuiltInMetric* find_built_in_metric(std::string_view name);

// A short alias of a built-in metric: `objective: energy`.
struct MetricWord {
  std::string_view word;
  std::string_view metric;
};
[[nodiscard]] std::span<const MetricWord> metric_words();

}  // namespace warpwright
