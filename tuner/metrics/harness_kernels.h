// The kernels that the harness measures and tests itself with are not results that people look for:
// overviews leave them out, a request by name shows them, and they are not compared with ceilings.
#pragma once

#include <string_view>

namespace warpwright {

[[nodiscard]] constexpr bool is_harness_kernel(std::string_view kernel) {
  return kernel.starts_with("harness_");
}

}  // namespace warpwright
