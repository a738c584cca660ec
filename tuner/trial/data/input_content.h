// What every input of a problem holds, whatever its fill is made of: numbers and files first, then
// what the reference or other inputs make of those, in the order of the contract.
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
  const std::map<std::string, std::string>& fills;  // argument -> fill in the contract's place
  SourcePosition fills_where;
  std::uint64_t seed = 1;
  const Reference& reference;  // for generators
  // argument -> bytes in the place of any fill; may be null
  const std::map<std::string, std::vector<std::byte>>* contents = nullptr;
};

struct InputContent {
  std::vector<std::byte> bytes;
  // Inputs with equal identities, sizes and seeds are equal: the fill with its numbers evaluated,
  // and a hash of what does not follow from that. Nothing is said of contents that were given.
  std::string identity;
};

// By argument. Throws Error (user) for faults of the contract, of files and of the reference.
[[nodiscard]] std::map<std::string, InputContent> make_inputs(const KernelSpec& kernel,
                                                              const InputRequest& request);

// What a reference may ask for as a size: the problem and those scalar arguments that follow from
// it; what follows from the configuration must not change the right answer.
[[nodiscard]] Problem reference_sizes(const KernelSpec& kernel, const Problem& problem,
                                      const Environment& environment);

}  // namespace warpwright
