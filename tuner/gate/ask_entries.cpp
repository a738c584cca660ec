// Requests to measuring workers, and what their answers alone decide.
#include <fmt/format.h>

#include <algorithm>

#include "gate/planned_entry.h"
#include "run/watchdog.h"
#include "run/worker_setup.h"

namespace warpwright {
namespace {

// A candidate that takes so many times what was recorded does not end, or might as well not.
std::uint64_t instruction_limit(const BaselineEntry& recorded) {
  constexpr std::int64_t kTimes = 200;
  constexpr std::int64_t kAtLeast = 10'000'000;
  const auto found = recorded.metrics.find({"", "warp_instructions"});
  if (found == recorded.metrics.end()) return 0;
  const std::int64_t most = std::int64_t{4'000'000'000} / kTimes;
  return static_cast<std::uint64_t>(std::max(kAtLeast, kTimes * std::min(found->second, most)));
}

}  // namespace

std::shared_ptr<const MeasureRequest> request_of(const GateWorld& world, const PlannedEntry& entry,
                                                 bool compare, int noise_blocks) {
  auto request = std::make_shared<MeasureRequest>();
  request->configuration = entry.candidate.configuration;
  request->problem = entry.candidate.problem;
  request->compiled = entry.candidate.compiled;
  request->cases = entry.cases;
  std::optional<double> about_us;
  if (entry.recorded->measured) about_us = entry.recorded->measured->median_us;
  request->launch_time_limit = launch_time_limit(world.device, about_us);
  GateRequest& gate = request->gate.emplace();
  gate.compare = compare;
  gate.kernel_file = entry.baseline.of->kernel.file;
  gate.reference_include = entry.baseline.of->common_headers();
  gate.configuration = entry.baseline.configuration;
  gate.problem = entry.baseline.problem;
  gate.noise_blocks = noise_blocks;
  gate.emulated_instruction_limit = instruction_limit(*entry.recorded);
  if (compare) gate.compiled = entry.baseline.compiled;
  strip_for(world.device, request->compiled);
  strip_for(world.device, gate.compiled);
  for (TrialRunner::CompiledCase& test : request->cases) strip_for(world.device, test.compiled);
  return request;
}

std::vector<GateAnswer> ask_all(
    const GateWorld& world, const std::vector<PlannedEntry>& entries,
    const std::vector<std::size_t>& which,
    const std::function<std::shared_ptr<const MeasureRequest>(const PlannedEntry&)>& request) {
  std::vector<GateAnswer> answers(which.size());
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
    std::vector<GateAnswer> given = world.ask(kernel, std::move(requests));
    WARPWRIGHT_CHECK(given.size() == members.size(), "every request has an answer");
    for (std::size_t i = 0; i < members.size(); ++i) answers[members[i]] = std::move(given[i]);
  }
  return answers;
}

bool accept_candidate(PlannedEntry& entry, GateAnswer answer) {
  if (answer.error) {
    // A contract that cannot be met is the candidate's fault; the environment is nobody's.
    const bool contract = answer.error->fault() == Fault::kUser;
    std::string message = answer.error->message();
    const std::optional<GatePlace> place = take_place(message);
    entry.decide(contract ? GateState::kRegression : GateState::kIncomparable,
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
    entry.decide(GateState::kRegression, FindingKind::kLost,
                 fmt::format("{}: {}", status_name(outcome.status), outcome.reason),
                 names.entry_place(variant->launches.front().entry));
    return false;
  }
  entry.outcome = std::move(answer.outcome);
  return true;
}

}  // namespace warpwright
