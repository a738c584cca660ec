// The content of every input of a problem, for all kinds of fills: first numbers and files, then
// the content that the reference or other inputs derive from them, in the order of the contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "records/configuration.h"
#include "spec/kernel_fills.h"
#include "spec/kernel_spec.h"
#include "trial/numbers/dtype.h"
#include "trial/reference/reference.h"

namespace warpwright {

// Inputs that are made from another input, so that both agree: copies, offsets from lengths, sorted
// keys and the permutation that sorts them. They depend on the seed only through their source.
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

struct InputRequest {
  const Problem& problem;  // completed
  const Environment& environment;
  const std::map<std::string, std::string>& fills;  // argument -> fill that replaces the contract's
  SourceLocation fills_where;
  std::uint64_t seed = 1;
  const Reference& reference;  // for generators
  // argument -> bytes that replace any fill; may be null
  const std::map<std::string, std::vector<std::byte>>* contents = nullptr;
};

struct InputContent {
  std::vector<std::byte> bytes;
  // Inputs with equal identities, sizes and seeds are equal: the fill with its numbers evaluated,
  // and a hash of any content that does not follow from it. It does not cover `contents`.
  std::string identity;
};

// Returns the content by argument. Throws Error (user) for faults of the contract, of files and of
// the reference.
[[nodiscard]] std::map<std::string, InputContent> make_inputs(const KernelSpec& kernel,
                                                              const InputRequest& request);

// The sizes available to a reference: the problem and those scalar arguments that follow from it.
// Values that follow from the configuration must not change the right answer.
[[nodiscard]] Problem reference_sizes(const KernelSpec& kernel, const Problem& problem,
                                      const Environment& environment);

}  // namespace warpwright
