// The limits of a launch as constraints: scalars and macros that fit their types, arrays whose
// bytes can be counted, grids and blocks within CUDA's limits, shared memory that the device has.
// The tuner finds these by trying; a program that chooses for untried sizes has to check them
// first. Expressions that are literals are left out.
#pragma once

#include <vector>

#include "spec/kernel_spec.h"

namespace warpwright {

[[nodiscard]] std::vector<ConstraintSpec> launch_rules(const KernelSpec& kernel,
                                                       const VariantSpec& variant);

// All constraints that must hold for a variant on a problem: the contract's, its own, and these.
[[nodiscard]] std::vector<ConstraintSpec> selection_rules(const KernelSpec& kernel,
                                                          const VariantSpec& variant);

}  // namespace warpwright
