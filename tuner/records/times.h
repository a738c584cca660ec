// The definition of a valid time: nothing else is ranked, divided or exported.
#pragma once

#include <cmath>

namespace warpwright {

// Finite and above 0. In microseconds as everywhere; the unit does not matter here.
[[nodiscard]] inline bool is_time(double us) { return std::isfinite(us) && us > 0; }

}  // namespace warpwright
