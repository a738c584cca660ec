// The content of every input of a problem, for all kinds of fills: first numbers and files, then
// the content that the reference or other inputs derive from them, in the order of the contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"
#include "trial/reference/reference.h"

namespace warpwright {

struct InputRequest {
  const Problem& problem;  // completed
  const Environment& environment;
  const std::map<std::string, std::string>& fills;  // argument -> fill that replaces the contract's
  SourcePosition fills_where;
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
