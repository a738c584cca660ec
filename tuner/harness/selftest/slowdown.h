// Slowdown: how often the regression gate catches a candidate that is slower by a known share.
#pragma once

#include "harness/selftest/gate_runs.h"
#include "harness/selftest/section.h"

namespace warpwright {

[[nodiscard]] Figure slowdown_figure(const GateRuns& runs);
// Tests 3 and 5 % with spin and with stream, `runs` times each.
[[nodiscard]] SectionResult run_slowdown(const Workers& workers, int runs);

}  // namespace warpwright
