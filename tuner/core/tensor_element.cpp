#include "core/tensor_element.h"

#include <array>
#include <utility>

namespace warpwright {

std::optional<int> tensor_map_data_type(std::string_view dtype) {
  constexpr int kU8 = 0;
  constexpr int kU16 = 1;
  static constexpr std::array<std::pair<std::string_view, int>, 15> kTypes = {{{"f64", 8},
                                                                               {"f32", 7},
                                                                               {"f16", 6},
                                                                               {"bf16", 9},
                                                                               {"i64", 5},
                                                                               {"u64", 4},
                                                                               {"i32", 3},
                                                                               {"u32", 2},
                                                                               {"i16", kU16},
                                                                               {"u16", kU16},
                                                                               {"i8", kU8},
                                                                               {"u8", kU8},
                                                                               {"e4m3", kU8},
                                                                               {"e5m2", kU8},
                                                                               {"bool", kU8}}};
  for (const auto& [name, type] : kTypes) {
    if (name == dtype) return type;
  }
  return std::nullopt;
}

}  // namespace warpwright
