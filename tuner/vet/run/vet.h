// Vetting runs one kernel's cases under all of the emulator's checkers and many schedules, through
// worker processes. Findings are part of the report and never raise an Error.
#pragma once

#include <vector>

#include "trial/validation/vet_schedules.h"
#include "vet/run/vet_plan.h"
#include "vet/vet_options.h"
#include "vet/vet_report.h"
#include "workers/paths.h"

namespace warpwright {

// Throws Error (user) if the options name something that the contract lacks, and for a device with
// a clock.
[[nodiscard]] VetReport vet_kernel(const VetOptions& options, const Paths& paths);

// The part of it after plan_vetting(): adds what is found to the report, and returns it by subject
// and run. With VetOptions::necessity the sites are listed, and contracts are not checked.
[[nodiscard]] std::vector<std::vector<VettedCase>> vet_planned(
    const std::vector<VetSubject>& subjects, const VetOptions& options, const Paths& paths,
    const WorkerWorld& world, VetReport& report);

}  // namespace warpwright
