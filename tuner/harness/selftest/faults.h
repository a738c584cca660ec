// Faults: a sweep whose kernels hang, crash or write where they must not still times all the
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
