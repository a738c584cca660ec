// The metrics that every trial may have, by the names that `metrics`, `objective` and `require` of
// a sweep use. The one list of them: messages suggest from it, and the table in README.md is held
// against it by a test. How each is computed from a stored trial: tuner/metrics/trial_metrics.h.
#pragma once

#include <span>
#include <string_view>

namespace warpwright {

// What must have happened to a trial before the metric is known, in this order.
enum class MetricNeeds {
  kCompiler,  // known before anything runs
  kRun,       // the kernel has run and its results were checked
  kTime,      // measured or modelled
  kEnergy,    // a device that counts the energy it uses
};

struct BuiltInMetric {
  std::string_view name;
  std::string_view unit;  // "" for a plain number
  MetricNeeds needs = MetricNeeds::kCompiler;
  std::string_view doc;
};

[[nodiscard]] std::span<const BuiltInMetric> built_in_metrics();
// nullptr when there is none of that name.
[[nodiscard]] const BuiltInMetric* find_built_in_metric(std::string_view name);

// A shorter word for a built-in metric: `objective: energy`.
struct MetricWord {
  std::string_view word;
  std::string_view metric;
};
[[nodiscard]] std::span<const MetricWord> metric_words();

}  // namespace warpwright
