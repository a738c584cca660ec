// Picks: how often the winner of a tuning is as good as the true best.
#pragma once

#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/space_truth.h"
#include "harness/selftest/sweep_result.h"

namespace warpwright {

// The share of tunings whose first place is within 1 % of the true best.
[[nodiscard]] Figure picks_figure(const std::vector<SweepResult>& tunings, const SpaceTruth& truth);

// Uses seeds 1 to `tunings`; the seed determines the order in which the space is tried.
[[nodiscard]] SectionResult run_picks(const Workers& workers, const RunSweep& sweep,
                                      const SpaceTruth& truth, int tunings);

}  // namespace warpwright
