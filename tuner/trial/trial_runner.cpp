#include "trial/trial_runner.h"

#include <fmt/format.h>

#include <chrono>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "trial/measure.h"
#include "trial/memory_need.h"
#include "trial/problem_data.h"
#include "trial/reference.h"
#include "trial/trial_check.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// Case problems are small; their data are kept until together they would crowd the real problem.
constexpr std::size_t kKeptCaseBytes = std::size_t{512} << 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string content_hash(const CompileResult& compiled) {
  return sha256_hex(compiled.cubin.empty() ? compiled.ptx : compiled.cubin);
}

// Keeps what is known of the configuration and drops what belongs to an outcome that succeeded.
void fail(Outcome& outcome, Status status, std::string reason) {
  outcome.status = status;
  outcome.reason = std::move(reason);
  outcome.time.reset();
}

bool compiled_or_fail(const CompileResult& compiled, Outcome& outcome) {
  if (compiled.ok) return true;
  fail(outcome, Status::kCompileFailed,
       compiled.failure.empty() ? "the compiler gave no reason" : compiled.failure);
  return false;
}

}  // namespace

struct TrialRunner::Impl {
  Impl(const KernelSpec& the_kernel, Device& the_device, TrialOptions the_options)
      : kernel(the_kernel),
        device(the_device),
        options(std::move(the_options)),
        store(answers_folder()) {
    std::filesystem::path library = options.reference_library;
    if (library.empty()) {
      if (options.cache_folder.empty()) own_folder.emplace("warpwright-reference");
      const std::filesystem::path cache =
          own_folder ? own_folder->path() : options.cache_folder / "references";
      library = build_reference(kernel.reference.source, options.reference_include, cache);
    }
    reference.emplace(library, kernel.reference.source);
  }

  [[nodiscard]] std::filesystem::path answers_folder() const {
    return options.cache_folder.empty() ? std::filesystem::path()
                                        : options.cache_folder / "answers";
  }

  Outcome run(const Configuration& configuration, const std::map<std::string, Value>& problem,
              const CompileResult& compiled, const std::vector<CompiledCase>& cases);
  bool run_cases(const Configuration& configuration, const std::vector<CompiledCase>& cases,
                 Outcome& outcome);
  bool run_case(const Configuration& configuration, const CompiledCase& test, Outcome& outcome);
  bool possible_or_fail(const Configuration& configuration,
                        const std::map<std::string, Value>& problem, const CompileResult& compiled,
                        Outcome& outcome) const;
  std::shared_ptr<const DeviceModule> load_or_fail(const CompileResult& compiled, Outcome& outcome);
  ProblemData& case_data(const Configuration& configuration, const CompiledCase& test);
  ProblemData& problem_data(const Configuration& configuration,
                            const std::map<std::string, Value>& problem);

  const KernelSpec kernel;
  Device& device;
  TrialOptions options;  // launch_time_limit is that of the run
  const std::chrono::milliseconds usual_time_limit = options.launch_time_limit;
  std::optional<TemporaryFolder> own_folder;  // of a reference that is compiled without a cache
  std::optional<Reference> reference;
  ReferenceStore store;
  std::unique_ptr<ProblemData> main_data;
  std::map<std::string, std::unique_ptr<ProblemData>> case_datas;  // by ProblemRequest::key()
  // What became of the cases of a configuration: several problems of one sweep share them. By
  // configuration and content.
  std::map<std::string, Outcome> case_outcomes;
};

bool TrialRunner::Impl::possible_or_fail(const Configuration& configuration,
                                         const std::map<std::string, Value>& problem,
                                         const CompileResult& compiled, Outcome& outcome) const {
  const std::optional<Outcome> impossible =
      reject_impossible_launch(kernel, configuration, problem, device.info(), compiled);
  if (impossible) fail(outcome, impossible->status, impossible->reason);
  return !impossible;
}

std::shared_ptr<const DeviceModule> TrialRunner::Impl::load_or_fail(const CompileResult& compiled,
                                                                    Outcome& outcome) {
  Device::Loaded loaded = device.load(compiled);
  if (!loaded.module) {
    fail(outcome, loaded.failure.status, loaded.failure.reason);
    outcome.worker_lost = loaded.failure.device_lost;
  }
  return loaded.module;
}

ProblemData& TrialRunner::Impl::case_data(const Configuration& configuration,
                                          const CompiledCase& test) {
  ProblemRequest request;
  request.problem = test.test.problem;
  request.fills = test.test.fills;
  request.title =
      fmt::format("case '{}' ({})", test.test.name, describe_problem(kernel, test.test.problem));
  for (const CaseSpec& spec : kernel.cases) {
    // The fill stands somewhere below the case; only the line is certain.
    if (spec.name == test.test.name) request.fills_where = {spec.where.file, spec.where.line, 0};
  }
  const std::string key = request.key();
  const auto known = case_datas.find(key);
  if (known != case_datas.end()) return *known->second;
  std::size_t kept = 0;
  for (const auto& [name, data] : case_datas) kept += data->device_bytes();
  if (kept > kKeptCaseBytes) case_datas.clear();
  require_memory(kernel, device, configuration, request);
  auto data =
      std::make_unique<ProblemData>(kernel, device, options, *reference, store, std::move(request));
  return *case_datas.emplace(key, std::move(data)).first->second;
}

ProblemData& TrialRunner::Impl::problem_data(const Configuration& configuration,
                                             const std::map<std::string, Value>& problem) {
  ProblemRequest request;
  request.problem = problem;
  request.title = describe_problem(kernel, problem);
  if (main_data && main_data->request().key() == request.key()) return *main_data;
  main_data.reset();  // the old problem's memory is the new one's
  require_memory(kernel, device, configuration, request);
  main_data =
      std::make_unique<ProblemData>(kernel, device, options, *reference, store, std::move(request));
  return *main_data;
}

