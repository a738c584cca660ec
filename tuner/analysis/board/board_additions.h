// Adds to leaderboards what is stored apart from their trials: the remarks of contract checks, and
// what their device could reach at best (every board's limit, and every entry's share of it).
#pragma once

#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"
#include "store/database.h"

namespace warpwright {

// Sets `contract_remarks` of every board to the remarks on its problem and the contracts of its
// trials. Each remark appears once, with the numbers of the newest run. `checks` are in the
// database's order; a check that cannot be read is skipped.
void add_contract_remarks(std::vector<Leaderboard>& boards,
                          const std::vector<Database::ContractCheckRow>& checks);

// Sets `limit`, `missing_ceiling` and the datasheet's bandwidth of every board, and `limit_share`
// of every entry, from its own trial's work. A board whose device is not in `roofs` has none, and
// neither do the harness's own kernels, which measure the ceilings.
void add_limits(std::vector<Leaderboard>& boards, const RoofsByDevice& roofs);

}  // namespace warpwright
