// A tensor map of a contract in the terms of cuTensorMapEncodeTiled, as expressions: what a program
// without a tuner needs to encode it.
#pragma once

#include "analysis/selection_model.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// `argument` is a tensor map.
[[nodiscard]] TensorMapFact tensor_map_fact(const KernelSpec& kernel, const ArgumentSpec& argument);

}  // namespace warpwright
