// Takes the headline of one configuration, the winner of a final ranking: cold with a narrow
// interval, hot, the slope for short kernels, end to end, and energy. Figures that the device or
// the kernel does not allow stay empty, and a failure is described once in `reason`.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"
#include "records/headline.h"
#include "trial/data/problem_data.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

// Below this a kernel's time is mostly launch overhead, so the slope is measured as well.
inline constexpr double kShortKernelUs = 20;

struct HeadlineResult {
  Status status = Status::kOk;
  std::string reason;
  bool device_lost = false;
  // Hot and slope are not taken with in-out arguments: nothing restores them in a chain.
  Headline headline;
};
// `about_us` is the approximate time of a cold run of the launches; the times of the headline are
// for one unit of their work.
[[nodiscard]] HeadlineResult measure_headline(Device& device, const ValidatedLaunches& check,
                                              double about_us);

}  // namespace warpwright
