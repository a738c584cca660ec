// Sends requests to measuring workers, and makes the decisions that follow from their answers
// alone.
#include <fmt/format.h>

#include <algorithm>

#include "check/planned_entry.h"
#include "trial/reference/reference.h"
#include "workers/watchdog.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// A candidate that needs this many times the recorded instructions counts as one that never ends.
std::uint64_t instruction_limit(const BaselineEntry& recorded) {
  constexpr std::int64_t kTimes = 200;
  constexpr std::int64_t kAtLeast = 10'000'000;
  const auto found = recorded.metrics.find({"", "warp_instructions"});
  if (found == recorded.metrics.end()) return 0;
  const std::int64_t most = std::int64_t{4'000'000'000} / kTimes;
  return static_cast<std::uint64_t>(std::max(kAtLeast, kTimes * std::min(found->second, most)));
}

}  // namespace

std::shared_ptr<const MeasureRequest> request_of(const WorkerWorld& world,
                                                 const PlannedEntry& entry, bool compare,
                                                 int noise_blocks) {
  auto request = std::make_shared<MeasureRequest>();
  auto& [trial, gate] = request->what.emplace<TrialToCompare>();
  trial = {entry.candidate.configuration, entry.candidate.problem, entry.candidate.compiled,
           entry.cases};
  std::optional<double> about_us;
  if (entry.recorded->measured) about_us = entry.recorded->measured->median_us;
  request->launch_time_limit = launch_time_limit(world.device, about_us);
  gate.compare = compare;
  gate.kernel_file = entry.baseline.of->kernel.file;
  gate.reference_include = entry.baseline.of->common_headers();
  gate.texts = contract_texts(entry.baseline.of->kernel, gate.reference_include);
  gate.configuration = entry.baseline.configuration;
  gate.problem = entry.baseline.problem;
  gate.noise_blocks = noise_blocks;
  gate.emulated_instruction_limit = instruction_limit(*entry.recorded);
  if (compare) gate.compiled = entry.baseline.compiled;
  strip_for(world.device, trial.compiled);
  strip_for(world.device, gate.compiled);
  for (TrialRunner::CompiledCase& test : trial.cases) strip_for(world.device, test.compiled);
  return request;
}

std::vector<MeasureAnswer> ask_all(
    const WorkerWorld& world, const std::vector<PlannedEntry>& entries,
    const std::vector<std::size_t>& which,
    const std::function<std::shared_ptr<const MeasureRequest>(const PlannedEntry&)>& request) {
  std::vector<MeasureAnswer> answers(which.size());
  std::vector<bool> asked(which.size(), false);
  for (std::size_t first = 0; first < which.size(); ++first) {
    if (asked[first]) continue;
    const KernelSpec& kernel = entries[which[first]].candidate.of->kernel;
    std::vector<std::size_t> members;
    std::vector<std::shared_ptr<const MeasureRequest>> requests;
    for (std::size_t i = first; i < which.size(); ++i) {
      const PlannedEntry& entry = entries[which[i]];
      if (asked[i] || entry.candidate.of->kernel.file != kernel.file) continue;
      asked[i] = true;
      members.push_back(i);
      requests.push_back(request(entry));
    }
    std::vector<MeasureAnswer> given = world.ask(kernel, std::move(requests));
    WARPWRIGHT_CHECK(given.size() == members.size(), "every request has an answer");
    for (std::size_t i = 0; i < members.size(); ++i) answers[members[i]] = std::move(given[i]);
  }
  return answers;
}

bool accept_candidate(PlannedEntry& entry, MeasureAnswer answer) {
  if (answer.error) {
    // A contract that cannot be met is the candidate's fault; an environment fault is not.
    const bool contract = answer.error->fault() == Fault::kUser;
    std::string message = answer.error->message();
    const std::optional<CheckPlace> place =
        take_place(message, entry.candidate.of->kernel.texts.get());
    entry.decide(contract ? CheckState::kRegression : CheckState::kIncomparable,
                 contract ? FindingKind::kLost : FindingKind::kUndecided,
                 (contract ? "it cannot be checked: " : "it could not be run: ") + message, place);
    return false;
  }
  const Outcome& outcome = answer.outcome;
  entry.report.seconds += outcome.validate_seconds + outcome.measure_seconds;
  if (outcome.status != Status::kOk) {
    const SourceNames names = entry.candidate_names();
    const VariantSpec* variant =
        entry.candidate.of->kernel.find_variant(entry.candidate.configuration.variant);
    entry.decide(CheckState::kRegression, FindingKind::kLost,
                 fmt::format("{}: {}", status_name(outcome.status), outcome.reason),
                 names.entry_place(variant->launches.front().entry.text()));
    return false;
  }
  for (const TrialHazard& hazard : outcome.hazards) {
    entry.report.findings.push_back(
        {FindingKind::kNote, "it works, but the checkers object: " + hazard.text, std::nullopt});
  }
  entry.outcome = std::move(answer.outcome);
  return true;
}

}  // namespace warpwright
