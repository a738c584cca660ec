// The codes of remarks: the ways in which a contract can leave an output or an input untested
// (trial/validation/contract_check.h). Contracts accept remarks and databases store them under the
// names of these codes.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace warpwright {

enum class RemarkCode {
  kZerosPass,          // "zeros_pass": an output of zeros passes
  kMeanPasses,         // "mean_passes": the mean of the expected values passes in every element
  kOtherSeedPasses,    // "other_seed_passes": the result for the inputs of another seed passes
  kInputCopyPasses,    // "input_copy_passes": a copy of an input passes
  kInputUnused,        // "input_unused": the result for another content of one input passes
  kConstantAlongAxis,  // "constant_along_axis": one value repeated along an axis passes
};

[[nodiscard]] std::string_view remark_code_name(RemarkCode code);
[[nodiscard]] std::optional<RemarkCode> parse_remark_code(std::string_view name);
[[nodiscard]] std::span<const RemarkCode> all_remark_codes();

}  // namespace warpwright
