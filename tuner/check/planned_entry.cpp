#include "check/planned_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/words.h"
#include "provenance/source_names.h"
#include "provenance/source_place.h"
#include "spec/added_options.h"
#include "spec/value_rule.h"
#include "trial/launch/launch_plan.h"
#include "trial/reference/reference.h"
#include "workers/watchdog.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// Keeps the parameters that the variant still has and fills in new ones; returns what is not legal.
std::optional<Error> take_parameters(const KernelSpec& kernel, const VariantSpec& variant,
                                     const Configuration& baseline, Candidate& candidate) {
  for (const auto& [name, value] : baseline.values) {
    if (std::find(variant.parameters.begin(), variant.parameters.end(), name) ==
        variant.parameters.end()) {
      return user_error(fmt::format("parameter '{}' is gone from variant '{}'{}", name,
                                    variant.name, suggestion(name, variant.parameters)));
    }
  }
  candidate.configuration.variant = variant.name;
  for (const std::string& name : variant.parameters) {
    const ParameterSpec* parameter = kernel.find_parameter(name);
    WARPWRIGHT_CHECK(parameter != nullptr, "a variant's parameters are declared");
    const auto given = baseline.values.find(name);
    Value value = given == baseline.values.end() ? parameter->default_value : given->second;
    if (given == baseline.values.end()) {
      candidate.notes.push_back(
          fmt::format("parameter '{}' is new; taken at its default {}", name, value.to_string()));
    }
    if (const auto wrong = rule_of(*parameter).violation(value)) {
      return user_error(parameter->where, fmt::format("parameter '{}': {}", name, *wrong));
    }
    candidate.configuration.values[name] = std::move(value);
  }
  return std::nullopt;
}

namespace fs = std::filesystem;

// A contract, or the reason why there is none.
struct Known {
  std::shared_ptr<const KernelSide> side;
  std::optional<GateFinding> refusal;
};

Known read_side(const fs::path& file, const fs::path& common_headers,
                const std::string& added = "") {
  auto side = std::make_shared<KernelSide>();
  side->kernel = read_kernel(file, added);
  // The baseline brings its own common headers.
  side->kernel.texts->allow(common_headers, FolderUse::kOwn);
  side->include_folders = {side->kernel.folder, common_headers};
  return {std::move(side), std::nullopt};
}

class Planner {
 public:
  Planner(const Baseline& baseline, const Paths& paths, const DeviceInfo& device)
      : baseline_(baseline), paths_(paths), device_(device) {
    for (const BaselineEntry& entry : baseline.entries)
      if (entry.measured && entry.measured->device == device.name) here_.insert(board(entry));
  }

  // If a board has results from this GPU, those from other GPUs are ignored.
  [[nodiscard]] bool concerns(const BaselineEntry& entry) const {
    if (!device_.has_clock || !here_.contains(board(entry))) return true;
    return entry.measured && entry.measured->device == device_.name;
  }

  PlannedEntry plan(const BaselineEntry& recorded) {
    PlannedEntry entry;
    entry.recorded = &recorded;
    entry.report.kernel = recorded.kernel;
    const bool emulated = !device_.has_clock && recorded.emulated;
    const Problem& problem = emulated ? *recorded.emulated : recorded.problem;
    entry.report.problem_text = Configuration{"", problem}.to_string();
    entry.report.configuration_text = recorded.configuration.to_string();
    note_time(entry);
    fill_baseline(entry, problem);
    fill_candidate(entry, problem);
    return entry;
  }

 private:
  static std::pair<std::string, std::map<std::string, Value>> board(const BaselineEntry& entry) {
    return {entry.kernel, entry.problem};
  }

  static void note_time(PlannedEntry& entry) {
    if (!entry.recorded->measured) return;
    const BaselineTime& time = *entry.recorded->measured;
    entry.report.recorded = fmt::format("{:.4g} µs [{:.4g}, {:.4g}] on {}, driver {}, NVRTC {}, {}",
                                        time.median_us, time.ci_low_us, time.ci_high_us,
                                        time.device, time.driver, time.nvrtc, time.protocol);
  }

