// Tau: whether two sweeps of one space in different orders rank it in the same way, and the time
// that screening saves.
#pragma once

#include "harness/selftest/section.h"
#include "harness/selftest/sweep_result.h"

namespace warpwright {

// Kendall's tau-b of the configurations that both timed.
[[nodiscard]] Figure tau_figure(const SweepResult& one, const SweepResult& other);
// The number of configurations that both rank best.
[[nodiscard]] Figure ties_figure(const SweepResult& one, const SweepResult& other);
// Measuring time of a screened sweep with its final ranking, relative to measuring everything.
[[nodiscard]] Figure screening_figure(const SweepResult& screened, const SweepResult& full);

[[nodiscard]] SectionResult run_tau(const Workers& workers, const RunSweep& sweep,
                                    std::uint64_t space_count);

}  // namespace warpwright
