#include "core/shared_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"

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

namespace {

// These names are stored in databases and written in contracts: add at the end, never rename.
constexpr std::array<std::string_view, 6> kRemarkNames = {
    "zeros_pass",        "mean_passes",  "other_seed_passes",
    "input_copy_passes", "input_unused", "constant_along_axis"};

constexpr std::array kRemarkCodes = {RemarkCode::kZerosPass,       RemarkCode::kMeanPasses,
                                     RemarkCode::kOtherSeedPasses, RemarkCode::kInputCopyPasses,
                                     RemarkCode::kInputUnused,     RemarkCode::kConstantAlongAxis};
static_assert(kRemarkNames.size() == kRemarkCodes.size());

}  // namespace

std::string_view remark_code_name(RemarkCode code) {
  return kRemarkNames[static_cast<std::size_t>(code)];
}

std::optional<RemarkCode> parse_remark_code(std::string_view name) {
  for (const RemarkCode code : kRemarkCodes)
    if (remark_code_name(code) == name) return code;
  return std::nullopt;
}

std::span<const RemarkCode> all_remark_codes() { return kRemarkCodes; }

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
