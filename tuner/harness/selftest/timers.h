// The sections bias, CV and wall time: spin kernels of three sizes, each in its own fresh
// processes, compared with the slope truth that the same process finds. The report of one process
// on one kernel of known size, together with the true time, is also what
// scripts/record/compare_timers requests.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/selftest_bench.h"

namespace warpwright {

// The result of one protocol, in microseconds.
struct Reading {
  std::string protocol;
  double value_us = 0;  // corrected for the floor
  double low_us = 0;    // 95 % interval of the median
  double high_us = 0;
  double raw_us = 0;
  double floor_us = 0;
  std::vector<double> samples_us;  // raw
};

struct TimerReport {
  std::string kernel;  // "spin" or "stream"
  double target_us = 0;
  std::int64_t size = 0;           // steps or rows
  std::optional<double> truth_us;  // of spin
  std::vector<double> step_us;     // the truth is their median times `size`
  Reading cold;
  std::optional<Reading> slope;  // for spin below kShortKernelUs: the reported reading
  // From making the plan of the reported protocol to the first moment at which its interval was
  // within 1 %; or until giving up, if it never was.
  double wall_ms = 0;
  int wall_samples = 0;
  double wall_half_width = 0;  // reached then, a fraction

  [[nodiscard]] const Reading& reported() const { return slope ? *slope : cold; }
};
// The keys that scripts/record/compare_timers reads are "truth_us", "reported_us", "raw_us",
// "slope_us", "interval_us" and "wall_ms".
void to_json(nlohmann::json& json, const TimerReport& report);
void from_json(const nlohmann::json& json, TimerReport& report);

inline constexpr double kWallHalfWidth = 0.01;

// Throws Error (environment) when nothing can be timed.
[[nodiscard]] TimerReport report_timer(const Bench& bench, const std::string& kernel,
                                       double target_us, std::optional<std::int64_t> size);

// The result of one process.
struct TimerRun {
  double target_us = 0;
  std::optional<TimerReport> report;
  std::string error;  // when there is no report
};

// The figures of the wanted sections among bias, cv and wall. If any process for a size gave no
// report, the figures of that size are NaN with the reason.
[[nodiscard]] std::vector<Figure> timer_figures(const std::vector<TimerRun>& runs,
                                                const std::set<Section>& wanted);

// Runs `processes` rounds over the sizes, one process each.
[[nodiscard]] SectionResult run_timers(const Workers& workers, int processes,
                                       const std::set<Section>& wanted);

}  // namespace warpwright
