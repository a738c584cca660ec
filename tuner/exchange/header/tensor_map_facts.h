// A tensor map of a contract in the terms of cuTensorMapEncodeTiled, as expressions: the inputs
// that a program without a tuner needs to encode it. Dimension 0 is the innermost, sizes in bytes
// are bytes, and choices are the values of cuda.h.
#pragma once

#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "spec/kernel_spec.h"

namespace warpwright {

struct TensorMapFact {
  std::string argument;
  std::string tensor;  // the tensor whose address is encoded
  Expr data_type;
  Expr offset_bytes;                              // before the map's first element
  std::vector<Expr> sizes, box, element_strides;  // one per dimension, up to 5
  std::vector<Expr> stride_bytes;                 // of dimension 1 and on
  Expr swizzle, l2_promotion, fill;
};

// `argument` must be a tensor map.
[[nodiscard]] TensorMapFact tensor_map_fact(const KernelSpec& kernel, const ArgumentSpec& argument);

}  // namespace warpwright
