// A time with its interval and its protocol.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpwright {

// The median with an interval; all in microseconds. A protocol with a known floor reports the
// median and interval with the floor subtracted, and the raw median alongside.
struct TimeEstimate {
  double median_us = 0;
  double ci_low_us = 0;  // 95 % order-statistic interval of the median
  double ci_high_us = 0;
  double floor_us = 0;       // an empty kernel under the same protocol
  bool modelled = false;     // from the emulator's counters: not a measurement
  std::string protocol;      // "cold-events-1" or "model-1"
  double raw_median_us = 0;  // before the floor was subtracted; 0 when it was not
};
void to_json(nlohmann::json& json, const TimeEstimate& time);
void from_json(const nlohmann::json& json, TimeEstimate& time);

}  // namespace warpwright
