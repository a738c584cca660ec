// What a board's goal adds to its leaderboard: what it is ranked by, columns of objectives and
// metrics, and why some have no value. For leaderboard_text.cpp. Nothing of it where a short time
// is all that counts.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "output/text/table.h"

namespace warpwright {

// "ranked by energy, the least first; required: registers <= 128", with a newline.
[[nodiscard]] std::string goal_line(const Leaderboard& board);
// Objectives other than the time, then metrics that are no objective; the cells of an entry are in
// the same order.
[[nodiscard]] std::vector<Table::Column> goal_columns(const Leaderboard& board);
[[nodiscard]] std::vector<std::string> goal_cells(const Leaderboard& board,
                                                  const LeaderboardEntry& entry);
// What the marks of ties mean here, and reasons of what is n/a.
[[nodiscard]] std::string goal_notes(const Leaderboard& board);

}  // namespace warpwright
