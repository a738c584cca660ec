// Shows a single time for a winner: next to its headline, the median from its rounds of the final
// ranking would be a second one.
#pragma once

#include "analysis/board/leaderboard.h"

namespace warpwright {

// The board as shown to people: if a final ranking measured its winner's headline, the winner's
// time and interval are the headline's cold ones, and rates, factors and the share of the limit
// follow from them. Order and ties stay. Any other board is returned unchanged.
[[nodiscard]] Leaderboard with_headline_time(Leaderboard board);

}  // namespace warpwright
