// Stand-ins for headers of the C and C++ standard libraries, which NVRTC lacks: most pass on to
// libcu++, which the toolkit brings, under the names of namespace std. Sources that were written
// for nvcc compile unchanged, as far as they need no host code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// The text of <cstdint>, <math.h> and the like; "" for a header that has no stand-in.
[[nodiscard]] std::string standard_header(std::string_view name);
// The names of all that have one, sorted.
[[nodiscard]] std::vector<std::string> standard_header_names();

}  // namespace warpwright
