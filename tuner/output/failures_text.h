// The end of a leaderboard: what has no time though its kernel is right, and what failed.
#pragma once

#include <string>

#include "analysis/leaderboard.h"

namespace warpwright {

// "pruned: 143 configurations, each at least 1.25x the best", and the same of noisy ones. ""
// without any.
[[nodiscard]] std::string untimed_text(const Leaderboard& board);

// Failures by cause, and how to run one alone; `repro_options` follow the trial's number there. ""
// without any.
[[nodiscard]] std::string failures_text(const Leaderboard& board, bool colour,
                                        const std::string& repro_options);

}  // namespace warpwright
