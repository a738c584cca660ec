#include "trial/trial_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "core/error.h"
#include "core/files.h"
#include "stats/screening_rule.h"
#include "trial/case_trials.h"
#include "trial/data/problem_inputs.h"
#include "trial/reference/reference.h"
#include "trial/timing/anchor.h"
#include "trial/timing/finals.h"
#include "trial/timing/gate.h"
#include "trial/timing/hot_rotation.h"
#include "trial/timing/measure.h"
#include "trial/timing/paced_plan.h"
#include "trial/trial_steps.h"
#include "trial/validation/contract_check.h"
#include "trial/validation/trial_validation.h"
#include "trial/validation/validated_launches.h"
#include "trial/validation/vet_schedules.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// Validation launches are timed only roughly: gaps of the host lie between their events, and the
// driver may load the code at the first one.
constexpr double kRoughUs = 50;
constexpr double kFirstRoughUs = 3000;

// Limit on the inputs that are kept for configurations that compute different things.
constexpr std::size_t kKeptInputBytes = std::size_t{4} << 30;

// Returns the pruning step if the validation launches alone show that the configuration cannot win.
std::optional<ScreeningStep> too_slow(Device& device, const std::vector<double>& launch_us,
                                      double units, std::optional<double> best_us) {
  std::vector<double> net_us;
  for (std::size_t i = launch_us.size() > 1 ? 1 : 0; i < launch_us.size(); ++i)
    net_us.push_back(without_floor(launch_us[i], i == 0 ? kFirstRoughUs : kRoughUs) / units);
  const auto pruned = [&](bool slowed) -> std::optional<ScreeningStep> {
    const ScreeningStep step = after_correctness(net_us, best_us, slowed);
    if (step.decision != ScreeningDecision::kPruned) return std::nullopt;
    return step;
  };
  // Reading the state takes time, so it is read only when it may matter.
  const std::optional<ScreeningStep> step = pruned(false);
  return step && held_back(device.state()) ? pruned(true) : step;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

struct TrialRunner::Impl {
  Impl(const KernelSpec& the_kernel, Device& the_device, TrialOptions the_options)
      : kernel(the_kernel),
        device(the_device),
        options(std::move(the_options)),
        reference(make_reference(kernel, options, own_folder)),
        store(answers_folder(options)),
        case_trials(kernel, device, options, reference, store) {}

  Outcome run(const Configuration& configuration, const Problem& problem,
              const CompileResult& compiled, const std::vector<CompiledCase>& cases,
              std::optional<double> known_best_us, bool keep);
  Outcome model(const Configuration& configuration, const Problem& problem,
                const CompileResult& compiled, std::uint64_t sample_blocks);
  Outcome gate(const Configuration& configuration, const Problem& problem,
               const CompileResult& compiled, const std::vector<CompiledCase>& cases,
               const GateRequest& request);
  std::unique_ptr<ValidatedLaunches> prove(const Configuration& configuration,
                                           const Problem& problem, const CompileResult& compiled,
                                           const std::vector<CompiledCase>& cases,
                                           std::optional<double> known_best_us, Outcome& outcome);
  void set_limit(const TrialLimits& limits) {
    options.launch_time_limit = limits.launch_time_limit.value_or(usual_time_limit);
    case_trials.set_launch_time_limit(options.launch_time_limit);
    count_energies = limits.energy;
  }
  ProblemInputs& problem_inputs(const Configuration& configuration, const Problem& problem,
                                bool keep = false);
  void forget_inputs();
  bool validate(ValidatedLaunches& check, Outcome& outcome);
  void time(std::unique_ptr<ValidatedLaunches> check, Outcome& outcome);
  void count_energy(const ValidatedLaunches& check, Outcome& outcome);
  [[nodiscard]] std::unique_ptr<TimingPlan> cold_plan(const ValidatedLaunches& check);

  // A configuration that passed and will be sampled later.
  struct Kept {
    std::unique_ptr<ValidatedLaunches> check;
    std::unique_ptr<TimingPlan> plan;
  };

  const KernelSpec kernel;
  Device& device;
  TrialOptions options;  // launch_time_limit is the limit of the current run
  const std::chrono::milliseconds usual_time_limit = options.launch_time_limit;
  const std::uint64_t usual_instruction_limit = options.emulated_instruction_limit;
  std::optional<TemporaryFolder> own_folder;  // for a reference that is compiled without a cache
  Reference reference;
  ReferenceStore store;
  CaseTrials case_trials;
  ContractChecks contract_checks{kernel};
  // The inputs of one problem, by ProblemRequest::key(): configurations may compute different
  // things.
  Problem main_problem;
  std::map<std::string, ProblemInputs> inputs;
  // The best time so far and the anchor of that problem.
  std::optional<double> best_us;
  std::unique_ptr<Anchor> anchor;  // uses one of the inputs
  std::optional<Kept> kept;        // also uses one of the inputs
  bool count_energies = false;     // of timed configurations
  double rough_us = 0;             // of the latest validated launches
};

// With `keep`, other inputs of this problem are kept.
ProblemInputs& TrialRunner::Impl::problem_inputs(const Configuration& configuration,
                                                 const Problem& problem, bool keep) {
  ProblemRequest request;
  request.problem = shaped_problem(kernel, configuration, problem);
  request.title = describe_problem(kernel, problem);
  if (problem != main_problem) {
    forget_inputs();  // the new problem needs the old one's memory
    best_us.reset();
    main_problem = problem;
  }
  const std::string key = request.key();
  if (const auto known = inputs.find(key); known != inputs.end()) return known->second;
  // Other inputs of the problem are about as large, also on the host.
  std::size_t held = 0;
  for (const auto& [name, one] : inputs) held += one.device_bytes();
  if (!keep && (held > kKeptInputBytes || 2 * held > device.free_bytes())) forget_inputs();
  require_memory(kernel, device, configuration, request);
  return inputs.try_emplace(key, kernel, device, options, reference, store, std::move(request))
      .first->second;
}

void TrialRunner::Impl::forget_inputs() {
  anchor.reset();
  kept.reset();
  inputs.clear();
}

// Runs a trial up to the point where a correct configuration would be timed; null when the outcome
// is decided before that.
std::unique_ptr<ValidatedLaunches> TrialRunner::Impl::prove(
    const Configuration& configuration, const Problem& problem, const CompileResult& compiled,
    const std::vector<CompiledCase>& cases, std::optional<double> known_best_us, Outcome& outcome) {
  outcome.resources = compiled.resources;
  outcome.warnings = compiled.warnings;
  outcome.compile_seconds = compiled.seconds;
  if (!compiled_or_fail(compiled, outcome)) return nullptr;
  outcome.cubin_hash = content_hash(compiled);
  if (!possible_or_fail(kernel, configuration, problem, device, compiled, outcome)) return nullptr;

  const auto validation_start = Clock::now();
  const auto stop_clock = [&] { outcome.validate_seconds = seconds_since(validation_start); };
  const bool cases_pass = case_trials.run(configuration, cases, outcome);
  outcome.case_seconds = seconds_since(validation_start);
  if (!cases_pass) {
    stop_clock();
    return nullptr;
  }
  const auto module = load_or_fail(device, compiled, outcome);
  if (!module) return nullptr;
  const auto inputs_start = Clock::now();
  ProblemInputs& data = problem_inputs(configuration, problem);
  outcome.remarks = contract_checks.remarks(
      trial_environment(kernel, configuration, problem, device.info()), data);
  outcome.input_seconds = seconds_since(inputs_start);
  if (options.strict || kernel.strict) outcome.untested = !outcome.remarks->empty();
  if (outcome.untested.value_or(false)) {
    fail(outcome, Status::kInvalid, untested_reason(*outcome.remarks));
    stop_clock();
    return nullptr;
  }
  if (known_best_us && (!best_us || *known_best_us < *best_us)) best_us = known_best_us;
  auto check =
      std::make_unique<ValidatedLaunches>(kernel, device, options, configuration, data, module);
  const bool right = validate(*check, outcome);
  stop_clock();
  return right ? std::move(check) : nullptr;
}

Outcome TrialRunner::Impl::run(const Configuration& configuration, const Problem& problem,
                               const CompileResult& compiled,
                               const std::vector<CompiledCase>& cases,
                               std::optional<double> known_best_us, bool keep) {
  kept.reset();
  Outcome outcome;
  auto check = prove(configuration, problem, compiled, cases, known_best_us, outcome);
  if (!check || !device.info().has_clock) return outcome;
  if (keep) {
    auto plan = cold_plan(*check);
    kept = {std::move(check), std::move(plan)};
  } else {
    time(std::move(check), outcome);
  }
  return outcome;
}

Outcome TrialRunner::Impl::model(const Configuration& configuration, const Problem& problem,
                                 const CompileResult& compiled, std::uint64_t sample_blocks) {
  kept.reset();
  Outcome outcome;
  outcome.resources = compiled.resources;
  outcome.compile_seconds = compiled.seconds;
  if (!compiled_or_fail(compiled, outcome)) return outcome;
  if (!possible_or_fail(kernel, configuration, problem, device, compiled, outcome)) return outcome;
  const auto module = load_or_fail(device, compiled, outcome);
  if (!module) return outcome;
  const auto start = Clock::now();
  TrialValidation launches(kernel, device, options, configuration,
                           problem_inputs(configuration, problem).first(), module);
  const ValidationReport report = launches.launch_unchecked(sample_blocks);
  outcome.measure_seconds = seconds_since(start);
  outcome.counters = report.launch.counters;
  if (report.status == Status::kOk) {
    outcome.time = modelled_time(report.launch, launches.units());
  } else {
    fail(outcome, report.status, report.reason, report.detail);
  }
  return outcome;
}

Outcome TrialRunner::Impl::gate(const Configuration& configuration, const Problem& problem,
                                const CompileResult& compiled,
                                const std::vector<CompiledCase>& cases,
                                const GateRequest& request) {
  kept.reset();
  Outcome outcome;
  options.emulated_instruction_limit = request.emulated_instruction_limit != 0
                                           ? request.emulated_instruction_limit
                                           : usual_instruction_limit;
  const auto candidate = prove(configuration, problem, compiled, cases, std::nullopt, outcome);
  if (!candidate || !request.compare) return outcome;
  const auto start = Clock::now();
  auto compared = std::make_shared<GateOutcome>(
      run_gate_comparison(kernel, device, options, configuration, *candidate, request));
  outcome.measure_seconds = seconds_since(start);
  outcome.worker_lost = compared->worker_lost;
  if (compared->candidate_failed) fail(outcome, compared->status, compared->reason);
  // The timed launches must still give the results that were validated.
  constexpr int kRunsAfter = 2;
  if (device.info().has_clock && outcome.status == Status::kOk && !outcome.worker_lost) {
    if (ValidationReport after = candidate->verify(kRunsAfter); after.status != Status::kOk) {
      fail(outcome, after.status, "after it was timed: " + after.reason, after.detail);
      outcome.worker_lost = after.device_lost;
    }
  }
  outcome.found = std::shared_ptr<const GateOutcome>(std::move(compared));
  return outcome;
}

// Returns false when the outcome is decided.
bool TrialRunner::Impl::validate(ValidatedLaunches& check, Outcome& outcome) {
  const bool may_prune = options.screening && device.info().has_clock;
  std::optional<ScreeningStep> pruned;
  ValidationReport report =
      check.verify(options.determinism_runs, [&](const std::vector<double>& launch_us) {
        if (may_prune) pruned = too_slow(device, launch_us, check.units(), best_us);
        return pruned.has_value();
      });
  outcome.errors = std::move(report.errors);
  outcome.counters = report.launch.counters;
  if (report.status != Status::kOk) {
    fail(outcome, report.status, std::move(report.reason), std::move(report.detail));
    outcome.worker_lost = report.device_lost;
    return false;
  }
  if (pruned) {
    fail(outcome, Status::kPruned,
         fmt::format("its launches took {:.4g} µs and more while being validated, the best "
                     "configuration takes {:.4g} µs",
                     pruned->at_least_us, *best_us));
    outcome.at_least_us = pruned->at_least_us;
    return false;
  }
  rough_us = report.launch_us.empty() ? 0 : report.launch_us.back();
  if (device.info().has_clock) {
    owe_rest(device, std::accumulate(report.launch_us.begin(), report.launch_us.end(), 0.0));
  } else {
    outcome.time = modelled_time(report.launch, check.units());
  }
  return true;
}

std::unique_ptr<TimingPlan> TrialRunner::Impl::cold_plan(const ValidatedLaunches& check) {
  TimingRequest timing = check.cold_request();
  timing.expected_us = rough_us;
  return per_unit(plan_paced(device, std::move(timing)), check.units());
}

void TrialRunner::Impl::time(std::unique_ptr<ValidatedLaunches> check, Outcome& outcome) {
  options.enter("measure");
  const auto measuring_start = Clock::now();
  auto plan = cold_plan(*check);
  Measurement measurement = measure(device, *plan, {options.screening, best_us, check->units()});
  outcome.measure_seconds = seconds_since(measuring_start);
  outcome.samples_us = std::move(measurement.samples_us);
  outcome.sm_clock_mhz = measurement.sm_clock_mhz;
  outcome.validity = measurement.validity;
  outcome.at_least_us = measurement.at_least_us;
  if (measurement.status == Status::kOk) {
    outcome.time = measurement.time;
    if (count_energies) count_energy(*check, outcome);
    if (ValidationReport after = check->verify_after_timing(); after.status != Status::kOk)
      fail(outcome, after.status, std::move(after.reason), std::move(after.detail));
  } else {
    fail(outcome, measurement.status, std::move(measurement.reason));
    outcome.worker_lost = measurement.device_lost;
  }
  if (outcome.worker_lost) return;
  if (anchor) {
    if (const std::optional<AnchorLook> look = anchor->after_trial()) {
      outcome.anchor_drift = look->drift;
      outcome.anchor_moved = look->moved;
    }
  }
  if (outcome.status != Status::kOk) return;
  best_us = std::min(best_us.value_or(outcome.time->median_us), outcome.time->median_us);
  if (!anchor || anchor->outdone_by(outcome.time->median_us))
    anchor = std::make_unique<Anchor>(std::move(check), std::move(plan), outcome.time->median_us);
}

// Outputs are checked afterwards, which reveals errors in a chain of launches. Nothing restores
// in-out arguments in a chain, and a sum that keeps growing is different work.
void TrialRunner::Impl::count_energy(const ValidatedLaunches& check, Outcome& outcome) {
  if (!device.info().counts_energy || !check.inputs().first().restores().empty()) return;
  const auto start = Clock::now();
  HotRotation rotation = make_hot_rotation(device, check);
  const auto plan = device.plan_timing(std::move(rotation.request));
  if (const std::optional<LaunchEnergy> energy = energy_of_launch(device, *plan, kEnergyTime)) {
    outcome.energy_mj_per_launch = energy->mj;
    outcome.power_w = energy->power_w;
  }
  outcome.measure_seconds += seconds_since(start);
  // The next timing must not be affected by this load.
  owe_rest(device, 1e6 * seconds_since(start));
}

TrialRunner::TrialRunner(const KernelSpec& kernel, Device& device, TrialOptions options)
    : impl_(std::make_unique<Impl>(kernel, device, std::move(options))) {}

TrialRunner::~TrialRunner() = default;

Outcome TrialRunner::run(const Configuration& configuration, const Problem& problem,
                         const CompileResult& compiled, const std::vector<CompiledCase>& cases,
                         const TrialLimits& limits) {
  impl_->set_limit(limits);
  impl_->options.enter("validate");
  return impl_->run(configuration, problem, compiled, cases, limits.best_us, false);
}

Outcome TrialRunner::prepare(const Configuration& configuration, const Problem& problem,
                             const CompileResult& compiled, const std::vector<CompiledCase>& cases,
                             const TrialLimits& limits) {
  impl_->set_limit(limits);
  impl_->options.enter("validate");
  // The configuration was requested explicitly, so it is timed however slow it is.
  impl_->best_us.reset();
  return impl_->run(configuration, problem, compiled, cases, std::nullopt, true);
}

Measurement TrialRunner::sample(int samples) {
  WARPWRIGHT_CHECK(impl_->kept.has_value(), "what is sampled was prepared");
  impl_->options.enter("measure");
  return take_steadily(impl_->device, *impl_->kept->plan, samples);
}

Outcome TrialRunner::recheck() {
  WARPWRIGHT_CHECK(impl_->kept.has_value(), "what is checked again was prepared");
  impl_->options.enter("validate");
  Outcome outcome;
  const ValidationReport after = impl_->kept->check->verify_after_timing();
  if (after.status != Status::kOk) fail(outcome, after.status, after.reason, after.detail);
  outcome.worker_lost = after.device_lost;
  return outcome;
}

Outcome TrialRunner::gate(const Configuration& configuration, const Problem& problem,
                          const CompileResult& compiled, const std::vector<CompiledCase>& cases,
                          const GateRequest& request, const TrialLimits& limits) {
  impl_->set_limit(limits);
  impl_->options.enter("validate");
  return impl_->gate(configuration, problem, compiled, cases, request);
}

Outcome TrialRunner::vet(const Configuration& configuration, const std::vector<CompiledCase>& cases,
                         const VetRequest& request, const TrialLimits& limits) {
  WARPWRIGHT_CHECK(!impl_->device.info().has_clock, "a device without a clock has checkers");
  impl_->set_limit(limits);
  impl_->options.enter("validate");
  auto vetted = std::make_shared<VetOutcome>();
  for (const CompiledCase& test : cases) {
    vetted->cases.push_back(impl_->case_trials.vet(configuration, test, request));
    if (request.without && vetted->cases.back().objects()) break;
  }
  Outcome outcome;
  outcome.found = std::shared_ptr<const VetOutcome>(std::move(vetted));
  return outcome;
}

Outcome TrialRunner::model(const Configuration& configuration, const Problem& problem,
                           const CompileResult& compiled, std::uint64_t sample_blocks,
                           const TrialLimits& limits) {
  WARPWRIGHT_CHECK(!impl_->device.info().has_clock, "a device without a clock has a model");
  impl_->set_limit(limits);
  impl_->options.enter("validate");
  return impl_->model(configuration, problem, compiled, sample_blocks);
}

Outcome TrialRunner::rank(const Problem& problem, const std::vector<Finalist>& finalists,
                          const RaceOptions& race, const TrialLimits& limits) {
  WARPWRIGHT_CHECK(!finalists.empty(), "a ranking has finalists");
  impl_->set_limit(limits);
  impl_->options.enter("validate");
  // Frees the inputs of other trials to make room for those of the finalists.
  if (!impl_->kernel.shaping.empty()) impl_->forget_inputs();
  const FinalistData data_of = [&](const Configuration& configuration) -> ProblemInputs& {
    return impl_->problem_inputs(configuration, problem, true);
  };
  auto finals = std::make_shared<FinalsOutcome>(
      run_finals(impl_->kernel, impl_->device, impl_->options, data_of, finalists, race));
  Outcome outcome;
  outcome.status = finals->status;
  outcome.reason = finals->reason;
  outcome.worker_lost = finals->worker_lost;
  outcome.measure_seconds = finals->seconds;
  outcome.found = std::shared_ptr<const FinalsOutcome>(std::move(finals));
  return outcome;
}

}  // namespace warpwright
