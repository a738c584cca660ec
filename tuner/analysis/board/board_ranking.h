// The final ranking of a board: applies it to the board's entries, or says why it no longer holds,
// and shows a single time for its winner.
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

// The board as shown to people: if a final ranking measured its winner's headline, the winner's
// time and interval are the headline's cold ones, and rates, factors and the share of the limit
// follow from them. Order and ties stay. Any other board is returned unchanged.
[[nodiscard]] Leaderboard with_headline_time(Leaderboard board);

}  // namespace warpwright
