// Adds to leaderboards what their device could reach at best: every board's limit, and every
// entry's share of it.
#pragma once

#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"

namespace warpwright {

// Sets `limit`, `missing_ceiling` and the datasheet's bandwidth of every board, and `limit_share`
// of every entry, from its own trial's work. A board whose device is not in `roofs` has none, and
// the harness's own kernels have none: they are what ceilings are measured with.
void add_limits(std::vector<Leaderboard>& boards, const RoofsByDevice& roofs);

}  // namespace warpwright
