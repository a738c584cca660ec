// Several objectives, searched by strategies that know a single cost: one of the named kind for
// each of a few directions towards the front. Directions ask in turn, and all of them hear every
// answer, each as the cost that it has in that direction: the augmented Chebyshev norm of how much
// worse each objective is than the best seen first (Knowles, ParEGO, IEEE Trans. Evol. Comput.
// 10(1), 2006). The weights are even, then towards each objective, then drawn from the seed, and
// stay as they are, so that a strategy's costs are of one kind from beginning to end.
#pragma once

#include <memory>
#include <string>

#include "search/strategy.h"

namespace warpwright {

// Answer::costs has the costs of a question that was answered; one with none was not allowed. The
// scale of the costs is not known before the first few answers, so these are told late. Throws
// Error (user) as make_strategy() does.
[[nodiscard]] std::unique_ptr<Strategy> make_pareto_search(const std::string& name,
                                                           const SearchSpace& space,
                                                           const StrategyOptions& options,
                                                           std::size_t objectives);

}  // namespace warpwright
