// The variants that a sweep selects, for checks that concern one or all of them.
#pragma once

#include <string>
#include <vector>

#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

// All of the kernel's variants if the sweep names none; the pointers point into `kernel`. Throws
// Error (user) on an unknown one.
[[nodiscard]] std::vector<const VariantSpec*> selected_variants(const SweepSpec& sweep,
                                                                const KernelSpec& kernel);
[[nodiscard]] bool has_parameter(const VariantSpec& variant, const std::string& parameter);
// "block_row, warp_row".
[[nodiscard]] std::string list_variants(const std::vector<const VariantSpec*>& variants);

}  // namespace warpwright
