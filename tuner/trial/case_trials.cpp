#include "trial/case_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "core/hash.h"
#include "trial/data/problem_inputs.h"
#include "trial/trial_steps.h"
#include "trial/validation/contract_check.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {
namespace {

// No case needs this number of warp instructions, and an endless loop is detected within seconds.
constexpr std::uint64_t kCaseInstructionLimit = 50'000'000;

// Case problems are small; their data are kept until their total size would take memory from the
// real problem.
constexpr std::size_t kKeptCaseBytes = std::size_t{512} << 20;

TrialOptions for_cases(TrialOptions options, const Device& device) {
  std::uint64_t& limit = options.emulated_instruction_limit;
  limit = limit == 0 ? kCaseInstructionLimit : std::min(limit, kCaseInstructionLimit);
  // Cases are small, so checkers cost little there. The problem itself would take several times as
  // long under the checkers and runs the same code.
  options.check_hazards = !device.info().has_clock;
  return options;
}

std::string title_of(const KernelSpec& kernel, const CaseJob& test) {
  return fmt::format("case '{}' ({})", test.name, describe_problem(kernel, test.problem));
}

}  // namespace

CaseTrials::CaseTrials(const KernelSpec& kernel, Device& device, TrialOptions options,
                       const Reference& reference, const ReferenceStore& store)
    : kernel_(kernel),
      device_(device),
      options_(for_cases(std::move(options), device)),
      reference_(reference),
      store_(store) {}

ProblemInputs& CaseTrials::inputs(const Configuration& configuration,
                                  const TrialRunner::CompiledCase& test) {
  ProblemRequest request;
  request.problem = shaped_problem(kernel_, configuration, test.test.problem);
  request.fills = test.test.fills;
  request.title = title_of(kernel_, test.test);
  for (const CaseSpec& spec : kernel_.cases) {
    // The fill is somewhere below the case; only the line is certain.
    if (spec.name == test.test.name) request.fills_where = {spec.where.file, spec.where.line, 0};
  }
  const std::string key = request.key();
  const auto known = inputs_.find(key);
  if (known != inputs_.end()) return known->second;
  std::size_t held = 0;
  for (const auto& [name, kept] : inputs_) held += kept.device_bytes();
  if (held > kKeptCaseBytes) inputs_.clear();
  require_memory(kernel_, device_, configuration, request);
  return inputs_
      .try_emplace(key, kernel_, device_, options_, reference_, store_, std::move(request))
      .first->second;
}

std::string CaseTrials::keep_hazards(const TrialRunner::CompiledCase& test,
                                     const std::vector<Finding>& found, std::vector<Finding>& known,
                                     Outcome& outcome) const {
  std::vector<Finding> objections;
  std::copy_if(found.begin(), found.end(), std::back_inserter(objections),
               [](const Finding& hazard) { return !hazard.is_fault; });
  if (options_.hazards == HazardPolicy::kReject || objections.empty()) return "";
  for (const Finding& hazard : objections) {
    const bool seen = std::any_of(known.begin(), known.end(),
                                  [&](const Finding& one) { return same_mistake(one, hazard); });
    if (seen) continue;
    known.push_back(hazard);
    outcome.hazards.push_back(
        {std::string(finding_kind_name(hazard.kind)),
         fmt::format("{}: {}", title_of(kernel_, test.test), describe(hazard))});
  }
  return "; the checkers object: " + describe(first_cause(objections));
}