bool TrialRunner::Impl::run_case(const Configuration& configuration, const CompiledCase& test,
                                 Outcome& outcome) {
  const std::string title =
      fmt::format("case '{}' ({})", test.test.name, describe_problem(kernel, test.test.problem));
  const auto failed_here = [&] {
    outcome.reason = fmt::format("{}: {}", title, outcome.reason);
    return false;
  };
  if (!compiled_or_fail(test.compiled, outcome)) return failed_here();
  if (!possible_or_fail(configuration, test.test.problem, test.compiled, outcome))
    return failed_here();
  const auto module = load_or_fail(test.compiled, outcome);
  if (!module) return failed_here();
  TrialCheck check(kernel, device, options, configuration, case_data(configuration, test), module);
  constexpr int kCaseRuns = 2;
  CheckReport report = check.verify(kCaseRuns);
  outcome.errors = std::move(report.errors);
  if (report.status == Status::kOk) return true;
  fail(outcome, report.status, std::move(report.reason));
  outcome.worker_lost = report.device_lost;
  return failed_here();
}

bool TrialRunner::Impl::run_cases(const Configuration& configuration,
                                  const std::vector<CompiledCase>& cases, Outcome& outcome) {
  Sha256 hash;
  hash.field(configuration.to_string());
  for (const CompiledCase& test : cases)
    hash.field(test.test.name).field(content_hash(test.compiled));
  const std::string key = hash.hex();
  if (const auto known = case_outcomes.find(key); known != case_outcomes.end()) {
    if (known->second.status == Status::kOk) return true;
    fail(outcome, known->second.status, known->second.reason);
    outcome.errors = known->second.errors;
    return false;
  }
  Outcome of_cases;
  for (const CompiledCase& test : cases) {
    if (!run_case(configuration, test, of_cases)) break;
  }
  if (of_cases.status == Status::kOk) of_cases.errors.clear();
  outcome.worker_lost = of_cases.worker_lost;
  if (of_cases.status != Status::kOk) {
    fail(outcome, of_cases.status, of_cases.reason);
    outcome.errors = of_cases.errors;
  }
  const bool passed = of_cases.status == Status::kOk;
  case_outcomes.emplace(key, std::move(of_cases));
  return passed;
}

Outcome TrialRunner::Impl::run(const Configuration& configuration,
                               const std::map<std::string, Value>& problem,
                               const CompileResult& compiled,
                               const std::vector<CompiledCase>& cases) {
  Outcome outcome;
  outcome.resources = compiled.resources;
  outcome.compile_seconds = compiled.seconds;
  if (!compiled_or_fail(compiled, outcome)) return outcome;
  outcome.cubin_hash = content_hash(compiled);
  if (!possible_or_fail(configuration, problem, compiled, outcome)) return outcome;

  const auto validation_start = Clock::now();
  const auto stop_clock = [&] { outcome.validate_seconds = seconds_since(validation_start); };
  if (!run_cases(configuration, cases, outcome)) {
    stop_clock();
    return outcome;
  }
  const auto module = load_or_fail(compiled, outcome);
  if (!module) return outcome;
  ProblemData& data = problem_data(configuration, problem);
  TrialCheck check(kernel, device, options, configuration, data, module);
  CheckReport report = check.verify(options.determinism_runs);
  stop_clock();
  outcome.errors = std::move(report.errors);
  outcome.counters = report.launch.counters;
  if (report.status != Status::kOk) {
    fail(outcome, report.status, std::move(report.reason));
    outcome.worker_lost = report.device_lost;
    return outcome;
  }
  if (!device.info().has_clock) {
    outcome.time = modelled_time(report.launch);
    return outcome;
  }

  options.enter("measure");
  const auto measuring_start = Clock::now();
  TimingRequest timing;
  timing.rotation = {check.launches()};
  timing.restore = data.restores();
  const auto plan = device.plan_timing(std::move(timing));
  Measurement measurement = measure(device, *plan, {options.screening, std::nullopt});
  outcome.measure_seconds = seconds_since(measuring_start);
  outcome.samples_us = std::move(measurement.samples_us);
  outcome.sm_clock_mhz = measurement.sm_clock_mhz;
  outcome.validity = measurement.validity;
  outcome.at_least_us = measurement.at_least_us;
  if (measurement.status != Status::kOk) {
    fail(outcome, measurement.status, std::move(measurement.reason));
    outcome.worker_lost = measurement.device_lost;
    return outcome;
  }
  outcome.time = measurement.time;
  if (CheckReport after = check.verify_after_timing(); after.status != Status::kOk) {
    fail(outcome, after.status, std::move(after.reason));
  }
  return outcome;
}

TrialRunner::TrialRunner(const KernelSpec& kernel, Device& device, TrialOptions options)
    : impl_(std::make_unique<Impl>(kernel, device, std::move(options))) {}

TrialRunner::~TrialRunner() = default;

Outcome TrialRunner::run(const Configuration& configuration,
                         const std::map<std::string, Value>& problem, const CompileResult& compiled,
                         const std::vector<CompiledCase>& cases,
                         std::optional<std::chrono::milliseconds> launch_time_limit) {
  impl_->options.launch_time_limit = launch_time_limit.value_or(impl_->usual_time_limit);
  impl_->options.enter("validate");
  return impl_->run(configuration, problem, compiled, cases);
}

}  // namespace warpwright
