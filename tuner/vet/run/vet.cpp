#include "vet/run/vet.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compile/compiler_log.h"
#include "core/error.h"
#include "core/finding.h"
#include "core/usable_cores.h"
#include "core/words.h"
#include "provenance/source_names.h"
#include "provenance/source_place.h"
#include "spec/kernel_spec.h"
#include "spec/value_rule.h"
#include "terminal/progress.h"
#include "trial/validation/vet_schedules.h"
#include "vet/comments/comment_subject.h"
#include "vet/run/find_subject.h"
#include "vet/vet_subject.h"
#include "workers/device_query.h"
#include "workers/worker_recipe.h"
#include "workers/worker_world.h"

namespace warpwright {
namespace {

// VetContract joins the contract checks (trial/validation/contract_check.h) of a contract's cases.
// The author of a case may want an input not to matter in it, so a remark stands only when no case
// refutes it. A single case, chosen with --case, shows nothing.
class VetContract {
 public:
  // The kernel must outlive this.
  VetContract(const KernelSpec& kernel, const VetOptions& options);

  // Whether a run should check the contract. The first run of each case should, because variants
  // share the contract.
  [[nodiscard]] bool wants(const std::string& case_name);
  void add(const VettedCase& vetted) { cases_.push_back(vetted.contract); }
  // The remarks that stand, each with its place in the contract.
  [[nodiscard]] std::vector<VetContractRemark> remarks() const;

 private:
  const KernelSpec& kernel_;
  bool looks_ = false;
  std::set<std::string> asked_;
  std::vector<ContractFindings> cases_;
};

VetContract::VetContract(const KernelSpec& kernel, const VetOptions& options)
    : kernel_(kernel), looks_(!kernel.launch_only && options.case_name.empty()) {}

bool VetContract::wants(const std::string& case_name) {
  return looks_ && asked_.insert(case_name).second;
}

std::vector<VetContractRemark> VetContract::remarks() const {
  std::vector<VetContractRemark> remarks;
  for (const ContractRemark& remark : unrefuted(cases_)) {
    const bool is_of_input = remark.code == RemarkCode::kInputUnused;
    const ArgumentSpec* argument =
        kernel_.find_argument(is_of_input ? remark.input : remark.output);
    const int line = argument == nullptr ? 0 : argument->where.line;
    remarks.push_back({{shown_path(kernel_.file), line}, remark});
  }
  return remarks;
}

// One case of one configuration, and its compiled form.
struct Run {
  Configuration configuration;
  std::string version;  // its name; "" for none
  TrialRunner::CompiledCase test;
};

DeviceInfo vetting_device(const std::string& wanted) {
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), wanted);
  if (devices.size() == 1 && !devices.front().has_clock) return devices.front();
  throw user_error(
      fmt::format("--device {}: the checkers are the emulator's; name one emulated device, such as "
                  "--device emu:sm_90a",
                  wanted));
}

std::optional<FindingSide> quoted(const SourceNames& names, std::optional<FindingSide> side) {
  if (!side || !side->where.known()) return std::nullopt;
  const auto quote = [&names](QuotedLocation& location) {
    location = names.place(names.name_of(location.file), location.line);
  };
  quote(side->where);
  for (QuotedLocation& call : side->callers) quote(call);
  return side;
}

// The finding as VetHazard has it.
Finding quoted(const SourceNames& names, Finding finding) {
  finding.here = quoted(names, std::move(finding.here));
  finding.other = quoted(names, std::move(finding.other));
  // The message of a fault names its place, but here the line already begins with the place.
  if (finding.here && !finding.unplaced.empty()) finding.message = finding.unplaced;
  return finding;
}

// Hazards without a line are compared by their messages.
bool same_hazard(const Finding& a, const Finding& b) {
  return same_mistake(a, b) && (a.here || a.message == b.message);
}

