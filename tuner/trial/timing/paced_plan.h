// Cold samples of kernels that draw more power than the device may use. Run without pause, they are
// soon slowed down by the power cap, by an amount that depends on what ran before, and no two
// configurations are timed alike. So as soon as the clock falls, and from the start with kernels
// that are known to be long, samples are taken a few milliseconds at a time, with rests between
// them several times as long: the time of a kernel at the clock that the device gives it when it
// runs now and then among others. What the same kernel takes without a pause is the hot figure.
#pragma once

#include <memory>

#include "device/device.h"

namespace warpwright {

// device.plan_timing() of a request for cold samples, paced. Samples whose clock moved are taken
// again after a rest; when that does not help, `disturbed` says so. `about_us` is what a sample
// takes: given where a number is to be trusted, for rests make sampling three times as long; 0
// where configurations are only screened.
[[nodiscard]] std::unique_ptr<TimingPlan> plan_paced(Device& device, TimingRequest request,
                                                     double about_us = 0);

}  // namespace warpwright
