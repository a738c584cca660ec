// The strategies that make_strategy() builds, one function each. Adding one takes one class and one
// line in the table. Internal to search.
#pragma once

#include <memory>

#include "search/strategy.h"

namespace warpwright {

// Proposes every configuration, in the canonical order of the space.
[[nodiscard]] std::unique_ptr<Strategy> make_exhaustive(const SearchSpace& space,
                                                        const StrategyOptions& options);

// Uniform without replacement: every order is equally likely. The baseline that guided search has
// to beat.
[[nodiscard]] std::unique_ptr<Strategy> make_random(const SearchSpace& space,
                                                    const StrategyOptions& options);

// The literature source of each strategy is cited where it is defined.
[[nodiscard]] std::unique_ptr<Strategy> make_latin_hypercube(const SearchSpace& space,
                                                             const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_local(const SearchSpace& space,
                                                   const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_genetic(const SearchSpace& space,
                                                     const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_annealing(const SearchSpace& space,
                                                       const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_differential_evolution(const SearchSpace& space,
                                                                    const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_particle_swarm(const SearchSpace& space,
                                                            const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_surrogate(const SearchSpace& space,
                                                       const StrategyOptions& options);
[[nodiscard]] std::unique_ptr<Strategy> make_auto(const SearchSpace& space,
                                                  const StrategyOptions& options);

}  // namespace warpwright
