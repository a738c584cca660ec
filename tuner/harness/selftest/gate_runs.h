// The sections A/A and slowdown: how often the regression gate finds a difference between a kernel
// and itself, and how often it catches a candidate that is slower by a known share. A worker
// process runs the comparisons in blocks ABBA; stats/paired_gate.h judges them, as in a regression
// gate.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/selftest/section.h"
#include "harness/selftest/selftest_bench.h"
#include "stats/paired_gate.h"

namespace warpwright {

struct GateRuns {
  std::string kernel;  // "spin" or "stream"
  std::string protocol;
  int slower_permille = 0;   // of the candidate, as requested
  double true_slowdown = 0;  // as measured; a fraction
  double about_us = 0;
  std::vector<AbbaBlock> noise_blocks;       // baseline against itself, before the runs
  std::vector<std::vector<AbbaBlock>> runs;  // [run][block]
};
void to_json(nlohmann::json& json, const GateRuns& runs);
void from_json(const nlohmann::json& json, GateRuns& runs);

// Takes blocks with trial/timing/gate.h; throws Error (environment) when the device is not steady
// or fails.
[[nodiscard]] std::vector<AbbaBlock> abba_blocks_or_throw(Device& device, TimingPlan& baseline,
                                                          TimingPlan& candidate, double about_us,
                                                          int blocks);

// Makes `runs` comparisons of 20 blocks of a kernel of about 50 us.
[[nodiscard]] GateRuns run_gate(const Bench& bench, const std::string& kernel, int runs,
                                int slower_permille);

struct Verdicts {
  std::size_t regressions = 0;
  std::size_t improvements = 0;
  std::size_t inconclusive = 0;
  std::size_t all = 0;
  double delta = 0;  // the smallest change detectable above the noise; a fraction
};
[[nodiscard]] Verdicts judge(const GateRuns& runs);

// One figure over all comparisons.
[[nodiscard]] Figure aa_figure(const std::vector<GateRuns>& halves);
// Runs half of the comparisons with spin, half with stream.
[[nodiscard]] SectionResult run_aa(const Workers& workers, int comparisons);

[[nodiscard]] Figure slowdown_figure(const GateRuns& runs);
// Tests 3 and 5 % with spin and with stream, `runs` times each.
[[nodiscard]] SectionResult run_slowdown(const Workers& workers, int runs);

}  // namespace warpwright
