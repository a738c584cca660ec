#include "vet/run/vet.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

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
#include "vet/run/vet_hazard.h"
#include "vet/run/vet_plan.h"
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
    : kernel_(kernel),
      looks_(!kernel.launch_only && options.case_name.empty() && !options.necessity) {}

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

// Hazards without a line are compared by their messages.
bool same_hazard(const Finding& a, const Finding& b) {
  return same_mistake(a, b) && (a.here || a.message == b.message);
}

void add_case(const VettedCase& vetted, const VetRun& run, const SourceNames& names,
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
    VetHazard hazard =
        hazard_of(found, vetted, run, names, options.replay_prefix, report.launch_comments > 0);
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

// Returns what was found in each run of the subject.
std::vector<VettedCase> vet_subject(const VetSubject& subject, const VetOptions& options,
                                    const Paths& paths, const WorkerWorld& world,
                                    VetReport& report) {
  const std::vector<VetRun>& runs = subject.runs;
  const std::vector<VetRequest> parts = split_schedules(options, runs.size());
  VetContract contract(subject.kernel, options);
  std::vector<VettedCase> all(runs.size());
  std::vector<std::shared_ptr<const MeasureRequest>> requests;
  for (const VetRun& run : runs) {
    for (const VetRequest& part_of_run : parts) {
      VetRequest part = part_of_run;
      auto request = std::make_shared<MeasureRequest>();
      part.contract = contract.wants(run.test.test.name);
      part.list_sites = options.necessity && &part_of_run == parts.data();
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
      all[i] = vetted;
    }
  }
  report.contract = contract.remarks();
  report.strict = options.strict || subject.kernel.strict;
  return all;
}

}  // namespace

std::vector<std::vector<VettedCase>> vet_planned(const std::vector<VetSubject>& subjects,
                                                 const VetOptions& options, const Paths& paths,
                                                 const WorkerWorld& world, VetReport& report) {
  std::vector<std::vector<VettedCase>> all;
  all.reserve(subjects.size());
  for (const VetSubject& subject : subjects)
    all.push_back(vet_subject(subject, options, paths, world, report));
  for (LeftOut& one : report.left_out) one.where.file = shown_path(one.where.file);
  // Conflicts come first: data that was read too early was often not written yet either.
  std::stable_partition(report.hazards.begin(), report.hazards.end(),
                        [](const VetHazard& hazard) { return hazard.finding.other.has_value(); });
  return all;
}

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
  const std::vector<VetSubject> subjects = plan_vetting(options, paths, world, report);
  (void)vet_planned(subjects, options, paths, world, report);
  progress.finish();
  return report;
}

}  // namespace warpwright
