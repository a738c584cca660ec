// Times of one unit of work (WorkSpec::per): samples of launches that do several, divided. Floor
// and wander are divided alike, so that what is computed from them is as true as of the whole.
#pragma once

#include <memory>

#include "device/device.h"

namespace warpwright {

// The plan itself for a single unit.
[[nodiscard]] std::unique_ptr<TimingPlan> per_unit(std::unique_ptr<TimingPlan> plan, double units);

}  // namespace warpwright
