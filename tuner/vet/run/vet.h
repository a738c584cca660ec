// Vetting runs one kernel's cases under all of the emulator's checkers and many schedules, through
// worker processes. Findings are part of the report and never raise an Error.
#pragma once

#include "vet/vet_options.h"
#include "vet/vet_report.h"
#include "workers/paths.h"

namespace warpwright {

// Throws Error (user) if the options name something that the contract lacks, and for a device with
// a clock.
[[nodiscard]] VetReport vet_kernel(const VetOptions& options, const Paths& paths);

}  // namespace warpwright
