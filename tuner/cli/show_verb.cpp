// Implements `warpwright show`: prints leaderboards from a database, or with --versions one table
// for each sweep of a database that has named versions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "analysis/board/board_additions.h"
#include "analysis/board/board_ranking.h"
#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "analysis/board/overview.h"
#include "analysis/board/version_names.h"
#include "analysis/compare/version_table.h"
#include "analysis/insight/failure_advice.h"
#include "analysis/insight/run_history.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "metrics/peaks.h"
#include "output/json/insights_json.h"
#include "output/json/leaderboards_json.h"
#include "output/json/versions_json.h"
#include "output/text/importance_text.h"
#include "output/text/leaderboard_text.h"
#include "output/text/limit_text.h"
#include "output/text/overview_text.h"
#include "output/text/search_text.h"
#include "output/text/versions_text.h"
#include "spec/sweep_spec.h"
#include "store/database.h"
#include "sweep/run_records.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

// The versions that a sweep selects. Those of a contract that can no longer be read are left out.
std::vector<NamedVersion> versions_of(const SweepSpec& sweep, RowId run,
                                      const VersionNames& names) {
  std::vector<NamedVersion> known = names.of_run(run);
  for (NamedVersion& version : names.of_kernel(sweep.kernel)) known.push_back(std::move(version));
  std::vector<NamedVersion> versions;
  for (const std::string& name : sweep.versions) {
    const auto version =
        std::find_if(known.begin(), known.end(),
                     [&](const NamedVersion& candidate) { return candidate.name == name; });
    if (version == known.end()) continue;
    versions.push_back(*version);
    versions.back().name = version_title(*version, known);
  }
  return versions;
}

// Returns the stored sweep, or nullopt if this program can no longer read its text.
std::optional<SweepSpec> stored_sweep(RowId id, const RunRecord& run) {
  if (run.config_text.empty()) return std::nullopt;  // an import
  try {
    return parse_sweep(run.config_text, run.config_path, OtherVersions::kKeep);
  } catch (const Error& error) {
    print_error("warpwright: note: the sweep of run {} can no longer be read: {}\n", id,
                error.what());
    return std::nullopt;
  }
}

// The peers may have more problems, in another order.
const Json* result_of(const Json& results, const VersionTable& table, std::size_t problem) {
  const Json wanted = table.problems[problem].document();
  for (const Json& result : results)
    if (result.at("kernel") == table.kernel && result.at("problem") == wanted) return &result;
  return nullptr;
}

