#include "vet/run/vet_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "compile/compiler_log.h"
#include "core/error.h"
#include "trial/launch/jobs.h"
#include "vet/comments/comment_subject.h"
#include "vet/run/find_subject.h"
#include "vet/vet_subject.h"
#include "workers/device_query.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// Configurations that ptxas would not compile as written are vetted all the same, from their PTX: a
// wgmma may be serialised because the very fence or wait is missing that the checkers name.
void compile_anyway(const WorkerWorld& world, std::vector<VetRun>& runs, VetReport& report) {
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

std::vector<VetRun> plan_runs(const KernelSpec& kernel, const VetOptions& options,
                              const DeviceInfo& device, const Paths& paths, VetReport& report) {
  std::vector<VetRun> runs;
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

// Submits all jobs at once, so that the compilers run in parallel.
void compile_all(const WorkerWorld& world, std::vector<VetSubject>& subjects, VetReport& report) {
  std::vector<CompileJob> jobs;
  for (const VetSubject& subject : subjects)
    for (const VetRun& run : subject.runs) jobs.push_back(run.test.test.job);
  std::vector<CompileResult> compiled = world.compile(std::move(jobs));
  auto next = compiled.begin();
  for (VetSubject& subject : subjects) {
    for (VetRun& run : subject.runs) run.test.compiled = std::move(*next++);
    if (report.launch_comments > 0)
      for (const VetRun& run : subject.runs) require_whole(run.test.compiled, report.left_out);
    compile_anyway(world, subject.runs, report);
    for (VetRun& run : subject.runs) strip_for(world.device, run.test.compiled);
  }
}

}  // namespace

DeviceInfo vetting_device(const std::string& wanted) {
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), wanted);
  if (devices.size() == 1 && !devices.front().has_clock) return devices.front();
  throw user_error(
      fmt::format("--device {}: the checkers are the emulator's; name one emulated device, such as "
                  "--device emu:sm_90a",
                  wanted));
}

std::vector<VetSubject> plan_vetting(const VetOptions& options, const Paths& paths,
                                     const WorkerWorld& world, VetReport& report) {
  VetOptions left = options;
  std::vector<KernelSpec> kernels = find_subjects(options, paths, world, report);
  // The constants of launch comments have their overridden values already.
  if (report.launch_comments > 0) {
    if (!options.versions.empty())
      throw user_error(fmt::format("--version {}: launch comments have no versions; leave it out",
                                   options.versions));
    left.overrides.clear();
  }
  std::vector<VetSubject> subjects;
  for (KernelSpec& kernel : kernels) {
    std::vector<VetRun> runs = plan_runs(kernel, left, world.device, paths, report);
    report.runs += runs.size();
    subjects.push_back({std::move(kernel), std::move(runs)});
  }
  compile_all(world, subjects, report);
  if (report.launch_comments > 0) report.configurations = 1;
  return subjects;
}

}  // namespace warpwright
