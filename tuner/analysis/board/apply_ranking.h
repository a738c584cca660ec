// Applies a final ranking to a board's entries, or says why it no longer holds. For
// leaderboard.cpp.
#pragma once

#include "analysis/board/leaderboard.h"

namespace warpwright {

// True if the ranking is of this board's kernel, problem, device and protocol.
[[nodiscard]] bool ranks_board(const Database::RankingRow& ranking, const Leaderboard& board);

// Gives the finalists their places and times, and the board its ranking and headline; or leaves the
// entries unchanged and sets `lapsed_ranking`. The entries are not sorted, neither before nor
// after.
void apply_ranking(const RankingRecord& ranking, Leaderboard& board,
                   const PeaksByDevice& peaks = {});

}  // namespace warpwright
