// The strategies that make_strategy() builds, one function each; a new one is one file and one line
// in its table. Internal to search.
#pragma once

#include <memory>

#include "search/strategy.h"

namespace warpwright {

// Every configuration, in the canonical order of the space.
[[nodiscard]] std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space,
                                                        const StrategyOptions& options);

// Uniform without replacement: every order is equally likely. The baseline that guided search has
// to beat.
[[nodiscard]] std::unique_ptr<Strategy> make_random(const SearchSpace& space,
                                                    const StrategyOptions& options);

}  // namespace warpwright
