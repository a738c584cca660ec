// Leaderboards as text. Every number is labelled: measured or modelled, cold, its
// interval.
#pragma once

#include <string>

#include "analysis/board/leaderboard.h"
#include "terminal/screen.h"

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

struct LeaderboardTextOptions {
  std::size_t top = 20;  // entries shown per board; 0 is all
  bool show_ranking = true;
  bool show_failures = true;
  bool whole_failures = false;  // every cause, and every line of a reason
  bool front_only = false;      // with several objectives, only the entries on the front
  bool colour = false;
  std::string command_options = "";  // options for suggested commands: " --db x.db"
  Screen screen = {};
};
// Header lines, the final ranking and its winner's times, the ranked table, the best of each
// variant, pruned and noisy configurations, failures with reasons. A ranked winner's time is always
// its headline's. Ends in a newline.
[[nodiscard]] std::string leaderboard_text(const Leaderboard& board,
                                           const LeaderboardTextOptions& options);

}  // namespace warpwright