// Returns the peers of the kernel in the order of the file.
std::vector<std::string> peer_names(const nlohmann::ordered_json& measured,
                                    const std::string& kernel) {
  std::vector<std::string> names;
  for (const auto& result : measured.at("results")) {
    if (result.at("kernel") != kernel) continue;
    for (const auto& [name, time] : result.at("peers").items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void add_peers(const Json& measured, const std::vector<std::string>& names, VersionTable& table) {
  if (measured.at("environment").at("device") != table.device_name || table.modelled) return;
  const Json& results = measured.at("results");
  for (const std::string& name : names) {
    VersionRow& row = table.peers.emplace_back(VersionRow{name, {}});
    for (std::size_t i = 0; i < table.problems.size(); ++i) {
      VersionCell& cell = row.cells.emplace_back();
      const Json* result = result_of(results, table, i);
      if (result == nullptr || !result->at("peers").contains(name)) continue;
      const Json& time = result->at("peers").at(name);
      if (time.is_null()) continue;
      cell.time = VersionTime{time.at("median_us"), time.at("ci_low_us"), time.at("ci_high_us")};
    }
  }
}

void add_peers(const std::filesystem::path& file, std::vector<VersionTable>& tables) {
  try {
    const std::string text = read_file(file);
    const Json measured = Json::parse(text);
    const auto ordered = nlohmann::ordered_json::parse(text);
    for (VersionTable& table : tables)
      add_peers(measured, peer_names(ordered, table.kernel), table);
  } catch (const Json::exception& error) {
    throw user_error(fmt::format("{}: expected what `scripts/peers --json FILE` writes: {}",
                                 file.string(), error.what()));
  }
}

// Uses, for every sweep file whose stored text selects presets, the newest run that stored trials,
// or the run that the filter names. `peers` is a file written by `scripts/peers --json`; its
// measurements on the same kind of device become rows. Throws Error (user) when there is no such
// sweep, and on a file of another format.
[[nodiscard]] std::vector<VersionTable> load_version_tables(
    const Database& database, const Database::TrialFilter& filter,
    const std::optional<std::filesystem::path>& peers) {
  Database::TrialFilter everything = filter;
  everything.run.reset();
  const PeaksByDevice peaks = read_peaks(database);
  const RoofsByDevice roofs = read_roofs(database);
  const VersionNames names(database);
  std::vector<VersionTable> tables;
  std::set<std::string> done;  // sweep files
  std::vector<std::pair<RowId, RunRecord>> runs = database.runs();
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [id, run] : runs) {
    if (filter.run && *filter.run != id) continue;
    if (done.contains(run.config_path)) continue;
    const std::optional<SweepSpec> sweep = stored_sweep(id, run);
    if (!sweep || sweep->versions.empty()) continue;
    if (filter.kernel && sweep->kernel != *filter.kernel) continue;
    everything.kernel = sweep->kernel;
    Database::TrialFilter own = everything;
    own.run = id;
    std::vector<Leaderboard> own_boards = make_leaderboards(
        database.trials(own), database.rankings({.kernel = own.kernel, .run = own.run}), {}, peaks);
    if (own_boards.empty()) continue;  // everything was known before
    std::vector<Leaderboard> all_boards = make_leaderboards(
        database.trials(everything), database.rankings({.kernel = everything.kernel}), {}, peaks);
    add_limits(own_boards, roofs);
    add_limits(all_boards, roofs);
    for (VersionTable& table : make_version_tables(run.config_path, versions_of(*sweep, id, names),
                                                   own_boards, all_boards))
      tables.push_back(std::move(table));
    done.insert(run.config_path);
  }
  if (tables.empty()) {
    throw user_error(fmt::format(
        "{}: no sweep with named versions has results here; give a sweep `presets` and `version`, "
        "and run it",
        database.path().string()));
  }
  std::stable_sort(tables.begin(), tables.end(),
                   [](const VersionTable& a, const VersionTable& b) { return a.sweep < b.sweep; });
  if (peers) add_peers(*peers, tables);
  return tables;
}

constexpr const char* kShowExample =
    "Examples:\n"
    "  warpwright show                        an overview: a line for each kernel and device\n"
    "  warpwright show softmax_topk --top 5   its leaderboards\n"
    "  warpwright show --all                  every leaderboard there is\n"
    "  warpwright show softmax_topk --importance --landscape   what decides the time, how hard to "
    "find\n"
    "  warpwright show softmax_topk --why     only what failed, and the constraint it lacks\n"
    "  warpwright show attention_prefill --versions   named versions of its sweeps side by side\n"
    "  warpwright show softmax_topk --objective time --objective registers --pareto   their front\n"
    "  warpwright show 12 --json              one run\n"
    "Without KERNEL or RUN, options about leaderboards (--top, --why, --importance, --landscape, "
    "--json)\n"
    "mean those of every kernel.\n";

struct ShowArguments {
  std::string what;
  std::string database;
  std::string device;
  std::size_t top = 10;
  bool top_given = false;
  bool all = false;
  bool importance = false;
  bool landscape = false;
  bool why = false;
  bool versions = false;
  bool pareto = false;
  GoalOverride goal;
  std::string peers;
};

Database::TrialFilter make_filter(const ShowArguments& arguments, const Database& database) {
  Database::TrialFilter filter;
  if (!arguments.device.empty()) filter.device = arguments.device;
  if (arguments.what.empty()) return filter;
  const bool number = all_digits(arguments.what);
  if (number) {
    filter.run = std::strtoll(arguments.what.c_str(), nullptr, 10);
    for (const auto& [id, run] : database.runs())
      if (id == *filter.run) return filter;
    throw user_error(fmt::format("{}: no run {}; it holds {} runs", database.path().string(),
                                 arguments.what, database.runs().size()));
  }
  filter.kernel = arguments.what;
  std::vector<std::string> names;
  for (const auto& [id, kernel] : database.kernels()) {
    if (kernel.name == arguments.what) return filter;
    if (std::find(names.begin(), names.end(), kernel.name) == names.end())
      names.push_back(kernel.name);
  }
  throw user_error(fmt::format("{}: no results of kernel '{}'{}", database.path().string(),
                               arguments.what, suggestion(arguments.what, names)));
}

// The harness's own kernels are shown only if a kernel or a run is named. Returns the number of
// boards that were omitted.
std::size_t drop_harness(const ShowArguments& arguments, std::vector<Leaderboard>& boards) {
  if (!arguments.what.empty()) return 0;
  return std::erase_if(boards,
                       [](const Leaderboard& board) { return is_harness_kernel(board.kernel); });
}

nlohmann::json boards_json(const std::vector<Leaderboard>& boards, const SearchCourses& courses,
                           const ShowArguments& arguments) {
  nlohmann::json json = leaderboards_json(boards);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    nlohmann::json& board = json["leaderboards"][i];
    if (const FoundCourse* found = courses.find(boards[i])) {
      board["search"] = found->course;
      board["search"]["run"] = found->run;
    }
    if (arguments.importance)
      board["importance"] = importance_json(parameter_importance(boards[i]));
    if (!arguments.landscape) continue;
    const std::optional<Landscape> landscape = make_landscape(boards[i]);
    board["landscape"] = landscape ? landscape_json(*landscape) : nlohmann::json(nullptr);
  }
  return json;
}

std::string insights(const Leaderboard& board, const ShowArguments& arguments,
                     const LeaderboardTextOptions& options) {
  std::string text;
  if (board.entries.empty()) return text;
  if (arguments.importance)
    text += importance_text(parameter_importance(board), options.colour, options.screen) + "\n";
  if (!arguments.landscape) return text;
  if (const std::optional<Landscape> landscape = make_landscape(board))
    text += landscape_text(*landscape, options.colour, options.screen) + "\n";
  return text;
}

// Boards with a single objective have no front.
void keep_fronts(std::vector<Leaderboard>& boards) {
  std::erase_if(boards, [](const Leaderboard& board) { return front_of(board).empty(); });
  if (!boards.empty()) return;
  throw user_error(
      "no board has a Pareto front, which takes several objectives; name them, as in "
      "`--objective time --objective registers`");
}

// True if the arguments select no boards and no presentation.
bool wants_overview(const ShowArguments& arguments) {
  return arguments.what.empty() && !arguments.all && !arguments.top_given &&
         !arguments.importance && !arguments.landscape && !arguments.why && !arguments.pareto &&
         arguments.goal.objectives.empty() && arguments.goal.requirements.empty();
}

void print_boards(const std::vector<Leaderboard>& boards, const SearchCourses& courses,
                  const ShowArguments& arguments, const GlobalOptions& global) {
  LeaderboardTextOptions options;
  options.top = arguments.top;
  options.colour = stdout_takes_colour();
  options.screen = text_screen();
  options.command_options = global.given.for_verb("repro");
  options.show_ranking = !arguments.why;
  options.whole_failures = arguments.why;
  options.front_only = arguments.pareto;
  options.show_failures = !arguments.pareto;
  for (const Leaderboard& measured : boards) {
    const Leaderboard board = with_headline_time(measured);
    std::string text = leaderboard_text(board, options);
    const FoundCourse* found = courses.find(board);
    if (found != nullptr && !arguments.why && !arguments.pareto)
      text += fmt::format("search of run {}: {}", found->run,
                          search_text(found->course, board.modelled));
    print_text(global, text + "\n" + insights(board, arguments, options));
  }
  print_text(global, calibration_hint(boards));
}

void print_overview(const std::vector<Leaderboard>& boards, const GlobalOptions& global) {
  if (boards.empty()) return;
  print_text(
      global,
      overview_text(make_overview(boards), utc_now(), text_screen()) +
          fmt::format("see the boards of a kernel with `warpwright show {}`, all of them with "
                      "`warpwright show --all`\n",
                      terminal_line(shell_word(boards.front().kernel))));
}

int print_versions(const ShowArguments& arguments, const Database& database,
                   const Database::TrialFilter& filter, const GlobalOptions& global) {
  const std::vector<VersionTable> tables = load_version_tables(
      database, filter,
      arguments.peers.empty() ? std::nullopt
                              : std::optional<std::filesystem::path>(arguments.peers));
  if (global.json) {
    print_json(versions_json(tables));
    return 0;
  }
  for (const VersionTable& table : tables)
    print_text(global,
               (&table == &tables.front() ? "" : "\n") + versions_text(table, text_screen()));
  return 0;
}

int run(const ShowArguments& arguments, const GlobalOptions& global) {
  const std::filesystem::path file = arguments.database.empty()
                                         ? find_paths(global.kernel_roots()).default_database()
                                         : std::filesystem::path(arguments.database);
  if (arguments.database.empty() && !std::filesystem::exists(file)) {
    throw user_error(fmt::format(
        "{}: no results yet; make some with `warpwright sweep configs/softmax_topk_quick.yaml`",
        file.string()));
  }
  const Database database(file, OpenMode::kReadOnly);
  const Database::TrialFilter filter = make_filter(arguments, database);
  if (arguments.versions) return print_versions(arguments, database, filter, global);
  std::vector<Leaderboard> boards = make_leaderboards(
      database.trials(filter), database.rankings({.kernel = filter.kernel, .run = filter.run}),
      BoardGoals(database, filter.run, arguments.goal), read_peaks(database));
  if (arguments.pareto) keep_fronts(boards);
  const std::size_t left_out = drop_harness(arguments, boards);
  VersionNames(database).add_to(boards);
  add_limits(boards, read_roofs(database));
  add_contract_remarks(boards, database.contract_checks(filter.kernel));
  advise_on_failures(boards, database.devices());
  const SearchCourses courses(database, filter.run);
  if (global.json) {
    print_json(boards_json(boards, courses, arguments));
    return 0;
  }
  if (boards.empty() && left_out == 0) print("{}: no trials match\n", file.string());
  if (wants_overview(arguments)) {
    print_overview(boards, global);
  } else {
    print_boards(boards, courses, arguments, global);
  }
  print_text(global, shards_text(shards_here(database, filter.kernel)));
  if (left_out > 0) {
    print_text(global, fmt::format("{} of the harness's own kernels not shown; name one, "
                                   "as in `warpwright show harness_bandwidth`\n",
                                   plural(left_out, "board")));
  }
  return 0;
}

}  // namespace

