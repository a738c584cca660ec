// Blanks what differs between two failures of the same cause: numbers and quoted names.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

// `output "probs"[3, 17]: got 0.5` -> `output "…"[…]: got …`. Of a log of several lines, the first
// that mentions an error, else the first; identifiers keep their digits (sm_90a, f32); cut to 160
// bytes, ending in "…".
[[nodiscard]] std::string failure_cause(std::string_view reason);

}  // namespace warpwright
