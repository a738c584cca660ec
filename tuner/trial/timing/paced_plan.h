// Cold samples of kernels that draw more power than the device may use. Run without pause, they are
// soon slowed down by the power cap, by an amount that depends on what ran before, and no two
// configurations are timed alike. So as soon as the clock falls, or with kernels that are known to
// be long as soon as the device says that it is held back by the power it may use, samples are
// taken a few milliseconds at a time, with rests between them several times as long, and longer
// when the clock that samples tell falls all the same: the time of a kernel at the clock that the
// device gives it when it runs now and then among others. What the same kernel takes without a
// pause is the hot figure. A rest is owed by whoever takes samples next, on whatever plan of the
// device, and until then the host has time for other work.
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

// By heat, a power brake or the power that the device may use.
[[nodiscard]] bool held_back(const DeviceState& state);

// What has just run for so long without being sampled is followed by a rest, too, if the device is
// held back by the power it may use.
void owe_rest(Device& device, double busy_us);

}  // namespace warpwright
