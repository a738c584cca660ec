// --rank-only: a sweep of what several GPUs of one kind hold to be the best, on one of them. Times
// of different GPUs are never compared; their finalists meet here. Those that this GPU has timed
// itself are known to it, the others are validated and timed first.
#pragma once

#include <filesystem>

#include "store/database.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

// Throws Error (user) on a device without a clock, and where there is no database: before one is
// opened, which would make it.
void require_rankable(const SweepPlan& plan, const std::filesystem::path& database);

// Leaves every board with the finalists of each GPU of its device's name and architecture, as
// `database` holds them of the kernel's sources of now. Throws Error (user) on a board of
// which nothing is known.
void keep_finalists(SweepPlan& plan, Database& database);

}  // namespace warpwright
