// Names the cause that failures share.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

// Blanks out the parts that differ between two failures of the same cause, numbers and quoted
// names: `output "probs"[3, 17]: got 0.5` -> `output "…"[…]: got …`. A log of several lines is
// reduced to the first that mentions an error, else to the first line. Identifiers keep their
// digits (sm_90a, f32). The result is cut to 160 bytes, ending in "…".
[[nodiscard]] std::string failure_cause(std::string_view reason);

}  // namespace warpwright