void add_case(const VettedCase& vetted, const Run& run, const SourceNames& names,
              const VetOptions& options, VetReport& report) {
  const std::string configuration = run.configuration.to_string();
  if (vetted.status != Status::kOk) {
    std::string reason = vetted.reason;
    // Launch comments have no constraints and no contract, so this advice does not apply.
    if (report.launch_comments > 0 && reason.ends_with(vetted.advice))
      reason.resize(reason.size() - vetted.advice.size());
    report.failures.push_back(
        {configuration, vetted.name, fmt::format("{}: {}", status_name(vetted.status), reason)});
    return;
  }
  if (vetted.spared > 0) ++report.same_under_all;
  if (!vetted.undecided.empty())
    report.undecided.push_back({configuration, vetted.name, vetted.undecided});
  for (const VetFinding& found : vetted.findings) {
    VetHazard hazard;
    hazard.finding = quoted(names, found.finding);
    hazard.configuration_text = configuration;
    hazard.case_name = vetted.name;
    hazard.problem_text = vetted.problem_text;
    hazard.seen_in = found.seeds.size();
    hazard.schedules = vetted.schedules;
    hazard.seed = found.seeds.front();
    // Reproducing a difference needs the schedule that it differs from.
    const char* which =
        found.finding.kind == FindingKind::kDiffersBetweenSchedules ? "schedules" : "seed";
    // A launch comment's variant adds no information to its case.
    const std::string variant = report.launch_comments > 0 ? ""
                                : !run.version.empty()     ? " --version " + run.version
                                                       : " --variant " + run.configuration.variant;
    hazard.replay =
        fmt::format("{}{}{} --{} {}", options.replay_prefix, variant,
                    vetted.name.empty() ? "" : " --case '" + vetted.name + "'", which, hazard.seed);
    const auto known = std::find_if(
        report.hazards.begin(), report.hazards.end(),
        [&](const VetHazard& one) { return same_hazard(one.finding, hazard.finding); });
    if (known != report.hazards.end()) {
      ++known->elsewhere;
    } else {
      report.hazards.push_back(std::move(hazard));
    }
  }
}

// Configurations that ptxas would not compile as written are vetted all the same, from their PTX: a
// wgmma may be serialised because the very fence or wait is missing that the checkers name.
void compile_anyway(const WorkerWorld& world, std::vector<Run>& runs, VetReport& report) {
  std::vector<std::size_t> again;
  std::vector<CompileJob> jobs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const CompileResult& compiled = runs[i].test.compiled;
    if (compiled.ok) continue;
    const std::optional<std::string> broken = broken_promise(compiled.log);
    if (!broken) continue;
    VetRemark remark{runs[i].configuration.to_string(), *broken};
    const bool known =
        std::any_of(report.remarks.begin(), report.remarks.end(), [&](const VetRemark& one) {
          return one.configuration_text == remark.configuration_text && one.text == remark.text;
        });
    if (!known) report.remarks.push_back(std::move(remark));
    again.push_back(i);
    jobs.push_back(runs[i].test.test.job);
    jobs.back().want_cubin = false;
  }
  if (jobs.empty()) return;
  std::vector<CompileResult> compiled = world.compile(std::move(jobs));
  for (std::size_t k = 0; k < again.size(); ++k) {
    CompileResult& refused = runs[again[k]].test.compiled;
    compiled[k].resources = std::move(refused.resources);
    refused = std::move(compiled[k]);
  }
}

std::vector<VetExclusion> by_reason(const std::string& configuration,
                                    const std::vector<SkippedCase>& skipped) {
  std::vector<VetExclusion> exclusions;
  for (const SkippedCase& one : skipped) {
    auto known = std::find_if(exclusions.begin(), exclusions.end(), [&](const VetExclusion& other) {
      return other.reason == one.reason;
    });
    if (known == exclusions.end())
      known = exclusions.insert(known, {configuration, {}, one.reason});
    known->case_names.push_back(one.name);
  }
  return exclusions;
}

