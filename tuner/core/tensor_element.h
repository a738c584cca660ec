// The element type as which tensor maps (CUtensorMap) move a dtype. Types that maps lack (e4m3,
// e5m2, i8, i16, bool) travel as unsigned integers of the same width.
#pragma once

#include <optional>
#include <string_view>

namespace warpwright {

// The value of CUtensorMapDataType in cuda.h; nullopt when the name is not a dtype.
[[nodiscard]] std::optional<int> tensor_map_data_type(std::string_view dtype);

}  // namespace warpwright