bool CaseTrials::run_one(const Configuration& configuration, const TrialRunner::CompiledCase& test,
                         std::vector<Finding>& known, Outcome& outcome) {
  const auto failed_here = [&] {
    outcome.reason = fmt::format("{}: {}", title_of(kernel_, test.test), outcome.reason);
    return false;
  };
  if (!compiled_or_fail(test.compiled, outcome)) return failed_here();
  if (!possible_or_fail(kernel_, configuration, test.test.problem, device_, test.compiled, outcome))
    return failed_here();
  const auto module = load_or_fail(device_, test.compiled, outcome);
  if (!module) return failed_here();
  ProblemInputs& problem = inputs(configuration, test);
  TrialValidation check(kernel_, device_, options_, configuration, problem.first(), module);
  constexpr int kCaseRuns = 2;
  ValidationReport report = check.verify(kCaseRuns);
  // On devices with a clock the timed problem is validated on both input sets; on others only the
  // cases are.
  if (report.status == Status::kOk && !device_.info().has_clock)
    report.add(verify_other(kernel_, device_, configuration, problem, module));
  outcome.errors = std::move(report.errors);
  const std::string objection = keep_hazards(test, report.launch.hazards, known, outcome);
  if (report.status == Status::kOk) return true;
  fail(outcome, report.status, report.reason + objection, report.detail);
  outcome.worker_lost = report.device_lost;
  return failed_here();
}

bool CaseTrials::run(const Configuration& configuration,
                     const std::vector<TrialRunner::CompiledCase>& cases, Outcome& outcome) {
  Sha256 hash;
  hash.field(configuration.to_string());
  for (const TrialRunner::CompiledCase& test : cases)
    hash.field(test.test.name).field(content_hash(test.compiled));
  const std::string key = hash.hex();
  if (const auto held = outcomes_.find(key); held != outcomes_.end()) {
    outcome.hazards = held->second.hazards;
    if (held->second.status == Status::kOk) return true;
    fail(outcome, held->second.status, held->second.reason, held->second.detail);
    outcome.errors = held->second.errors;
    return false;
  }
  Outcome of_cases;
  std::vector<Finding> known;
  for (const TrialRunner::CompiledCase& test : cases) {
    if (!run_one(configuration, test, known, of_cases)) break;
  }
  outcome.hazards = of_cases.hazards;
  if (of_cases.status == Status::kOk) of_cases.errors.clear();
  outcome.worker_lost = of_cases.worker_lost;
  if (of_cases.status != Status::kOk) {
    fail(outcome, of_cases.status, of_cases.reason, of_cases.detail);
    outcome.errors = of_cases.errors;
  }
  const bool passed = of_cases.status == Status::kOk;
  outcomes_.emplace(key, std::move(of_cases));
  return passed;
}

VettedCase CaseTrials::vet(const Configuration& configuration,
                           const TrialRunner::CompiledCase& test, const VetRequest& request) {
  VettedCase vetted;
  vetted.name = test.test.name;
  vetted.problem_text = describe_problem(kernel_, test.test.problem);
  Outcome outcome;
  std::shared_ptr<const DeviceModule> module;
  if (compiled_or_fail(test.compiled, outcome) &&
      possible_or_fail(kernel_, configuration, test.test.problem, device_, test.compiled, outcome))
    module = load_or_fail(device_, test.compiled, outcome,
                          request.without ? &*request.without : nullptr);
  if (!module) {
    vetted.status = outcome.status;
    vetted.reason = outcome.reason;
    vetted.advice = outcome.detail.advice;
    return vetted;
  }
  ProblemInputs& problem = inputs(configuration, test);
  if (request.contract) {
    const Environment environment =
        trial_environment(kernel_, configuration, test.test.problem, device_.info());
    vetted.contract = check_contract(kernel_, environment, problem.first(), problem.other(),
                                     CheckedProblem::kCase);
  }
  TrialOptions options = options_;
  if (request.instructions != 0) options.emulated_instruction_limit = request.instructions;
  options.trust_cas_reads = request.trust_cas_reads;
  TrialValidation check(kernel_, device_, options, configuration, problem.first(), module);
  if (request.list_sites) {
    std::vector<std::string> entries;
    for (const DeviceLaunch& launch : check.launches()) entries.push_back(launch.entry);
    vetted.sites = device_.sync_sites(test.compiled, entries);
  }
  vet_schedules(check, request, vetted);
  return vetted;
}

}  // namespace warpwright
