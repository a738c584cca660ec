// What the contract allows an output beyond `abs`, `rel` and `rms`, on one problem. Throws Error
// (user) where an expression gives what makes no sense.
#pragma once

#include <optional>

#include "spec/kernel_spec.h"
#include "trial/validation/sum_rounding.h"

namespace warpwright {

// nullopt where the contract does not say `accumulate`.
[[nodiscard]] std::optional<SumRounding> sum_rounding(const ArgumentSpec& argument, DType dtype,
                                                      const Environment& environment);
// 0 where it does not say `mismatches`.
[[nodiscard]] double allowed_mismatches(const ArgumentSpec& argument,
                                        const Environment& environment);

}  // namespace warpwright
