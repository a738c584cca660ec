// Turns counts into verdicts: the compiler's figures of both sides and, where both ran on the
// emulator, its counters and the source lines that grew. It uses no device and no clock, so equal
// inputs give equal verdicts everywhere.
#pragma once

#include <string>

#include "check/check_report.h"
#include "check/metric_rules.h"
#include "check/source_names.h"
#include "compile/compile_job.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"
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
[[nodiscard]] std::vector<Finding> broken_records(const Metrics& recorded, const Metrics& now);

// Sorts findings into the order in which people should read them.
void sort_findings(CheckEntry& entry);

}  // namespace warpwright
