// From a results database to the model that headers are written from.
//
// Only measured boards count; where a kernel has none, modelled ones do, and say so. Of several
// boards of one problem on one device name (other drivers, other protocols) the newest counts. Rows
// of a variant's older sources are left out, and so is every configuration that was ever found
// wrong, nondeterministic or hazardous on any problem, or that crashed or hung on a GPU. The
// contract is the one that was swept last.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/select/selection_model.h"
#include "store/database.h"

namespace warpwright {

// Of `boards` those of `kernel` count; imported ones never do. Throws Error (user) when none of
// them holds a time, or the stored contract cannot be read.
[[nodiscard]] SelectionModel make_selection_model(const Database& database,
                                                  const std::vector<Leaderboard>& boards,
                                                  const std::string& kernel);

}  // namespace warpwright
