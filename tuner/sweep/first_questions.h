// What a search asks about before it has learnt anything: what the contract and the presets of a
// sweep hold to be good.
#pragma once

#include <cstdint>
#include <vector>

#include "space/search_space.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

// Indices of `space`, each once: the defaults of every variant, then the presets in their order,
// what they do not name at its default. Those that the space does not hold are left out.
[[nodiscard]] std::vector<std::uint64_t> first_questions(const SearchSpace& space,
                                                         const KernelSpec& kernel,
                                                         const SweepSpec& sweep);

}  // namespace warpwright
