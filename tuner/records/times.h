// Times: the definition of a valid one, an estimate with its interval and its protocol, the
// conditions under which its samples were taken, and the times of a winner.
#pragma once

#include <cmath>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

// Nothing but a valid time is ranked, divided or exported. Finite and above 0. In microseconds as
// everywhere; the unit does not matter here.
[[nodiscard]] inline bool is_time(double us) { return std::isfinite(us) && us > 0; }

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

// The state of the device around each block of samples. Nothing was observed when `blocks` is 0.
struct Validity {
  int blocks = 0;   // kept and dropped ones
  int tagged = 0;   // the clock moved or the device was slowed down
  int retaken = 0;  // tagged blocks that were measured again
  int sm_clock_min_mhz = 0;
  int sm_clock_max_mhz = 0;
  std::vector<std::string> throttle;  // reasons as NVML names them, each once
  double power_w = 0;
  double temperature_c = 0;
  int other_processes = 0;  // on the same device
  // The median SM clock reported by samples of long kernels: under a power cap it is below the
  // clock that the driver reports before and after them.
  std::optional<int> clock_during_mhz;
};
void to_json(nlohmann::json& json, const Validity& validity);
void from_json(const nlohmann::json& json, Validity& validity);

// Everything known about the time of one configuration, the winner of a final ranking. Times are in
// microseconds; figures that were not measured are absent.
struct Headline {
  struct Cold {
    double median_us = 0;
    std::optional<double> ci_low_us, ci_high_us;
    std::optional<double> floor_us, raw_median_us;
    bool modelled = false;
    std::string protocol;
  };
  struct Hot {  // back-to-back launches
    double median_us = 0;
    std::optional<double> ci_low_us, ci_high_us;
    std::string protocol;
    std::optional<int> sets;   // of inputs, used in turn
    bool l2_resident = false;  // all of them together fit into twice L2: this is L2's speed
  };
  struct Slope {  // raw: per launch, from long and short rows of launches
    double us = 0;
    std::optional<double> empty_us;  // of an empty kernel
  };
  struct EndToEnd {  // host clock from call to completion, descriptors cached or rebuilt
    std::optional<double> cached_us, uncached_us;
  };

  std::optional<Cold> cold;
  std::optional<Hot> hot;
  std::optional<Slope> slope;
  std::optional<EndToEnd> end_to_end;
  std::optional<double> energy_mj_per_launch;  // with launches back to back
  std::optional<double> power_w;
  std::optional<int> sm_clock_mhz;
  std::vector<double> samples_us;  // raw, of the cold time
  std::optional<Validity> validity;
};
void to_json(nlohmann::json& json, const Headline::Cold& time);
void from_json(const nlohmann::json& json, Headline::Cold& time);
void to_json(nlohmann::json& json, const Headline::Hot& time);
void from_json(const nlohmann::json& json, Headline::Hot& time);
void to_json(nlohmann::json& json, const Headline::Slope& slope);
void from_json(const nlohmann::json& json, Headline::Slope& slope);
void to_json(nlohmann::json& json, const Headline::EndToEnd& times);
void from_json(const nlohmann::json& json, Headline::EndToEnd& times);
// {"cold": {...}, "hot": {"median_us","ci_low_us","ci_high_us","protocol","sets","l2_resident"},
//  "slope": {"us","empty_us"}, "end_to_end": {"cached_us","uncached_us"},
//  "energy_mj_per_launch","power_w","sm_clock_mhz","samples_us","validity"}; null for absent
//  values. A cold or hot time without a median counts as absent.
void to_json(nlohmann::json& json, const Headline& headline);
void from_json(const nlohmann::json& json, Headline& headline);

// The parts of an estimate. A raw median of 0 means that no floor was subtracted.
[[nodiscard]] Headline::Cold cold_time(const TimeEstimate& time);
[[nodiscard]] Headline::Hot hot_time(const TimeEstimate& time);

}  // namespace warpwright
