// All there is to say about the time of one configuration, the winner of a final ranking: cold with
// a narrow interval, hot, the slope for short kernels, from end to end, and energy. What a device
// or a kernel does not allow stays empty, and what failed is said once in `reason`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "trial/outcome.h"
#include "trial/problem_data.h"

namespace warpwright {

struct TimedHeadline {
  struct Hot {
    TimeEstimate time;
    int sets = 1;              // of buffers that took turns
    bool l2_resident = false;  // all of them together fit into twice L2: this is L2's speed
  };
  struct Slope {
    double slope_us = 0;  // raw: time per launch in a long chain
    double empty_us = 0;  // the same of an empty kernel
  };
  TimeEstimate cold;
  std::optional<Hot> hot;      // not with in-out arguments: nothing restores them in a chain
  std::optional<Slope> slope;  // of kernels below kShortKernelUs, likewise
  std::optional<double> end_to_end_us, end_to_end_uncached_us;
  std::optional<double> energy_mj;  // per launch, while launches follow each other
  double power_w = 0;
  int sm_clock_mhz = 0;
  std::vector<double> samples_us;  // raw, of the cold time
  Outcome::Validity validity;
};
// {"cold": {...}, "hot": {"median_us","ci_low_us","ci_high_us","sets","l2_resident"},
//  "slope": {"us","empty_us"}, "end_to_end": {"cached_us","uncached_us"},
//  "energy_mj_per_launch","power_w","sm_clock_mhz","samples_us","validity"}; null for what is
//  empty.
void to_json(nlohmann::json& json, const TimedHeadline& headline);

// Below this a kernel's time is mostly what surrounds it, so that the slope is measured as well.
inline constexpr double kShortKernelUs = 20;

struct HeadlineResult {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  TimedHeadline headline;
};
// `launches` work on the buffers of `data`. `about_us` is what a cold run takes.
[[nodiscard]] HeadlineResult measure_headline(Device& device,
                                              const std::vector<DeviceLaunch>& launches,
                                              ProblemData& data, double about_us);

}  // namespace warpwright
