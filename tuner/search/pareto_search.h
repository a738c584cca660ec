// Searches for several objectives with strategies that handle a single cost: one strategy of the
// named kind for each of a few directions towards the front. Directions propose in turn, and all of
// them receive every answer, converted to a cost for their direction: the augmented Chebyshev norm
// of how much worse each objective is than the best seen first (Knowles, ParEGO, IEEE Trans. Evol.
// Comput. 10(1), 2006). The first direction has even weights, the next ones lean towards one
// objective each, and the rest are drawn from the seed. Weights never change, so the costs of one
// strategy stay comparable from beginning to end.
#pragma once

#include <memory>
#include <string>

#include "search/strategy.h"

namespace warpwright {

// Answer::costs holds the costs of a proposal that was measured; an answer without costs was not
// allowed. The scale of the costs is unknown before the first few answers, so these are passed on
// late. Throws Error (user) as make_strategy() does.
[[nodiscard]] std::unique_ptr<Strategy> make_pareto_search(const std::string& name,
                                                           const SearchSpace& space,
                                                           const StrategyOptions& options,
                                                           std::size_t objectives);

}  // namespace warpwright
