#include "sweep/shared_code.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

void add_problem(Sha256& hash, const KernelSpec& kernel, const DeviceInfo& device,
                 const Configuration& configuration, const Problem& problem,
                 const CompileResult& compiled) {
  // A GPU runs the machine code, the emulator the PTX.
  hash.field(device.has_clock ? compiled.cubin : compiled.ptx);
  hash.field(launch_identity(kernel, configuration, problem, device));
  // Includes the parameters that determine the correct result, even if the machine code no longer
  // depends on them.
  for (const auto& [name, value] : shaped_problem(kernel, configuration, problem))
    hash.field(name).field(value.to_string());
}

bool may_be_shared(const Outcome& outcome) {
  return outcome.status != Status::kCrashed && settled(outcome.status) && !outcome.worker_lost;
}

// The outcome as other trials share it: the samples and the anchor check stay with the trial that
// ran, and the time was spent only once.
Outcome as_shared(Outcome outcome, const std::string& configuration) {
  outcome.same_as = configuration;
  outcome.samples_us.clear();
  outcome.anchor_drift = Outcome().anchor_drift;
  outcome.anchor_moved = false;
  outcome.validate_seconds = outcome.case_seconds = outcome.input_seconds = 0;
  outcome.measure_seconds = 0;
  return outcome;
}

}  // namespace

std::string code_identity(const KernelSpec& kernel, const DeviceInfo& device,
                          const CompiledTrial& trial) {
  Sha256 hash;
  hash.field(device.kind());
  add_problem(hash, kernel, device, trial.configuration, trial.problem, trial.compiled);
  for (const TrialRunner::CompiledCase& test : trial.cases) {
    hash.field(test.test.name);
    add_problem(hash, kernel, device, trial.configuration, test.test.problem, test.compiled);
  }
  return hash.hex();
}

SharedCode::Turn SharedCode::submit(const std::string& identity, std::uint64_t task) {
  Entry& entry = entries_[identity];
  if (entry.outcome) return Turn::kKnown;
  if (entry.running && *entry.running != task) {
    entry.waiting.push_back(task);
    return Turn::kWait;
  }
  entry.running = task;
  return Turn::kRun;
}

bool SharedCode::waits(const std::string& identity, std::uint64_t task) const {
  const auto found = entries_.find(identity);
  if (found == entries_.end()) return false;
  const std::vector<std::uint64_t>& waiting = found->second.waiting;
  return std::find(waiting.begin(), waiting.end(), task) != waiting.end();
}

const SharedCode::Entry& SharedCode::known_entry(const std::string& identity) const {
  const auto found = entries_.find(identity);
  WARPWRIGHT_CHECK(found != entries_.end() && found->second.outcome, "the outcome is known");
  return found->second;
}

const Outcome& SharedCode::known(const std::string& identity) const {
  return *known_entry(identity).outcome;
}

std::size_t SharedCode::device_of_known(const std::string& identity) const {
  return known_entry(identity).device;
}

std::vector<std::uint64_t> SharedCode::ended(const std::string& identity, std::uint64_t task,
                                             const std::string& configuration,
                                             const Outcome& outcome, std::size_t device) {
  const auto found = entries_.find(identity);
  if (found == entries_.end() || found->second.running != task) return dropped(identity, task);
  Entry& entry = found->second;
  entry.running.reset();
  entry.device = device;
  if (may_be_shared(outcome)) entry.outcome = as_shared(outcome, configuration);
  return std::exchange(entry.waiting, {});
}

bool SharedCode::measured_again(const std::string& identity, const std::string& configuration,
                                const Outcome& outcome) {
  const auto found = entries_.find(identity);
  if (found == entries_.end() || !found->second.outcome || !may_be_shared(outcome)) return false;
  if (found->second.outcome->same_as != configuration) return false;
  found->second.outcome = as_shared(outcome, configuration);
  return true;
}

std::vector<std::uint64_t> SharedCode::dropped(const std::string& identity, std::uint64_t task) {
  const auto found = entries_.find(identity);
  if (found == entries_.end()) return {};
  Entry& entry = found->second;
  std::erase(entry.waiting, task);
  if (entry.running != task) return {};
  entry.running.reset();
  return std::exchange(entry.waiting, {});
}

void Sharers::add(const TrialTask& task) {
  TrialTask sharer = task;
  sharer.repeated = true;
  // Dropped here: the code, which is no longer needed.
  sharer.request = std::make_shared<MeasureRequest>();
  sharer.trial().configuration = task.trial().configuration;
  sharer.trial().problem = task.trial().problem;
  sharer.trial().compiled.resources = task.trial().compiled.resources;
  sharer.trial().compiled.seconds = task.trial().compiled.seconds;
  tasks_[task.code].push_back(std::move(sharer));
}

Outcome Sharers::outcome_of(const TrialTask& task, const Outcome& known) {
  Outcome outcome = known;
  outcome.resources = task.trial().compiled.resources;
  outcome.compile_seconds = task.trial().compiled.seconds;
  return outcome;
}

std::vector<Sharers::Sharer> Sharers::with_outcome(const std::string& code,
                                                   const Outcome& known) const {
  std::vector<Sharer> sharers;
  const auto found = tasks_.find(code);
  if (found == tasks_.end()) return sharers;
  for (const TrialTask& task : found->second) sharers.push_back({task, outcome_of(task, known)});
  return sharers;
}

}  // namespace warpwright
