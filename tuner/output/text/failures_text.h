// The end of a leaderboard: what has no time though its kernel is right, and what failed.
#pragma once

#include <string>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// "pruned: 143 configurations, each at least 1.25x the best", and the same of noisy ones. ""
// without any.
[[nodiscard]] std::string untimed_text(const Leaderboard& board);

struct FailuresTextOptions {
  bool colour = false;
  bool whole = false;                // every cause and every line of a reason
  std::string command_options = "";  // follow the trial's number: " --db x.db"
};
// Failures by cause, what would exclude them from the space where the data show it, and how to run
// one alone. "" without any.
[[nodiscard]] std::string failures_text(const Leaderboard& board,
                                        const FailuresTextOptions& options);

}  // namespace warpwright
