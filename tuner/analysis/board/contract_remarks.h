// Adds to leaderboards what runs found of how their contracts test the problem.
#pragma once

#include <vector>

#include "analysis/board/leaderboard.h"
#include "store/database.h"

namespace warpwright {

// Sets `contract_remarks` of every board: those on its problem and the contracts that its trials
// have, each once, with the numbers of the newest run. `checks` are in the order in which a
// database gives them; one that cannot be read says nothing.
void add_contract_remarks(std::vector<Leaderboard>& boards,
                          const std::vector<Database::ContractCheckRow>& checks);

}  // namespace warpwright
