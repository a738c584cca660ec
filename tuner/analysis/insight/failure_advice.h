// Advises on groups of failures: proposes the constraint that the space lacks if their reasons name
// one or enough of the data show one, or explains why there is none. Wrong results, faults, crashes
// and failures of the emulator's own never lead to a constraint. A group is judged together with
// the same failure on the kernel's other problems, and against all configurations that ran right on
// them, because a constraint of a sweep binds all of its problems.
#pragma once

#include <utility>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "records/records.h"

namespace warpwright {

// Fills `advice` of every group of failures. `devices` gives the limits, as Database::devices().
void advise_on_failures(std::vector<Leaderboard>& boards,
                        const std::vector<std::pair<RowId, DeviceRecord>>& devices);

}  // namespace warpwright