  // The baseline is checked as a whole, so errors in it are not the candidate's fault.
  void fill_baseline(PlannedEntry& entry, const Problem& problem) {
    const std::string& name = entry.recorded->kernel;
    Known& known = then_[name];
    if (!known.side) {
      try {
        known = read_side(baseline_.kernel_file(name), baseline_.common_headers());
      } catch (Error& error) {
        throw error.add_context(
            fmt::format("for the entry at {}", entry.recorded->where.to_string()));
      }
    }
    const Candidate of =
        find_candidate(known.side->kernel, entry.recorded->configuration, problem, device_);
    if (of.refusal && of.refusal->kind == GateFindingKind::kMissing) {
      throw user_error(entry.recorded->where,
                       fmt::format("the entry is not one of the baseline's own contract: {}",
                                   of.refusal->message));
    }
    if (of.refusal) {
      entry.decide(CheckState::kIncomparable, GateFindingKind::kUndecided,
                   fmt::format("the baseline's configuration does not fit {}: {}", device_.id,
                               of.refusal->message));
      return;
    }
    entry.baseline = {known.side, of.configuration, of.problem, {}, {}};
    entry.report.problem_text = describe_problem(known.side->kernel, of.problem);
    const Environment environment =
        trial_environment(known.side->kernel, of.configuration, of.problem, device_);
    entry.runs = device_.has_clock || entry.recorded->emulated ||
                 known.side->kernel.work.bytes.evaluate_real(environment) <= kLargestEmulatedBytes;
  }

  void fill_candidate(PlannedEntry& entry, const Problem& problem) {
    const Known& known = kernel_now(entry.recorded->kernel);
    if (known.refusal) {
      entry.decide(known.refusal->kind == GateFindingKind::kLost ? CheckState::kRegression
                                                                 : CheckState::kIncomparable,
                   known.refusal->kind, known.refusal->message, known.refusal->place);
      return;
    }
    if (!entry.open) return;
    Candidate of =
        find_candidate(known.side->kernel, entry.recorded->configuration, problem, device_);
    if (of.refusal) {
      const PlacedText why = of.illegal ? placed_text(*of.illegal, known.side->kernel.texts.get())
                                        : PlacedText{of.refusal->message, std::nullopt};
      entry.decide(CheckState::kIncomparable, of.refusal->kind, why.text, why.place);
      return;
    }
    for (const std::string& note : of.notes)
      entry.report.findings.push_back({GateFindingKind::kNote, note, std::nullopt});
    entry.candidate = {known.side, of.configuration, of.problem, {}, {}};
  }

  // Include folders and options that were added for the baseline also apply to the current kernel.
  [[nodiscard]] std::string added_to(const std::string& name) const {
    const auto then = then_.find(name);
    if (then == then_.end() || !then->second.side) return "";
    const KernelSpec& kernel = then->second.side->kernel;
    return added_section(kernel.texts->require(kernel.file));
  }

  const Known& kernel_now(const std::string& name) {
    Known& known = now_[name];
    if (known.side || known.refusal) return known;
    fs::path file;
    try {
      file = find_kernel_file(paths_, name);
    } catch (const Error& error) {
      known.refusal = {GateFindingKind::kMissing, error.message(), std::nullopt};
      return known;
    }
    try {
      known = read_side(file, paths_.common_headers(), added_to(name));
    } catch (const Error& error) {
      PlacedText why{error.message(), std::nullopt};
      SourceBundle contract;
      contract.allow(file.parent_path(), FolderUse::kOwn);
      try {
        static_cast<void>(contract.find(file));
        why = placed_text(error, &contract);
      } catch (const Error&) {
        // The file is a link that leads elsewhere, as the message says.
      }
      known.refusal = {GateFindingKind::kLost, "its contract cannot be read: " + why.text,
                       std::move(why.place)};
    }
    return known;
  }

