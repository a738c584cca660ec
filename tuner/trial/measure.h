// From launches to a time with an interval: samples are taken until the median is known well enough
// or the budget is spent. On a device without a clock the time is the model's, and is marked so.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "trial/outcome.h"
#include "trial/trial_runner.h"

namespace warpwright {

// Half the interval's width over the median at which sampling stops.
inline constexpr double kNarrowEnough = 0.005;

struct Measurement {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  TimeEstimate time;
  std::vector<double> samples_us;
  int sm_clock_mhz = 0;
};

[[nodiscard]] Measurement measure(Device& device, const std::vector<DeviceLaunch>& launches,
                                  std::vector<RestoreCopy> restores, const TrialOptions& options);

// The time of a device without a clock, from a launch that was run for validation.
[[nodiscard]] TimeEstimate modelled_time(const LaunchResult& launch);

}  // namespace warpwright
