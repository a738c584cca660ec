// Times of one unit of work (WorkSpec::per): samples of launches that do several units are divided
// by their number. Floor and wander are divided in the same way, so that results computed from them
// are as accurate as those for the whole launch.
#pragma once

#include <memory>

#include "device/device.h"

namespace warpwright {

// Returns the plan itself for a single unit.
[[nodiscard]] std::unique_ptr<TimingPlan> per_unit(std::unique_ptr<TimingPlan> plan, double units);

}  // namespace warpwright
