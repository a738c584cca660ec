// --rank-only: a sweep, on one GPU, of the configurations that several GPUs of its kind found to be
// the best. Times of different GPUs are never compared; their finalists meet here. The finalists
// that this GPU has timed itself are taken from the database; the others are validated and timed
// first.
#pragma once

#include <filesystem>

#include "store/database.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

// Throws Error (user) on a device without a clock, and when the database does not exist. Must be
// called before the database is opened, which would create it.
void require_rankable(const SweepPlan& plan, const std::filesystem::path& database);

// Restricts every board to the finalists of each GPU with its device's name and architecture that
// `database` holds for the current sources of the kernel. Throws Error (user) on a board without
// results.
void keep_finalists(SweepPlan& plan, Database& database);

}  // namespace warpwright
