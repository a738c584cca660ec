#include "check/make_baseline.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "check/judge.h"
#include "check/planned_entry.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/words.h"
#include "provenance/kernel_sources.h"
#include "provenance/source_tree.h"
#include "space/search_space.h"
#include "spec/added_options.h"
#include "spec/sweep_spec.h"
#include "sweep/sweep_plan.h"
#include "terminal/progress.h"
#include "trial/launch/launch_plan.h"
#include "workers/device_query.h"
#include "workers/worker_world.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::vector<Problem> complete_all(const KernelSpec& kernel,
                                  const std::vector<ProblemChoice>& choices) {
  std::vector<Problem> problems;
  for (const ProblemChoice& choice : choices)
    problems.push_back(complete_problem(kernel, choice.sizes, choice.where));
  return problems;
}

// Fills in the contract's default for each axis that the sweep leaves open.
Configuration default_of(const SpaceDefinition::Group& group, const KernelSpec& kernel) {
  Configuration configuration{group.variant, {}};
  for (const SearchSpace::Axis& axis : group.axes) {
    configuration.values[axis.name] = axis.values.size() == 1
                                          ? axis.values.front()
                                          : kernel.find_parameter(axis.name)->default_value;
  }
  return configuration;
}

std::vector<Configuration> defaults_of(const SpaceDefinition::Group& group,
                                       const KernelSpec& kernel) {
  if (group.rows.empty()) return {default_of(group, kernel)};
  std::vector<Configuration> presets;
  for (const std::map<std::string, Value>& row : group.rows)
    presets.push_back({group.variant, row});
  return presets;
}

// Returns the small problems that this configuration can run.
std::vector<Problem> possible_on(const KernelSpec& kernel, const Configuration& configuration,
                                 const std::vector<Problem>& small, const DeviceInfo& device) {
  std::vector<Problem> possible;
  for (const Problem& problem : small)
    if (!broken_constraint(kernel, configuration, problem, device)) possible.push_back(problem);
  return possible;
}

BaselineTime stored_time(const Leaderboard& board, const std::string& nvrtc) {
  const LeaderboardEntry& best = board.entries.front();
  BaselineTime time;
  time.device = board.device_name;
  time.driver = board.device_driver;
  time.nvrtc = nvrtc;
  time.protocol = board.protocol;
  time.median_us = best.median_us;
  time.ci_low_us = std::min(best.ci_low_us.value_or(best.median_us), best.median_us);
  time.ci_high_us = std::max(best.ci_high_us.value_or(best.median_us), best.median_us);
  for (std::size_t i = 1; i < board.entries.size(); ++i) {
    const LeaderboardEntry& other = board.entries[i];
    if (other.tied_with_best) time.ties.push_back(other.row.trial.configuration());
  }
  std::sort(time.ties.begin(), time.ties.end());
  return time;
}

// Keeps only measured boards if there are any; among several protocols of one board, chooses the
// one that was used last.
std::vector<const Leaderboard*> current_boards(const std::vector<Leaderboard>& boards) {
  const auto newest = [](const Leaderboard& board) {
    RowId trial = 0;
    for (const LeaderboardEntry& entry : board.entries) trial = std::max(trial, entry.row.trial.id);
    return trial;
  };
  std::map<std::pair<std::string, std::string>, const Leaderboard*> chosen;
  const bool measured = std::any_of(boards.begin(), boards.end(), [](const Leaderboard& board) {
    return !board.modelled && !board.entries.empty();
  });
  for (const Leaderboard& board : boards) {
    if (board.entries.empty() || board.modelled == measured) continue;
    const Leaderboard*& known =
        chosen[{board.problem.text(), measured ? board.device_fingerprint : ""}];
    if (known == nullptr || newest(board) > newest(*known)) known = &board;
  }
  std::vector<const Leaderboard*> current;
  for (const auto& [key, board] : chosen) current.push_back(board);
  return current;
}

struct StoredRun {
  std::string nvrtc;
  std::vector<Problem> emulated;  // problems of the sweep, as given
};

// The sweep's text is stored with its run; a text that can no longer be read names no problems.
StoredRun stored_run(const Database& database, RowId id) {
  StoredRun stored;
  for (const auto& [run, record] : database.runs()) {
    if (run != id) continue;
    stored.nvrtc = record.nvrtc_version;
    try {
      for (const ProblemChoice& choice :
           parse_sweep(record.config_text, record.config_path, OtherVersions::kKeep).emulated)
        stored.emulated.push_back(choice.sizes);
    } catch (const Error&) {
      stored.emulated.clear();
    }
  }
  return stored;
}

