#include "core/ceiling_names.h"

#include <algorithm>

namespace warpwright {

const std::vector<std::string>& memory_ceilings() {
  static const std::vector<std::string> names = {"read", "write", "copy", "l2_read"};
  return names;
}

const std::vector<std::string>& arithmetic_ceilings() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"fma_f64", "fma_f32", "fma_f16"};
    for (const char* unit : {"tensor_", "mma_", "wgmma_"}) {
      for (const char* operand : {"f16", "bf16", "tf32", "e4m3", "i8"})
        all.push_back(std::string(unit) + operand);
    }
    return all;
  }();
  return names;
}

bool is_arithmetic_ceiling(std::string_view name) {
  const std::vector<std::string>& names = arithmetic_ceilings();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view ceiling_unit(std::string_view name) {
  return is_arithmetic_ceiling(name) ? "GFLOP/s" : "GB/s";
}

}  // namespace warpwright