  const Baseline& baseline_;
  const Paths& paths_;
  const DeviceInfo& device_;
  std::set<std::pair<std::string, std::map<std::string, Value>>> here_;  // boards of this device
  std::map<std::string, Known> then_, now_;                              // kernels by name
};

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
    const std::optional<QuotedLocation> place =
        take_place(reason, entry.candidate.of->kernel.texts.get());
    entry.decide(CheckState::kRegression, GateFindingKind::kLost,
                 fmt::format("does not compile: {}{}", failed.first, reason), place);
    return;
  }
  if (!entry.baseline.compiled.ok) {
    entry.decide(CheckState::kIncomparable, GateFindingKind::kUndecided,
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

Candidate find_candidate(const KernelSpec& kernel, const Configuration& baseline,
                         const Problem& problem, const DeviceInfo& device) {
  Candidate candidate;
  try {
    candidate.problem = complete_problem(kernel, problem, {});
  } catch (const Error& error) {
    candidate.refusal = {
        GateFindingKind::kMissing,
        fmt::format("the problem is gone from kernel '{}': {}", kernel.name, error.message()),
        std::nullopt};
    return candidate;
  }
  const VariantSpec* variant = kernel.find_variant(baseline.variant);
  if (variant == nullptr) {
    std::vector<std::string> known;
    for (const VariantSpec& one : kernel.variants) known.push_back(one.name);
    candidate.refusal = {GateFindingKind::kMissing,
                         fmt::format("kernel '{}' has no variant '{}' any more{}", kernel.name,
                                     baseline.variant, suggestion(baseline.variant, known)),
                         std::nullopt};
    return candidate;
  }
  candidate.illegal = take_parameters(kernel, *variant, baseline, candidate);
  try {
    if (!candidate.illegal)
      candidate.illegal =
          constraint_error(kernel, candidate.configuration, candidate.problem, device);
  } catch (const Error& error) {
    candidate.illegal = error;
  }
  if (candidate.illegal)
    candidate.refusal = {GateFindingKind::kIllegal, candidate.illegal->message(), std::nullopt};
  return candidate;
}

std::vector<PlannedEntry> plan_entries(const Baseline& baseline, const Paths& paths,
                                       const DeviceInfo& device) {
  Planner planner(baseline, paths, device);
  std::vector<PlannedEntry> entries;
  for (const BaselineEntry& entry : baseline.entries)
    if (planner.concerns(entry)) entries.push_back(planner.plan(entry));
  return entries;
}

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
    if (!entry.open || !entry.runs_cases) continue;
    const EntrySide& candidate = entry.candidate;
    try {
      for (CaseJob& test : case_jobs(candidate.of->kernel, candidate.configuration, world.device,
                                     candidate.of->include_folders))
        entry.cases.push_back({std::move(test), {}});
    } catch (const Error& error) {
      entry.decide(CheckState::kRegression, GateFindingKind::kLost,
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
    const PlacedText why = placed_text(*answer.error, entry.candidate.of->kernel.texts.get());
    entry.decide(contract ? CheckState::kRegression : CheckState::kIncomparable,
                 contract ? GateFindingKind::kLost : GateFindingKind::kUndecided,
                 (contract ? "it cannot be checked: " : "it could not be run: ") + why.text,
                 why.place);
    return false;
  }
  const Outcome& outcome = answer.outcome;
  entry.report.seconds += outcome.validate_seconds + outcome.measure_seconds;
  if (outcome.status != Status::kOk) {
    const SourceNames names = entry.candidate_names();
    const VariantSpec* variant =
        entry.candidate.of->kernel.find_variant(entry.candidate.configuration.variant);
    entry.decide(CheckState::kRegression, GateFindingKind::kLost,
                 fmt::format("{}: {}", status_name(outcome.status), outcome.reason),
                 names.entry_place(variant->launches.front().entry.text()));
    return false;
  }
  for (const TrialFinding& hazard : outcome.hazards) {
    entry.report.findings.push_back({GateFindingKind::kNote,
                                     "it works, but the checkers object: " + hazard.text,
                                     std::nullopt});
  }
  entry.outcome = std::move(answer.outcome);
  return true;
}

}  // namespace warpwright
