// Compiles both sides with the current compiler and makes the decisions that follow from that
// alone.
#include <fmt/format.h>

#include <utility>

#include "check/planned_entry.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace {

CompileJob job_of(const EntrySide& side, const DeviceInfo& device) {
  return make_compile_job(side.of->kernel, side.configuration, side.problem, device,
                          side.of->include_folders);
}

// The jobs of many entries in one list, with the place where each result belongs.
struct Jobs {
  std::vector<CompileJob> jobs;
  std::vector<CompileResult*> results;
  void add(CompileJob job, CompileResult& result) {
    jobs.push_back(std::move(job));
    results.push_back(&result);
  }
};

void decide_failed(const WorkerWorld& world, PlannedEntry& entry) {
  const auto failed = [&]() -> const std::pair<std::string, const CompileResult*> {
    if (!entry.candidate.compiled.ok) return {"", &entry.candidate.compiled};
    for (const TrialRunner::CompiledCase& test : entry.cases)
      if (!test.compiled.ok) return {fmt::format("case '{}': ", test.test.name), &test.compiled};
    return {"", nullptr};
  }();
  if (failed.second != nullptr) {
    std::string reason = failed.second->failure;
    const std::optional<CheckPlace> place =
        take_place(reason, entry.candidate.of->kernel.texts.get());
    entry.decide(CheckState::kRegression, FindingKind::kLost,
                 fmt::format("does not compile: {}{}", failed.first, reason), place);
    return;
  }
  if (!entry.baseline.compiled.ok) {
    entry.decide(CheckState::kIncomparable, FindingKind::kUndecided,
                 fmt::format("the baseline's sources do not compile with NVRTC {} for {}: {}",
                             world.nvrtc, world.device.arch, entry.baseline.compiled.failure));
  }
}

void mark_same(const WorkerWorld& world, PlannedEntry& entry) {
  for (EntrySide* side : {&entry.baseline, &entry.candidate})
    side->machine_code = read_machine_code(side->compiled.cubin).hash;
  entry.same = entry.baseline.machine_code == entry.candidate.machine_code &&
               launch_identity(entry.baseline.of->kernel, entry.baseline.configuration,
                               entry.baseline.problem, world.device) ==
                   launch_identity(entry.candidate.of->kernel, entry.candidate.configuration,
                                   entry.candidate.problem, world.device);
}

}  // namespace

std::string compiler_release(const WorkerWorld& world, const std::vector<PlannedEntry>& entries) {
  // The lead of lines such as "// Cuda compilation tools, release 13.0, V13.0.88".
  constexpr std::string_view kLead = "Cuda compilation tools, release ";
  for (const PlannedEntry& entry : entries) {
    const std::string& ptx = entry.baseline.compiled.ptx;
    const std::size_t line = ptx.find(kLead);
    if (line == std::string::npos) continue;
    const std::size_t at = ptx.find(", V", line);
    const std::size_t end = ptx.find('\n', line);
    if (at == std::string::npos || end == std::string::npos || at > end) continue;
    return ptx.substr(at + 3, end - at - 3);
  }
  return world.nvrtc;
}

void compile_entries(const WorkerWorld& world, std::vector<PlannedEntry>& entries) {
  Jobs jobs;
  for (PlannedEntry& entry : entries) {
    if (!entry.open) continue;
    const EntrySide& candidate = entry.candidate;
    try {
      for (CaseJob& test : case_jobs(candidate.of->kernel, candidate.configuration, world.device,
                                     candidate.of->include_folders))
        entry.cases.push_back({std::move(test), {}});
    } catch (const Error& error) {
      entry.decide(CheckState::kRegression, FindingKind::kLost,
                   "its cases cannot be evaluated: " + error.message());
    }
  }
  // The results keep their addresses only from here on.
  for (PlannedEntry& entry : entries) {
    if (!entry.open) continue;
    jobs.add(job_of(entry.baseline, world.device), entry.baseline.compiled);
    jobs.add(job_of(entry.candidate, world.device), entry.candidate.compiled);
    for (TrialRunner::CompiledCase& test : entry.cases) jobs.add(test.test.job, test.compiled);
  }
  std::vector<CompileResult> results = world.compile(std::move(jobs.jobs));
  for (std::size_t i = 0; i < results.size(); ++i) *jobs.results[i] = std::move(results[i]);
  for (PlannedEntry& entry : entries) {
    if (!entry.open) continue;
    decide_failed(world, entry);
    if (entry.open) mark_same(world, entry);
  }
}

}  // namespace warpwright
