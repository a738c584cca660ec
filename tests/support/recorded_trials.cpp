#include "support/recorded_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/error.h"
#include "store/database.h"

namespace warpwright::testing {
namespace {

KernelResources compiled_resources(const EntryResources& stored) {
  return {stored.entry,
          stored.registers.value_or(0),
          stored.static_shared.value_or(0),
          stored.constant.value_or(0),
          stored.stack.value_or(0),
          stored.spill_stores.value_or(0),
          stored.spill_loads.value_or(0)};
}

Outcome outcome_of(const TrialRecord& trial) {
  Outcome outcome;
  outcome.status = trial.status;
  outcome.reason = trial.reason;
  if (trial.median_us) {
    TimeEstimate& time = outcome.time.emplace();
    time.median_us = *trial.median_us;
    time.ci_low_us = trial.ci_low_us.value_or(*trial.median_us);
    time.ci_high_us = trial.ci_high_us.value_or(*trial.median_us);
    time.floor_us = trial.floor_us.value_or(0);
    time.raw_median_us = trial.raw_median_us.value_or(0);
    time.modelled = trial.modelled;
    time.protocol = trial.protocol;
  }
  outcome.at_least_us = trial.at_least_us;
  outcome.samples_us = trial.samples_us;
  if (const auto* counters = trial.counters.readable()) outcome.counters = *counters;
  if (const auto* errors = trial.errors.readable()) outcome.errors = *errors;
  if (const auto* resources = trial.resources.readable())
    for (const EntryResources& one : *resources)
      outcome.resources.push_back(compiled_resources(one));
  if (const auto* seen = trial.measurement.readable()) {
    outcome.validity = seen->validity.value_or(Validity());
    if (seen->anchor_drift) outcome.anchor_drift = *seen->anchor_drift;
    outcome.hazards = seen->hazards;
    outcome.warnings = seen->warnings;
  }
  outcome.cubin_hash = trial.cubin_hash;
  outcome.validate_seconds = trial.validate_seconds;
  outcome.measure_seconds = trial.measure_seconds;
  outcome.sm_clock_mhz = trial.sm_clock_mhz;
  return outcome;
}

}  // namespace

const RecordedTrial& RecordedBoard::find(const std::string& configuration) const {
  const auto found = trials.find(configuration);
  if (found != trials.end()) return found->second;
  WARPWRIGHT_CHECK(!trials.empty(), "a recorded board holds trials");
  const std::size_t other = std::hash<std::string>()(configuration) % trials.size();
  return std::next(trials.begin(), static_cast<std::ptrdiff_t>(other))->second;
}

RecordedTrials::RecordedTrials(const std::filesystem::path& database, const std::string& kernel) {
  const Database stored(database, OpenMode::kReadOnly);
  Database::TrialFilter filter;
  filter.kernel = kernel;
  filter.with_samples = true;
  const std::vector<Database::TrialRow> rows = stored.trials(filter);
  std::map<RowId, std::size_t> of_device;
  for (const Database::TrialRow& row : rows) of_device[row.trial.device] += row.device_has_clock;
  const auto most = std::max_element(of_device.begin(), of_device.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  if (most == of_device.end() || most->second == 0) {
    throw user_error(fmt::format("{} holds no trial of {} on a GPU; take a recording of its sweep",
                                 database.string(), kernel));
  }
  for (const auto& [id, device] : stored.devices())
    if (const auto* details = device.details.readable(); id == most->first && details != nullptr)
      device_ = *details;
  for (const Database::TrialRow& row : rows) {
    if (row.trial.device != most->first) continue;
    const auto* seen = row.trial.measurement.readable();
    const double inputs = seen == nullptr ? 0 : seen->input_seconds.value_or(0);
    RecordedTrial trial;
    trial.outcome = outcome_of(row.trial);
    trial.compile_seconds = row.trial.compile_seconds;
    trial.device_seconds = row.trial.validate_seconds - inputs + row.trial.measure_seconds;
    add(row.trial.problem_text, row.trial.configuration_text, std::move(trial));
    double& board = boards_[row.trial.problem_text].input_seconds;
    board = std::max(board, inputs);
  }
}

void RecordedTrials::add(const std::string& problem_text, const std::string& configuration,
                         RecordedTrial trial) {
  boards_[problem_text].trials[configuration] = std::move(trial);
}

const RecordedBoard& RecordedTrials::board(const std::string& problem_text) const {
  const auto found = boards_.find(problem_text);
  if (found == boards_.end() || found->second.trials.empty())
    throw user_error(fmt::format("the recording has no trials of {}", problem_text));
  return found->second;
}

std::string RecordedTrials::best(const std::string& problem_text) const {
  const auto& trials = board(problem_text).trials;
  std::optional<double> best_us;
  std::string best;
  for (const auto& [configuration, trial] : trials) {
    if (trial.outcome.status != Status::kOk || !trial.outcome.time) continue;
    if (best_us && trial.outcome.time->median_us >= *best_us) continue;
    best_us = trial.outcome.time->median_us;
    best = configuration;
  }
  return best;
}

std::size_t RecordedTrials::size() const {
  std::size_t size = 0;
  for (const auto& [problem, board] : boards_) size += board.trials.size();
  return size;
}

}  // namespace warpwright::testing
