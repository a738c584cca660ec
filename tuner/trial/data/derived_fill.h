// Inputs that are made from another input, so that both agree: copies, offsets from lengths, sorted
// keys and the permutation that sorts them. They depend on the seed only through their source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "spec/fill_origin.h"
#include "trial/data/dtype.h"

namespace warpwright {

struct DerivedArray {
  std::string argument;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
};

// `kind` is one of those that name an argument:
//   copy_of: the same type and the same number of elements
//   prefix_sum: of integers; element i is the sum of those before i. The result has the same number
//     of elements or one more, which is the sum of all
//   sorted: ascending along the last axis, NaN last; the same type and shape
//   argsort: integers; for each place along the last axis the index of the element that sorting
//     puts there, equal ones in their order; the same shape
// Throws Error (user) without a place when the arrays do not fit together or a value does not fit
// the type.
void derive_input(FillKind kind, const DerivedArray& from, std::span<const std::byte> content,
                  const DerivedArray& to, std::span<std::byte> out);

}  // namespace warpwright
