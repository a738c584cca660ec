// The element type that tensor maps (CUtensorMap) use to move a dtype. Dtypes that maps do not
// support (e4m3, e5m2, i8, i16, bool) are moved as unsigned integers of the same width.
#pragma once

#include <optional>
#include <string_view>

namespace warpwright {

// The value of CUtensorMapDataType in cuda.h; nullopt if the name is not a dtype.
[[nodiscard]] std::optional<int> tensor_map_data_type(std::string_view dtype);

}  // namespace warpwright
