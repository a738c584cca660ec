// One time for a winner: beside its headline, the median that its rounds of the final ranking gave
// would be a second one.
#pragma once

#include "analysis/board/leaderboard.h"

namespace warpwright {

// The board as people read it: where a final ranking measured its winner's headline, the winner's
// time and interval are the headline's cold ones, and rates, factors and the share of the limit
// follow. Order and ties stay. Any other board is returned as it is.
[[nodiscard]] Leaderboard with_headline_time(Leaderboard board);

}  // namespace warpwright
