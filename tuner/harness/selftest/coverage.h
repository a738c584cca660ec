// Coverage: whether reported 95 % intervals contain the true median at their nominal rate.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/selftest_bench.h"

namespace warpwright {

// Measurements of one kernel, from several processes.
struct CoverageRuns {
  double about_us = 0;
  std::string protocol;
  std::vector<std::vector<double>> samples_us;  // raw, of each measurement
  std::vector<double> floor_us;                 // of each measurement
  double drift_us = 0;                          // Samples::drift_us
};
void to_json(nlohmann::json& json, const CoverageRuns& runs);
void from_json(const nlohmann::json& json, CoverageRuns& runs);

[[nodiscard]] CoverageRuns measure_coverage(const Bench& bench, int measurements);

// The share of intervals that contain the median of all samples. If the device's clock has steps so
// coarse that most samples are equal, an interval contains that median more often than 95 %; a
// second figure, without target, spreads every sample evenly over its step, which leaves only the
// question whether samples are independent.
[[nodiscard]] std::vector<Figure> coverage_figures(const CoverageRuns& runs);
[[nodiscard]] SectionResult run_coverage(const Workers& workers, int measurements);

}  // namespace warpwright
