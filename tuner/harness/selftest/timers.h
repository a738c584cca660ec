// Bias, CV and wall time: spin kernels of three sizes, each in its own fresh processes, compared
// with the slope truth that the same process finds.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/timer_report.h"

namespace warpwright {

// The result of one process.
struct TimerRun {
  double target_us = 0;
  std::optional<TimerReport> report;
  std::string error;  // when there is no report
};

// The figures of the wanted sections among bias, cv and wall. If any process for a size gave no
// report, the figures of that size are NaN with the reason.
[[nodiscard]] std::vector<Figure> timer_figures(const std::vector<TimerRun>& runs,
                                                const std::set<Section>& wanted);

// Runs `processes` rounds over the sizes, one process each.
[[nodiscard]] SectionResult run_timers(const Workers& workers, int processes,
                                       const std::set<Section>& wanted);

}  // namespace warpwright