void add_show_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("show", "Show the database: an overview, or leaderboards");
  auto arguments = std::make_shared<ShowArguments>();
  verb->add_option("what", arguments->what,
                   "A kernel's name or a run's number; an overview when not given")
      ->type_name("KERNEL|RUN");
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--device", arguments->device, "Only this device: id, name or fingerprint")
      ->type_name("DEVICE");
  CLI::Option* top =
      verb->add_option("--top", arguments->top, "Entries shown per leaderboard; 0 is all")
          ->check(whole_number())
          ->capture_default_str();
  verb->add_flag("--all", arguments->all, "The leaderboards of every kernel, not an overview");
  verb->add_flag("--importance", arguments->importance,
                 "Also which parameters decide the time, and their best values");
  verb->add_flag(
      "--landscape", arguments->landscape,
      "Also how many are near the best, local minima, and what random search would find");
  verb->add_flag("--why", arguments->why,
                 "Only what failed: every cause in full, and the constraint that would exclude it");
  add_goal_options(*verb, arguments->goal.objectives, arguments->goal.requirements,
                   "instead of what the sweep was after");
  verb->add_flag("--pareto", arguments->pareto,
                 "Only the configurations on the front of several objectives");
  CLI::Option* versions = verb->add_flag(
      "--versions", arguments->versions,
      "Show the named versions of sweeps that have any, side by side with the best of all");
  verb->add_option("--peers", arguments->peers,
                   "With --versions: what `scripts/peers --json FILE` measured, as further rows")
      ->type_name("FILE")
      ->needs(versions);
  add_common_options(*verb, context);
  verb->footer(kShowExample);
  verb->callback([arguments, top, context] {
    arguments->top_given = top->count() > 0;
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
