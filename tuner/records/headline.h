// Everything known about the time of one configuration, the winner of a final ranking. Times are in
// microseconds; figures that were not measured are absent.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "records/time_estimate.h"
#include "records/validity.h"

namespace warpwright {

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
