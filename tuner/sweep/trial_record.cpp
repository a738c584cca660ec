#include "sweep/trial_record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spec/kernel_fills.h"
#include "trial/data/problem_data.h"

namespace warpwright {
namespace {

// The compiler reports only static shared memory and no blocks; the contract declares the rest.
void add_launch_sizes(const KernelSpec& kernel, const Configuration& configuration,
                      const Environment& environment, TrialResources& resources) {
  for (const LaunchSpec& launch : kernel.find_variant(configuration.variant)->launches) {
    for (EntryResources& entry : resources) {
      if (entry.entry != launch.entry.evaluate(environment)) continue;
      entry.dynamic_shared = static_cast<int>(launch.shared_bytes.evaluate_integer(environment));
      std::int64_t threads = 1;
      for (const Expr& extent : launch.block) threads *= extent.evaluate_integer(environment);
      entry.block_threads = static_cast<int>(threads);
    }
  }
}

// Unknown when nothing was monitored.
Stored<TrialMeasurement> measurement_of(const Outcome& outcome, std::optional<double> units) {
  TrialMeasurement measurement;
  measurement.units = units;
  if (outcome.validity.blocks > 0) measurement.validity = outcome.validity;
  if (std::isfinite(outcome.anchor_drift)) measurement.anchor_drift = outcome.anchor_drift;
  if (outcome.validate_seconds > 0) {
    measurement.case_seconds = outcome.case_seconds;
    measurement.input_seconds = outcome.input_seconds;
  }
  measurement.hazards = outcome.hazards;
  measurement.warnings = outcome.warnings;
  measurement.untested = outcome.untested;
  measurement.energy_mj_per_launch = outcome.energy_mj_per_launch;
  measurement.power_w = outcome.power_w;
  if (outcome.detail.code != FailureCode::kNone) measurement.failure = outcome.detail;
  const bool none = measurement.hazards.empty() && measurement.warnings.empty() &&
                    !measurement.untested && !measurement.units && !measurement.case_seconds &&
                    !measurement.energy_mj_per_launch && !measurement.failure;
  if (!measurement.validity && !measurement.anchor_drift && none) return {};
  return measurement;
}

// Returns the bytes that the contract declares as written, else those of the outputs; at most
// `bytes`.
double written_bytes(const KernelSpec& kernel, const Environment& environment, double bytes) {
  if (kernel.work.written) {
    return std::clamp(kernel.work.written->evaluate_real(environment), 0.0, bytes);
  }
  double written = 0;
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.role == ArgumentRole::kOut || argument.role == ArgumentRole::kInOut)
      written += static_cast<double>(plan_tensor(argument, environment).bytes);
  }
  return std::min(written, bytes);
}

Work work_in(const KernelSpec& kernel, const Environment& environment) {
  Work work;
  work.units = units_of_work(kernel, environment);
  const double bytes = kernel.work.bytes.evaluate_real(environment);
  work.bytes = bytes / work.units;
  work.flops = kernel.work.flops.evaluate_real(environment) / work.units;
  if (bytes > 0) work.written_bytes = written_bytes(kernel, environment, bytes) / work.units;
  work.arithmetic = kernel.work.arithmetic;
  return work;
}

}  // namespace

Work contract_work(const KernelSpec& kernel, const Configuration& configuration,
                   const Problem& problem, const DeviceInfo& device) {
  return work_in(kernel, trial_environment(kernel, configuration, problem, device));
}

TrialRecord make_trial_record(const KernelSpec& kernel, const SweepBoard& board,
                              const Configuration& configuration, const TrialIdentity& identity,
                              const Outcome& outcome) {
  TrialRecord trial;
  trial.key = identity.key;
  trial.problem = board.problem;
  trial.problem_text = board.problem_text;
  trial.variant = configuration.variant;
  trial.parameters = configuration.values;
  trial.configuration_text = configuration.to_string();
  static_cast<TrialFigures&>(trial) = outcome;
  trial.status = outcome.status;
  trial.reason = outcome.reason;
  if (outcome.time) {
    trial.median_us = outcome.time->median_us;
    trial.ci_low_us = outcome.time->ci_low_us;
    trial.ci_high_us = outcome.time->ci_high_us;
    trial.floor_us = outcome.time->floor_us;
    if (outcome.time->raw_median_us > 0) trial.raw_median_us = outcome.time->raw_median_us;
    trial.modelled = outcome.time->modelled;
    trial.protocol = outcome.time->protocol;
  }
  trial.counters = outcome.counters;
  trial.errors = outcome.errors;
  trial.cubin_hash = outcome.cubin_hash;
  trial.options = identity.options;
  const Environment environment =
      trial_environment(kernel, configuration, board.problem, board.device);
  const Work work = work_in(kernel, environment);
  trial.measurement =
      measurement_of(outcome, kernel.work.per ? std::optional(work.units) : std::nullopt);
  TrialResources resources(outcome.resources.begin(), outcome.resources.end());
  if (outcome.status == Status::kOk || outcome.status == Status::kViolates ||
      outcome.status == Status::kImpossible)
    add_launch_sizes(kernel, configuration, environment, resources);
  trial.resources = std::move(resources);
  trial.work_bytes = work.bytes;
  trial.work_flops = work.flops;
  trial.work_bytes_written = work.written_bytes;
  trial.arithmetic = work.arithmetic;
  trial.started_utc = identity.started_utc;
  trial.samples_us = outcome.samples_us;
  return trial;
}

}  // namespace warpwright