std::vector<Run> plan_runs(const KernelSpec& kernel, const VetOptions& options,
                           const DeviceInfo& device, const Paths& paths, VetReport& report) {
  std::vector<Run> runs;
  const std::vector<std::filesystem::path> include_folders = {kernel.folder,
                                                              paths.common_headers()};
  for (const VetConfiguration& vetted : configurations_of(options, kernel)) {
    const Configuration& configuration = vetted.configuration;
    if (!vetted.change.empty()) report.version_changes.push_back(vetted.change);
    ++report.configurations;
    std::vector<SkippedCase> skipped;
    std::vector<CaseJob> jobs = case_jobs(kernel, configuration, device, include_folders, &skipped);
    std::vector<VetExclusion> exclusions = by_reason(configuration.to_string(), skipped);
    if (jobs.empty()) {
      std::vector<std::string> reasons;
      for (VetExclusion& exclusion : exclusions) reasons.push_back(std::move(exclusion.reason));
      report.failures.push_back(
          {configuration.to_string(), "",
           fmt::format("{}; pin other values with --set", fmt::join(reasons, "; "))});
    } else {
      std::move(exclusions.begin(), exclusions.end(), std::back_inserter(report.exclusions));
    }
    for (CaseJob& job : jobs) runs.push_back({configuration, vetted.version, {std::move(job), {}}});
  }
  return runs;
}

std::vector<KernelSpec> find_subjects(const VetOptions& options, const Paths& paths,
                                      const WorkerWorld& world, VetReport& report) {
  if (!is_launched_by_comments(options)) {
    KernelSpec kernel = find_subject(options, paths);
    narrow_subject(options, kernel);
    report.kernel = kernel.name;
    report.validated = !kernel.launch_only;
    report.cases = kernel.cases.size();
    return {std::move(kernel)};
  }
  const CompileOne compile = [&](CompileJob job) {
    std::vector<CompileJob> jobs;
    jobs.push_back(std::move(job));
    return std::move(world.compile(std::move(jobs)).front());
  };
  CommentSubjects subjects =
      comment_subjects(options, world.device, paths.common_headers(), compile);
  std::vector<KernelSpec> kernels = std::move(subjects.kernels);
  report.left_out = std::move(subjects.left_out);
  report.kernel = std::filesystem::path(options.subject).filename().string();
  report.validated = false;
  report.launch_comments = report.cases = kernels.size();
  return kernels;
}

// A contract and its runs.
struct Subject {
  KernelSpec kernel;
  std::vector<Run> runs;
};

// Submits all jobs at once, so that the compilers run in parallel.
void compile_all(const WorkerWorld& world, std::vector<Subject>& subjects, VetReport& report) {
  std::vector<CompileJob> jobs;
  for (const Subject& subject : subjects)
    for (const Run& run : subject.runs) jobs.push_back(run.test.test.job);
  std::vector<CompileResult> compiled = world.compile(std::move(jobs));
  auto next = compiled.begin();
  for (Subject& subject : subjects) {
    for (Run& run : subject.runs) run.test.compiled = std::move(*next++);
    if (report.launch_comments > 0)
      for (const Run& run : subject.runs) require_whole(run.test.compiled, report.left_out);
    compile_anyway(world, subject.runs, report);
    for (Run& run : subject.runs) strip_for(world.device, run.test.compiled);
  }
}

// If there are fewer runs than workers, several workers share one run's schedules.
std::vector<VetRequest> split_schedules(const VetOptions& options, std::size_t runs) {
  const std::size_t workers = options.emulator_workers > 0
                                  ? static_cast<std::size_t>(options.emulator_workers)
                                  : static_cast<std::size_t>(usable_cores());
  const std::size_t parts = std::clamp<std::size_t>(runs == 0 ? 1 : workers / runs, 1,
                                                    static_cast<std::size_t>(options.schedules));
  std::vector<VetRequest> requests;
  std::uint64_t begin = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    const std::uint64_t end = options.schedules * part / parts;
    requests.push_back(
        {options.first_seed + begin, end - begin, options.instructions, options.trust_cas_reads});
    begin = end;
  }
  return requests;
}

