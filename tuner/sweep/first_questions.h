// The first questions of a search, before it has learnt anything: the configurations that the
// contract and the presets of a sweep declare to be good.
#pragma once

#include <cstdint>
#include <vector>

#include "space/search_space.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

// Returns indices of `space`, each once: the defaults of every variant, then the presets in their
// order, with parameters that they do not name at the default. Configurations outside the space are
// left out.
[[nodiscard]] std::vector<std::uint64_t> first_questions(const SearchSpace& space,
                                                         const KernelSpec& kernel,
                                                         const SweepSpec& sweep);

}  // namespace warpwright
