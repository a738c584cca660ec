// Drafts the content of a baseline from a sweep or from a database.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "check/candidate.h"
#include "check/make_baseline.h"
#include "core/suggest.h"
#include "space/search_space.h"
#include "spec/added_options.h"
#include "sweep/kernel_sources.h"
#include "sweep/sweep_plan.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

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
           parse_sweep(record.config_text, record.config_path).emulated)
        stored.emulated.push_back(choice.sizes);
    } catch (const Error&) {
      stored.emulated.clear();
    }
  }
  return stored;
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
                                       const DeviceInfo& device, std::vector<std::string>& notes) {
  const SweepSpec sweep = read_sweep(file);
  if (sweep.kernel.empty())
    throw user_error(fmt::format("{}: a bare space names no kernel; give a sweep", file.string()));
  const KernelSpec contract = read_kernel(find_kernel_file(paths, sweep.kernel));
  check_sweep(sweep, contract);
  const KernelSpec kernel = with_added(contract, sweep.added);
  const std::vector<Problem> small = complete_all(kernel, sweep.emulated);
  std::map<std::string, std::vector<KernelSource>> sources;  // by variant
  std::vector<BaselineDraft> drafts;
  for (const Problem& problem : complete_all(kernel, sweep.problems)) {
    const SpaceDefinition space = define_space(sweep, &kernel, problem, device_constants(device));
    for (const SpaceDefinition::Group& group : space.groups) {
      for (const Configuration& configuration : defaults_of(group, kernel)) {
        if (const auto broken = broken_constraint(kernel, configuration, problem, device)) {
          notes.push_back(fmt::format("{} {} {} is left out: {}", kernel.name,
                                      describe_problem(kernel, problem), configuration.to_string(),
                                      *broken));
          continue;
        }
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

}  // namespace warpwright
