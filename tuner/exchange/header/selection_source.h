// Makes the model that headers are written from out of a results database.
//
// Only measured boards count; if a kernel has none, modelled ones do, and the header says so. If
// several boards exist for one problem on one device name (other drivers, other protocols), the
// newest counts. Rows of a variant's older sources are left out, and so is every configuration that
// was ever found wrong, nondeterministic or hazardous on any problem, or that crashed or hung on a
// GPU. The contract is the one that was swept last.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/select/selection_model.h"
#include "store/database.h"

namespace warpwright {

// Only the boards of `kernel` count; imported ones never do. Throws Error (user) if none of them
// holds a time, or if the stored contract cannot be read.
[[nodiscard]] SelectionModel make_selection_model(const Database& database,
                                                  const std::vector<Leaderboard>& boards,
                                                  const std::string& kernel);

}  // namespace warpwright
