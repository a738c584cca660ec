// Faults: a sweep with kernels that hang, crash or write to forbidden memory still times all the
// others.
#pragma once

#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/sweep_result.h"

namespace warpwright {

// `with` had the three bad variants, `without` the good one alone.
[[nodiscard]] std::vector<Figure> fault_figures(const SweepResult& with,
                                                const SweepResult& without);
[[nodiscard]] SectionResult run_faults(const Workers& workers, const RunSweep& sweep);

}  // namespace warpwright
