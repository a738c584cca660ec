// Cold samples of kernels that draw more power than the device may. Run without pause, they are
// soon slowed down by the power cap, by an amount that depends on what ran before, and no two
// configurations are timed alike. So as soon as the clock falls, samples are taken a few
// milliseconds at a time, with rests between them several times as long: the time of a kernel at
// the clock that the device gives it when it runs now and then among others. What the same kernel
// takes without a pause is the hot figure.
#pragma once

#include <memory>

#include "device/device.h"

namespace warpwright {

// device.plan_timing() of a request for cold samples, paced. Samples whose clock moved are taken
// again after a rest; when that does not help, `disturbed` says so.
[[nodiscard]] std::unique_ptr<TimingPlan> plan_paced(Device& device, TimingRequest request);

}  // namespace warpwright
