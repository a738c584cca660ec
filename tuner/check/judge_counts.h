// Turns counts into verdicts: the compiler's figures of both sides and, where both ran on
// the emulator, its counters and the source lines that grew. No device, no clock: equal inputs give
// equal verdicts everywhere.
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

// Of every entry point that the launches use: registers, spills, stack, shared memory, code size.
[[nodiscard]] Metrics compiler_metrics(const KernelSpec& kernel, const Configuration& configuration,
                                       const Problem& problem, const DeviceInfo& device,
                                       const CompileResult& compiled);
// Adds the emulator's counters.
void add_counters(Metrics& metrics, const std::map<std::string, std::uint64_t>& counters);

// One side of a comparison by counts.
struct CountedSide {
  Metrics metrics;
  const std::vector<LineCounters>* lines = nullptr;  // null when it did not run
  const SourceNames* names = nullptr;
  const CompileResult* compiled = nullptr;
};

// Sets the state, the changes and the findings; growth is located in the candidate's sources.
void judge_counts(const CountedSide& baseline, const CountedSide& candidate,
                  const MetricRules& rules, CheckEntry& entry);

// Where the baseline's recorded figures are not those that its own sources give now.
[[nodiscard]] std::vector<Finding> broken_records(const Metrics& recorded, const Metrics& now);

// Findings in the order in which people should read them.
void sort_findings(CheckEntry& entry);

}  // namespace warpwright