// The joined findings of the parts of a run, or the first answer that is not a vetting result.
struct JoinedParts {
  VetOutcome found;
  const MeasureAnswer* other = nullptr;
};
JoinedParts join_parts(std::span<const MeasureAnswer> parts) {
  JoinedParts joined;
  for (const MeasureAnswer& part : parts) {
    const VetOutcome* further = part.error ? nullptr : part.outcome.vet();
    if (further == nullptr) return {{}, &part};
    if (&part == parts.data()) {
      joined.found = *further;
      continue;
    }
    for (std::size_t i = 0; i < further->cases.size(); ++i)
      add_schedules(joined.found.cases[i], further->cases[i]);
  }
  return joined;
}

void vet_subject(const Subject& subject, const VetOptions& options, const Paths& paths,
                 const WorkerWorld& world, VetReport& report) {
  const std::vector<Run>& runs = subject.runs;
  const std::vector<VetRequest> parts = split_schedules(options, runs.size());
  VetContract contract(subject.kernel, options);
  std::vector<std::shared_ptr<const MeasureRequest>> requests;
  for (const Run& run : runs) {
    for (VetRequest part : parts) {
      auto request = std::make_shared<MeasureRequest>();
      part.contract = contract.wants(run.test.test.name);
      request->what = CasesToVet{run.configuration, {run.test}, part};
      request->launch_time_limit = options.time;
      requests.push_back(std::move(request));
    }
  }
  const std::vector<MeasureAnswer> answers = world.ask(subject.kernel, std::move(requests));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const JoinedParts joined = join_parts({answers.data() + i * parts.size(), parts.size()});
    if (joined.other != nullptr) {
      if (joined.other->error) throw *joined.other->error;
      const Outcome& outcome = joined.other->outcome;
      report.failures.push_back(
          {runs[i].configuration.to_string(), runs[i].test.test.name,
           fmt::format("{}: {}", status_name(outcome.status), outcome.reason)});
      continue;
    }
    const SourceNames names(subject.kernel, runs[i].configuration.variant, paths.common_headers());
    for (const VettedCase& vetted : joined.found.cases) {
      add_case(vetted, runs[i], names, options, report);
      contract.add(vetted);
    }
  }
  report.contract = contract.remarks();
  report.strict = options.strict || subject.kernel.strict;
}

}  // namespace

VetReport vet_kernel(const VetOptions& options, const Paths& paths) {
  VetReport report;
  report.schedules = options.schedules;
  const DeviceInfo device = vetting_device(options.device);
  report.device = device.id;
  Progress progress(stderr_progress("vet", options.quiet));
  WorkerOptions workers;
  workers.seed = options.first_seed;
  workers.emulator_workers = options.emulator_workers;
  const WorkerWorld world = make_worker_world(device, paths, workers, progress);
  VetOptions left = options;
  std::vector<KernelSpec> kernels = find_subjects(options, paths, world, report);
  // The constants of launch comments have their overridden values already.
  if (report.launch_comments > 0) {
    if (!options.versions.empty())
      throw user_error(fmt::format("--version {}: launch comments have no versions; leave it out",
                                   options.versions));
    left.overrides.clear();
  }
  std::vector<Subject> subjects;
  for (KernelSpec& kernel : kernels) {
    std::vector<Run> runs = plan_runs(kernel, left, device, paths, report);
    report.runs += runs.size();
    subjects.push_back({std::move(kernel), std::move(runs)});
  }
  compile_all(world, subjects, report);
  for (const Subject& subject : subjects) vet_subject(subject, left, paths, world, report);
  if (report.launch_comments > 0) report.configurations = 1;
  progress.finish();
  for (LeftOut& one : report.left_out) one.where.file = shown_path(one.where.file);
  // Conflicts come first: data that was read too early was often not written yet either.
  std::stable_partition(report.hazards.begin(), report.hazards.end(),
                        [](const VetHazard& hazard) { return hazard.finding.other.has_value(); });
  return report;
}

}  // namespace warpwright
