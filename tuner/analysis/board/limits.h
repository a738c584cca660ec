// Adds to leaderboards what their device could reach at best: every board's limit, and every
// entry's share of it.
#pragma once

#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"

namespace warpwright {

// Sets `limit`, `missing_ceiling` and the datasheet's bandwidth of every board, and `limit_share`
// of every entry, from its own trial's work. A board whose device is not in `roofs` has none, and
// neither do the harness's own kernels, which measure the ceilings.
void add_limits(std::vector<Leaderboard>& boards, const RoofsByDevice& roofs);

}  // namespace warpwright
