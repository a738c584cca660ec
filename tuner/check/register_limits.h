// The limits on registers that a kernel sets itself, for findings about registers and spills.
#pragma once

#include <string>

#include "check/register_limits.h"

namespace warpwright {

// Describes the register limits of an entry according to its PTX: "__launch_bounds__(256, 8)",
// "maxnreg 32", or "no __launch_bounds__" if it has none.
[[nodiscard]] std::string register_limits(const std::string& ptx, const std::string& entry);

}  // namespace warpwright
