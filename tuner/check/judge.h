// Turns counts and measured comparisons into verdicts: the compiler's figures of both sides and,
// where both ran on the emulator, its counters and the source lines that grew; the blocks of
// measured comparisons per entry, over all entries, and after a fresh process has repeated the
// comparison. It uses no device, no clock and no files, so equal inputs give equal verdicts
// everywhere.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "check/check_report.h"
#include "check/metric_rules.h"
#include "compile/compile_job.h"
#include "provenance/source_names.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "stats/paired_gate.h"
#include "trial/timing/gate.h"

namespace warpwright {

// The compiler's figures of every entry point that is launched: registers, spills, stack, shared
// memory and code size.
[[nodiscard]] Metrics compiler_metrics(const KernelSpec& kernel, const Configuration& configuration,
                                       const Problem& problem, const DeviceInfo& device,
                                       const CompileResult& compiled);
// Adds the emulator's counters to `metrics`.
void add_counters(Metrics& metrics, const std::map<std::string, std::uint64_t>& counters);

// One side of a comparison by counts.
struct CountedSide {
  Metrics metrics;
  const std::vector<LineCounters>* lines = nullptr;  // null if it did not run
  const SourceNames* names = nullptr;
  const CompileResult* compiled = nullptr;
};

// Sets the state, the changes and the findings. Growth is located in the candidate's sources.
void judge_counts(const CountedSide& baseline, const CountedSide& candidate,
                  const MetricRules& rules, CheckEntry& entry);

// Reports the recorded figures of the baseline that its own sources do not reproduce now.
[[nodiscard]] std::vector<GateFinding> broken_records(const Metrics& recorded, const Metrics& now);

// Sorts findings into the order in which people should read them.
void sort_findings(CheckEntry& entry);

// The verdict of one comparison on its own.
struct RaceLook {
  std::size_t entry = 0;  // index in the caller's list
  GateVerdict verdict = GateVerdict::kInconclusive;
  CheckRace race;
  bool repeat = false;  // a fresh process must confirm the change
  bool blunt = false;   // so noisy that finding no change means little
};

// `noise` comes from the previous look and is used when no noise blocks were taken.
[[nodiscard]] RaceLook look_at(std::size_t entry, const GateOutcome& outcome, double least_slowdown,
                               double noise = 0);

// Applies Benjamini-Hochberg to all comparisons of a check: sets p_adjusted, and `repeat` for
// changes that are significant at q = 0.05.
void correct_for_many(std::span<RaceLook> looks);

// Sets the entry's state and findings. `repeated` is null when no fresh process was asked.
void settle(const RaceLook& look, const RaceLook* repeated, std::size_t comparisons,
            CheckEntry& entry);

// Formats the logarithm of a ratio as "+2.3 %".
[[nodiscard]] std::string percent_of(double d);

}  // namespace warpwright
