// What can be found wanting in how a contract tests an output or an input
// (trial/validation/contract_check.h), by the names that contracts accept it under and databases
// keep it under.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace warpwright {

enum class RemarkCode {
  kZerosPass,          // "zeros_pass": an output of zeros passes
  kMeanPasses,         // "mean_passes": so does the mean of the expected values in every element
  kOtherSeedPasses,    // "other_seed_passes": so does the result for the inputs of another seed
  kInputCopyPasses,    // "input_copy_passes": so does a copy of an input
  kInputUnused,        // "input_unused": another content of an input gives a result that passes
  kConstantAlongAxis,  // "constant_along_axis": a value that is repeated along an axis passes
};

[[nodiscard]] std::string_view remark_code_name(RemarkCode code);
[[nodiscard]] std::optional<RemarkCode> parse_remark_code(std::string_view name);
[[nodiscard]] std::span<const RemarkCode> all_remark_codes();

}  // namespace warpwright
