// What a launch can hold, as constraints: scalars and macros that fit their types, arrays whose
// bytes can be counted, grids and blocks within CUDA's limits, shared memory that the device has.
// The tuner finds these by trying; a program that chooses for sizes never tried has to ask first.
// Expressions that are literals are left out.
#pragma once

#include <vector>

#include "spec/kernel_spec.h"

namespace warpwright {

[[nodiscard]] std::vector<ConstraintSpec> launch_rules(const KernelSpec& kernel,
                                                       const VariantSpec& variant);

// All that must hold for a variant on a problem: the contract's constraints, its own, and these.
[[nodiscard]] std::vector<ConstraintSpec> selection_rules(const KernelSpec& kernel,
                                                          const VariantSpec& variant);

}  // namespace warpwright
