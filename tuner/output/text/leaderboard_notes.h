// The lines below a leaderboard's table, for leaderboard_text.cpp.
#pragma once

#include <string>

#include "analysis/board/leaderboard.h"

namespace warpwright {

[[nodiscard]] bool has_ties(const Leaderboard& board);
// The notes that a reader needs to interpret the table.
[[nodiscard]] std::string leaderboard_notes(const Leaderboard& board);

}  // namespace warpwright