DeviceInfo counting_device(const std::string& wanted) {
  const std::vector<DeviceInfo> chosen = select_devices(query_devices(), wanted);
  if (chosen.size() == 1 && !chosen.front().has_clock) return chosen.front();
  throw user_error(fmt::format(
      "--device {}: expected one emulated device, whose counts a baseline records, such as "
      "emu:sm_90a; measured times come from a database (--db)",
      wanted));
}

// Collects the files of all drafts, each path once.
std::vector<KernelSource> join_sources(const std::vector<BaselineDraft>& drafts) {
  std::map<std::string, std::string> texts;
  for (const BaselineDraft& draft : drafts) {
    for (const KernelSource& source : draft.sources) {
      const auto [known, fresh] = texts.emplace(source.path, source.text);
      if (fresh || known->second == source.text) continue;
      throw user_error(fmt::format(
          "the results of kernel '{}' come from different versions of {}; sweep it again, so that "
          "one set of sources stands behind all of them",
          draft.entry.kernel, source.path));
    }
  }
  std::vector<KernelSource> sources;
  for (auto& [path, text] : texts) sources.push_back({path, std::move(text)});
  return sources;
}

void write_sources(const std::vector<BaselineDraft>& drafts, const fs::path& folder) {
  std::set<std::string> kernels;
  for (const BaselineDraft& draft : drafts) kernels.insert(draft.entry.kernel);
  const std::vector<KernelSource> all = join_sources(drafts);
  for (const std::string& kernel : kernels) {
    std::vector<KernelSource> own;
    for (const KernelSource& source : all)
      if (source.path.starts_with("kernels/" + kernel + "/")) own.push_back(source);
    for (const KernelSource& source : all)
      if (!source.path.starts_with("kernels/" + kernel + "/")) own.push_back(source);
    write_source_tree(own, folder, "baseline");
  }
}

std::vector<BaselineSource> hashes_below(const fs::path& folder) {
  std::vector<BaselineSource> sources;
  for (const auto& file : fs::recursive_directory_iterator(folder / "kernels")) {
    if (!file.is_regular_file()) continue;
    sources.push_back({file.path().lexically_relative(folder).generic_string(),
                       sha256_hex(read_file(file.path()))});
  }
  return sources;
}

// Turns drafts into entries that are checked against themselves.
std::vector<PlannedEntry> plan_drafts(const Baseline& baseline, const DeviceInfo& device) {
  Paths paths;
  paths.home = baseline.folder;
  paths.kernel_roots = {baseline.folder / "kernels"};
  return plan_entries(baseline, paths, device);
}

bool lacks_opcode(const Outcome& outcome) {
  return outcome.detail.code == FailureCode::kEmulatorLacks;
}

// Counts on the emulator unless it cannot execute the entry. A kernel with wrong results cannot be
// part of a baseline.
void count_entries(const WorkerWorld& world, std::vector<PlannedEntry>& planned, Baseline& baseline,
                   std::vector<std::string>& notes) {
  compile_entries(world, planned);
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (!planned[i].open) {
      throw user_error(fmt::format("{} cannot be in a baseline: {}", planned[i].report.title(),
                                   planned[i].report.findings.front().message));
    }
    if (planned[i].runs) which.push_back(i);
    BaselineEntry& entry = baseline.entries[i];
    const EntrySide& side = planned[i].candidate;
    entry.machine_code = side.machine_code;
    entry.metrics = compiler_metrics(side.of->kernel, side.configuration, side.problem,
                                     world.device, side.compiled);
    if (!planned[i].runs)
      notes.push_back(fmt::format(
          "{}: too large for the emulator, and no smaller problem is known: nothing is counted "
          "without a GPU but what the compiler says",
          planned[i].report.title()));
  }
  const std::vector<MeasureAnswer> answers = ask_all(
      world, planned, which, [&](const auto& entry) { return request_of(world, entry, false, 0); });
  for (std::size_t i = 0; i < which.size(); ++i) {
    const MeasureAnswer& answer = answers[i];
    const std::string title = planned[which[i]].report.title();
    if (answer.error) throw Error(*answer.error).add_context("for " + title);
    if (lacks_opcode(answer.outcome)) {
      notes.push_back(fmt::format("{}: {}; nothing is counted", title, answer.outcome.reason));
    } else if (answer.outcome.status != Status::kOk) {
      throw user_error(fmt::format("{} cannot be in a baseline: {}: {}", title,
                                   status_name(answer.outcome.status), answer.outcome.reason));
    } else {
      add_counters(baseline.entries[which[i]].metrics, answer.outcome.counters);
    }
  }
}

