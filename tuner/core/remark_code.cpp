#include "core/remark_code.h"

#include <array>

#include "core/error.h"

namespace warpwright {
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

}  // namespace warpwright
