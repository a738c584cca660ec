// What a dtype is to tensor maps (CUtensorMap): the element type that copies move it as. Types that
// maps do not have (e4m3, e5m2, i8, i16, bool) travel as unsigned integers of their width.
#pragma once

#include <optional>
#include <string_view>

namespace warpwright {

// The value of CUtensorMapDataType in cuda.h; nullopt for what is no dtype.
[[nodiscard]] std::optional<int> tensor_map_data_type(std::string_view dtype);

}  // namespace warpwright