void refuse_occupied(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || fs::exists(folder / kBaselineFile, ignored)) return;
  if (fs::is_directory(folder, ignored) && fs::is_empty(folder, ignored)) return;
  throw user_error(fmt::format(
      "{}: expected a new or empty folder, or a baseline to replace; name another with -o",
      folder.string()));
}

// The text is written last: an interrupted baseline is refused, because its hashes do not match.
void publish(const Baseline& baseline, const BaselineOptions& options) {
  make_folder(options.folder);
  // Copied to a temporary place first, so that a full disk leaves the old one intact.
  const fs::path place = options.folder / "kernels";
  const fs::path draft = place.string() + fmt::format(".{}.partial", ::getpid());
  std::error_code failed;
  std::error_code ignored;
  fs::copy(baseline.folder / "kernels", draft, fs::copy_options::recursive, failed);
  if (!failed) fs::remove_all(place, failed);
  if (!failed) fs::rename(draft, place, failed);
  if (failed) {
    fs::remove_all(draft, ignored);
    throw environment_error(
        fmt::format("cannot write {}: {}", options.folder.string(), failed.message()));
  }
  write_output(options.folder / kBaselineFile, baseline_text(baseline, options.command));
}

std::vector<BaselineDraft> draft_all(const BaselineOptions& options, const Paths& paths,
                                     const DeviceInfo& device, std::vector<std::string>& notes) {
  std::vector<BaselineDraft> drafts;
  for (const std::string& what : options.what) {
    const bool is_file = fs::is_regular_file(what) || what.ends_with(".yaml");
    std::vector<BaselineDraft> more;
    if (is_file && options.database.empty()) {
      more = draft_sweep(what, paths, device, options.part, notes);
    } else if (is_file) {
      const SweepSpec sweep = read_sweep(what);
      const KernelSpec kernel = read_kernel(find_kernel_file(paths, sweep.kernel));
      std::vector<std::map<std::string, Value>> small;
      for (const ProblemChoice& choice : sweep.emulated)
        small.push_back(complete_problem(kernel, choice.sizes, choice.where));
      more = draft_winners(options.database, sweep.kernel, small);
    } else {
      const fs::path file = options.database.empty() ? paths.default_database() : options.database;
      if (!fs::exists(file)) {
        throw user_error(fmt::format(
            "{}: no results yet; sweep '{}' first, or give its sweep (configs/{}.yaml) for the "
            "default configurations",
            file.string(), what, what));
      }
      more = draft_winners(file, what, {});
    }
    std::move(more.begin(), more.end(), std::back_inserter(drafts));
  }
  if (drafts.empty()) throw user_error("nothing to make a baseline of: no configuration is left");
  return drafts;
}

}  // namespace

