// The additions of a board's goal to its leaderboard: the ranking's objectives, columns of
// objectives and metrics, and reasons for missing values. For leaderboard_text.cpp. All are empty
// if only the time counts.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "terminal/table.h"

namespace warpwright {

// "ranked by energy, the least first; required: registers <= 128", with a newline.
[[nodiscard]] std::string goal_line(const Leaderboard& board);
// Objectives other than the time, then metrics that are not objectives; the cells of an entry are
// in the same order.
[[nodiscard]] std::vector<Table::Column> goal_columns(const Leaderboard& board);
[[nodiscard]] std::vector<std::string> goal_cells(const Leaderboard& board,
                                                  const LeaderboardEntry& entry);
// Explains the marks of ties, and gives the reasons for "n/a".
[[nodiscard]] std::string goal_notes(const Leaderboard& board);

}  // namespace warpwright
