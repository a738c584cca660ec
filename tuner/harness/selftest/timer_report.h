// The harness's report on one kernel of known size, in one process, together with the true time:
// the unit from which bias, CV and wall time are computed, and which scripts/record/compare_timers
// requests.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/selftest/spin_subject.h"

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

}  // namespace warpwright
