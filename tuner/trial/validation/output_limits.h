// The deviations that the contract allows an output in addition to `abs`, `rel` and `rms`, on one
// problem. Throws Error (user) when an expression yields an invalid value.
#pragma once

#include <optional>

#include "spec/kernel_spec.h"
#include "trial/validation/sum_rounding.h"

namespace warpwright {

// nullopt if the contract does not specify `accumulate`.
[[nodiscard]] std::optional<SumRounding> sum_rounding(const ArgumentSpec& argument, DType dtype,
                                                      const Environment& environment);
// 0 if the contract does not specify `mismatches`.
[[nodiscard]] double allowed_mismatches(const ArgumentSpec& argument,
                                        const Environment& environment);

}  // namespace warpwright
