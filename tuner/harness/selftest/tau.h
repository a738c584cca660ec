// Tau: whether two sweeps of one space in different orders rank it alike, and what screening saves.
#pragma once

#include "harness/selftest/section.h"
#include "harness/selftest/sweep_result.h"

namespace warpwright {

// Kendall's tau-b of what both timed.
[[nodiscard]] Figure tau_figure(const SweepResult& one, const SweepResult& other);
// How many configurations both call the best.
[[nodiscard]] Figure ties_figure(const SweepResult& one, const SweepResult& other);
// Measuring time of a screened sweep with its final ranking, over that of measuring everything.
[[nodiscard]] Figure screening_figure(const SweepResult& screened, const SweepResult& full);

[[nodiscard]] SectionResult run_tau(const Workers& workers, const RunSweep& sweep,
                                    std::uint64_t space_count);

}  // namespace warpwright
