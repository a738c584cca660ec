// Decides what to compare: pairs entries of the baseline with the current kernels.
#include <fmt/format.h>

#include <map>
#include <set>

#include "check/candidate.h"
#include "check/planned_entry.h"
#include "spec/added_options.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// A contract, or the reason why there is none.
struct Known {
  std::shared_ptr<const KernelSide> side;
  std::optional<Finding> refusal;
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
    if (of.refusal && of.refusal->kind == FindingKind::kMissing) {
      throw user_error(entry.recorded->where,
                       fmt::format("the entry is not one of the baseline's own contract: {}",
                                   of.refusal->message));
    }
    if (of.refusal) {
      entry.decide(CheckState::kIncomparable, FindingKind::kUndecided,
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
      entry.decide(known.refusal->kind == FindingKind::kLost ? CheckState::kRegression
                                                             : CheckState::kIncomparable,
                   known.refusal->kind, known.refusal->message, known.refusal->place);
      return;
    }
    if (!entry.open) return;
    Candidate of =
        find_candidate(known.side->kernel, entry.recorded->configuration, problem, device_);
    if (of.refusal) {
      std::string message = of.refusal->message;
      std::optional<CheckPlace> place = take_place(message, known.side->kernel.texts.get());
      entry.decide(CheckState::kIncomparable, of.refusal->kind, message, std::move(place));
      return;
    }
    for (const std::string& note : of.notes)
      entry.report.findings.push_back({FindingKind::kNote, note, std::nullopt});
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
      known.refusal = {FindingKind::kMissing, error.message(), std::nullopt};
      return known;
    }
    try {
      known = read_side(file, paths_.common_headers(), added_to(name));
    } catch (const Error& error) {
      std::string message = error.message();
      SourceBundle contract;
      contract.allow(file.parent_path(), FolderUse::kOwn);
      std::optional<CheckPlace> place;
      try {
        static_cast<void>(contract.find(file));
        place = take_place(message, &contract);
      } catch (const Error&) {
        // The file is a link that leads elsewhere, as the message says.
      }
      known.refusal = {FindingKind::kLost, "its contract cannot be read: " + message,
                       std::move(place)};
    }
    return known;
  }

  const Baseline& baseline_;
  const Paths& paths_;
  const DeviceInfo& device_;
  std::set<std::pair<std::string, std::map<std::string, Value>>> here_;  // boards of this device
  std::map<std::string, Known> then_, now_;                              // kernels by name
};

}  // namespace

std::vector<PlannedEntry> plan_entries(const Baseline& baseline, const Paths& paths,
                                       const DeviceInfo& device) {
  Planner planner(baseline, paths, device);
  std::vector<PlannedEntry> entries;
  for (const BaselineEntry& entry : baseline.entries)
    if (planner.concerns(entry)) entries.push_back(planner.plan(entry));
  return entries;
}

}  // namespace warpwright
