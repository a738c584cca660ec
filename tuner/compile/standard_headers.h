// Stand-ins for headers of the C and C++ standard libraries, which NVRTC lacks: most forward to
// libcu++, which is part of the toolkit, under the names of namespace std. Sources written for nvcc
// compile unchanged, as long as they need no host code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// Returns the text of <cstdint>, <math.h> and the like; "" for a header without a stand-in.
[[nodiscard]] std::string standard_header(std::string_view name);
// Returns the sorted names of all headers with a stand-in.
[[nodiscard]] std::vector<std::string> standard_header_names();

}  // namespace warpwright