std::optional<Problem> nearest_problem(const Problem& problem, const std::vector<Problem>& small) {
  const Problem* nearest = nullptr;
  std::size_t most = 0;
  for (const Problem& candidate : small) {
    std::size_t shared = 0;
    for (const auto& [name, value] : candidate) {
      const auto found = problem.find(name);
      if (found != problem.end() && found->second == value) ++shared;
    }
    if (nearest != nullptr && shared <= most) continue;
    nearest = &candidate;
    most = shared;
  }
  return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

std::vector<BaselineDraft> draft_sweep(const fs::path& file, const Paths& paths,
                                       const DeviceInfo& device, SweepPart part,
                                       std::vector<std::string>& notes) {
  const SweepSpec sweep = read_sweep(file);
  if (sweep.kernel.empty())
    throw user_error(fmt::format("{}: a bare space names no kernel; give a sweep", file.string()));
  const KernelSpec contract = read_kernel(find_kernel_file(paths, sweep.kernel));
  check_sweep(sweep, contract);
  const KernelSpec kernel = with_added(contract, sweep.added);
  const std::vector<Problem> small = complete_all(kernel, sweep.emulated);
  std::map<std::string, std::vector<KernelSource>> sources;  // by variant
  std::vector<BaselineDraft> drafts;
  const bool emulated = part != SweepPart::kProblems;
  std::set<std::string> taken;  // variants, for a brief baseline
  if (emulated && small.empty())
    throw user_error(fmt::format(
        "{}: --emulated records the sweep's emulated problems, and it has none; add `emulated: "
        "[{{...}}]`",
        file.string()));
  for (const Problem& problem : emulated ? small : complete_all(kernel, sweep.problems)) {
    const SpaceDefinition space = define_space(sweep, &kernel, problem, device_constants(device));
    for (const SpaceDefinition::Group& group : space.groups) {
      for (const Configuration& configuration : defaults_of(group, kernel)) {
        if (part == SweepPart::kBrief && taken.contains(group.variant)) continue;
        if (const auto broken = broken_constraint(kernel, configuration, problem, device)) {
          notes.push_back(fmt::format("{} {} {} is left out: {}", kernel.name,
                                      describe_problem(kernel, problem), configuration.to_string(),
                                      *broken));
          continue;
        }
        taken.insert(group.variant);
        std::vector<KernelSource>& files = sources[group.variant];
        if (files.empty())
          files = kernel_sources(kernel, *kernel.find_variant(group.variant),
                                 {kernel.folder, paths.common_headers()});
        BaselineDraft draft;
        draft.entry.kernel = kernel.name;
        draft.entry.problem = problem;
        draft.entry.configuration = configuration;
        draft.entry.emulated =
            nearest_problem(problem, possible_on(kernel, configuration, small, device));
        draft.sources = files;
        drafts.push_back(std::move(draft));
      }
    }
  }
  return drafts;
}

std::vector<BaselineDraft> draft_winners(const fs::path& file, const std::string& kernel,
                                         const std::vector<Problem>& emulated) {
  const Database database(file, OpenMode::kReadOnly);
  std::set<std::string> names;
  for (const auto& [id, known] : database.kernels()) names.insert(known.name);
  if (!names.contains(kernel)) {
    throw user_error(
        fmt::format("{}: no results of kernel '{}'{}", file.string(), kernel,
                    suggestion(kernel, std::vector<std::string>(names.begin(), names.end()))));
  }
  const std::vector<Leaderboard> boards =
      make_leaderboards(database.trials({.kernel = kernel}), database.rankings({.kernel = kernel}),
                        BoardGoals(database), read_peaks(database));
  std::vector<BaselineDraft> drafts;
  for (const Leaderboard* board : current_boards(boards)) {
    const Database::TrialRow& best = board->entries.front().row;
    const StoredRun run = stored_run(database, best.trial.run);
    BaselineDraft draft;
    draft.entry.kernel = kernel;
    draft.entry.problem = *board->problem;
    draft.entry.configuration = best.trial.configuration();
    if (!board->modelled) {
      draft.entry.measured = stored_time(*board, run.nvrtc);
      draft.entry.emulated =
          nearest_problem(draft.entry.problem, emulated.empty() ? run.emulated : emulated);
    }
    draft.sources = database.kernel_sources(best.trial.kernel);
    if (draft.sources.empty()) {
      throw user_error(fmt::format(
          "{}: the results of kernel '{}' were stored by an older warpwright, which did not keep "
          "sources; sweep it again",
          file.string(), kernel));
    }
    drafts.push_back(std::move(draft));
  }
  if (drafts.empty())
    throw user_error(fmt::format("{}: kernel '{}' has no configuration that passed; sweep it again",
                                 file.string(), kernel));
  return drafts;
}

MadeBaseline make_baseline(const BaselineOptions& options, const Paths& paths) {
  refuse_occupied(options.folder);
  if (options.part != SweepPart::kProblems && !options.database.empty())
    throw user_error("--emulated and --db exclude each other: a database has winners of its own");
  MadeBaseline made;
  const DeviceInfo device = counting_device(options.device);
  std::vector<BaselineDraft> drafts = draft_all(options, paths, device, made.notes);
  const TemporaryFolder staging("warpwright-baseline");
  write_sources(drafts, staging.path());

  Baseline& baseline = made.baseline;
  baseline.folder = staging.path();
  baseline.arch = device.arch;
  baseline.emulator = device.driver;
  baseline.sources = hashes_below(staging.path());
  std::set<std::string> twins;
  for (BaselineDraft& draft : drafts) {
    const std::string key = fmt::format("{} {} {} {}", draft.entry.kernel,
                                        Configuration{"", draft.entry.problem}.to_string(),
                                        draft.entry.configuration.to_string(),
                                        draft.entry.measured ? draft.entry.measured->device : "");
    if (twins.insert(key).second) baseline.entries.push_back(std::move(draft.entry));
  }

  Progress progress(stderr_progress("baseline", options.quiet));
  const WorkerWorld world = make_worker_world(device, paths, options.workers, progress);
  std::vector<PlannedEntry> planned = plan_drafts(baseline, device);
  count_entries(world, planned, baseline, made.notes);
  baseline.nvrtc = compiler_release(world, planned);
  progress.finish();
  publish(baseline, options);
  baseline.folder = fs::absolute(options.folder).lexically_normal();
  return made;
}

}  // namespace warpwright
