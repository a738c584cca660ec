// A/A: how often the regression gate finds a difference between a kernel and itself.
#pragma once

#include <vector>

#include "harness/selftest/gate_runs.h"
#include "harness/selftest/section.h"

namespace warpwright {

// One figure over all comparisons.
[[nodiscard]] Figure aa_figure(const std::vector<GateRuns>& halves);
// Runs half of the comparisons with spin, half with stream.
[[nodiscard]] SectionResult run_aa(const Workers& workers, int comparisons);

}  // namespace warpwright
