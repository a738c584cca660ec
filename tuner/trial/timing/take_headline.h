// Takes the headline of one configuration, the winner of a final ranking: cold with a narrow
// interval, hot, the slope for short kernels, end to end, and energy. What a device or a kernel
// does not allow stays empty, and what failed is said once in `reason`.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "records/headline.h"
#include "trial/data/problem_data.h"

namespace warpwright {

// Below this a kernel's time is mostly what surrounds it, so that the slope is measured as well.
inline constexpr double kShortKernelUs = 20;

struct HeadlineResult {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  // Hot and slope are not taken with in-out arguments: nothing restores them in a chain.
  Headline headline;
};
// `launches` work on the buffers of `data`. `about_us` is what a cold run takes.
[[nodiscard]] HeadlineResult measure_headline(Device& device,
                                              const std::vector<DeviceLaunch>& launches,
                                              ProblemData& data, double about_us);

}  // namespace warpwright
