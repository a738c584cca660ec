// The end of a leaderboard: configurations without a time though their kernel is right, and
// failures.
#pragma once

#include <string>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// "pruned: 143 configurations, each at least 1.25x the best", and the same for noisy ones. "" if
// there are none.
[[nodiscard]] std::string untimed_text(const Leaderboard& board);

struct FailuresTextOptions {
  bool colour = false;
  bool whole = false;                // every cause and every line of a reason
  std::string command_options = "";  // appended to the trial's number: " --db x.db"
};
// Failures by cause, the constraints that would exclude them from the space if the data show any,
// and how to run one alone. "" if there are none.
[[nodiscard]] std::string failures_text(const Leaderboard& board,
                                        const FailuresTextOptions& options);

}  // namespace warpwright
