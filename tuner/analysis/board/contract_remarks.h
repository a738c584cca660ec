// Adds the remarks of contract checks to leaderboards.
#pragma once

#include <vector>

#include "analysis/board/leaderboard.h"
#include "store/database.h"

namespace warpwright {

// Sets `contract_remarks` of every board to the remarks on its problem and the contracts of its
// trials. Each remark appears once, with the numbers of the newest run. `checks` are in the
// database's order; a check that cannot be read is skipped.
void add_contract_remarks(std::vector<Leaderboard>& boards,
                          const std::vector<Database::ContractCheckRow>& checks);

}  // namespace warpwright
