// Makes the plan of a replay from the words of a command line.
#pragma once

#include <string>
#include <vector>

#include "replay/replay.h"

namespace warpwright {

// The limit exists because runs are kept until all have ended.
inline constexpr double kMostRuns = 2e6;

// `names` are strategies, or "all" for every one but exhaustive search; `settings` are
// "strategy.option=value". Throws Error (user) for
// an unknown name, a setting of another form or of a strategy that is not among them.
[[nodiscard]] std::vector<ReplayStrategy> strategies_of(const std::vector<std::string>& names,
                                                        const std::vector<std::string>& settings);

// Throws Error (user) when there are more than kMostRuns of them.
void check_runs(std::size_t recordings, const ReplayPlan& plan);

}  // namespace warpwright
