// Cold samples of kernels that draw more power than the device may use. Without pauses, such
// kernels are soon slowed down by the power cap, by an amount that depends on what ran before, and
// no two configurations are timed under equal conditions. Pacing therefore starts as soon as the
// clock falls, or, for kernels known to be long, as soon as the device reports that it is limited
// by power. Samples are then taken a few milliseconds at a time, separated by cool-downs several
// times as long, which grow if the clock seen by the samples still falls. The result is the time of
// a kernel at the clock that the device gives it when it runs occasionally among others. The time
// of the same kernel without pauses is the hot figure. A pending cool-down is waited for by the
// next caller that takes samples, on any plan of the device; until then the host has time for other
// work.
#pragma once

#include <memory>

#include "device/device.h"

namespace warpwright {

// device.plan_timing() of a request for cold samples, paced. Samples whose clock moved are taken
// again after a cool-down; if that does not help, they are marked `disturbed`. `about_us` is the
// approximate time of a sample. Pass it when the result must be accurate, because cool-downs make
// sampling three times as long; pass 0 when configurations are only screened.
[[nodiscard]] std::unique_ptr<TimingPlan> plan_paced(Device& device, TimingRequest request,
                                                     double about_us = 0);

// Whether the clock is held back by heat, a power brake or the power limit of the device.
[[nodiscard]] bool held_back(const DeviceState& state);

// Schedules a cool-down after `busy_us` of work that was not sampled, if the device is held back by
// its power limit.
void owe_rest(Device& device, double busy_us);

// Times of one unit of work (WorkSpec::per): samples of launches that do several units are divided
// by their number. Floor and drift are divided in the same way, so that results computed from them
// are as accurate as those for the whole launch.

// Returns the plan itself for a single unit.
[[nodiscard]] std::unique_ptr<TimingPlan> per_unit(std::unique_ptr<TimingPlan> plan, double units);

}  // namespace warpwright
