// warpwright show: leaderboards from a database.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/harness_kernels.h"
#include "analysis/leaderboard.h"
#include "analysis/limits.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/suggest.h"
#include "output/importance_text.h"
#include "output/insights_json.h"
#include "output/leaderboard_text.h"
#include "output/limit_text.h"
#include "run/paths.h"
#include "store/database.h"

namespace warpwright {
namespace {

constexpr const char* kExample =
    "Examples:\n"
    "  warpwright show                        every kernel, problem and device\n"
    "  warpwright show softmax_topk --top 5\n"
    "  warpwright show softmax_topk --importance --landscape   what decides the time, how hard to "
    "find\n"
    "  warpwright show softmax_topk --why     only what failed, and the constraint it lacks\n"
    "  warpwright show 12 --json              one run\n";

struct ShowArguments {
  std::string what;
  std::string database;
  std::string device;
  std::size_t top = 10;
  bool importance = false;
  bool landscape = false;
  bool why = false;
};

Database::TrialFilter make_filter(const ShowArguments& arguments, const Database& database) {
  Database::TrialFilter filter;
  if (!arguments.device.empty()) filter.device = arguments.device;
  if (arguments.what.empty()) return filter;
  const bool number = arguments.what.find_first_not_of("0123456789") == std::string::npos;
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

// The harness's own kernels are shown by name only, and by run: returns how many boards were left
// out.
std::size_t drop_harness(const ShowArguments& arguments, std::vector<Leaderboard>& boards) {
  if (!arguments.what.empty()) return 0;
  return std::erase_if(boards,
                       [](const Leaderboard& board) { return is_harness_kernel(board.kernel); });
}

nlohmann::json boards_json(const std::vector<Leaderboard>& boards, const ShowArguments& arguments) {
  nlohmann::json json = leaderboards_json(boards);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    nlohmann::json& board = json["leaderboards"][i];
    if (arguments.importance)
      board["importance"] = importance_json(parameter_importance(boards[i]));
    if (!arguments.landscape) continue;
    const std::optional<Landscape> landscape = make_landscape(boards[i]);
    board["landscape"] = landscape ? landscape_json(*landscape) : nlohmann::json(nullptr);
  }
  return json;
}

void print_insights(const Leaderboard& board, const ShowArguments& arguments, bool colour) {
  if (board.entries.empty()) return;
  if (arguments.importance)
    fmt::print("{}\n", importance_text(parameter_importance(board), colour));
  if (!arguments.landscape) return;
  if (const std::optional<Landscape> landscape = make_landscape(board))
    fmt::print("{}\n", landscape_text(*landscape, colour));
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
  std::vector<Leaderboard> boards = make_leaderboards(
      database.trials(filter), database.rankings({.kernel = filter.kernel, .run = filter.run}));
  const std::size_t left_out = drop_harness(arguments, boards);
  add_limits(boards, read_roofs(database));
  advise_on_failures(boards, database.devices());
  if (global.json) {
    fmt::print("{}\n", boards_json(boards, arguments).dump(2));
    return 0;
  }
  if (boards.empty() && left_out == 0) fmt::print("{}: no trials match\n", file.string());
  LeaderboardTextOptions text;
  text.top = arguments.top;
  text.colour = stdout_takes_colour();
  if (!arguments.database.empty()) text.repro_options = " --db " + arguments.database;
  text.show_ranking = !arguments.why;
  text.whole_failures = arguments.why;
  for (const Leaderboard& board : boards) {
    fmt::print("{}\n", leaderboard_text(board, text));
    print_insights(board, arguments, text.colour);
  }
  fmt::print("{}", calibration_hint(boards));
  if (left_out > 0) {
    fmt::print(
        "{} board{} of the harness's own kernels not shown; name one, as in `warpwright show "
        "harness_bandwidth`\n",
        left_out, left_out == 1 ? "" : "s");
  }
  return 0;
}

}  // namespace

void add_show_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("show", "Leaderboards of what the database holds");
  auto arguments = std::make_shared<ShowArguments>();
  verb->add_option("what", arguments->what,
                   "A kernel's name or a run's number; everything when not given")
      ->type_name("KERNEL|RUN");
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--device", arguments->device, "Only this device: id, name or fingerprint")
      ->type_name("DEVICE");
  verb->add_option("--top", arguments->top, "Entries shown per leaderboard; 0 is all")
      ->capture_default_str();
  verb->add_flag("--importance", arguments->importance,
                 "Also which parameters decide the time, and their best values");
  verb->add_flag(
      "--landscape", arguments->landscape,
      "Also how many are near the best, local minima, and what random search would find");
  verb->add_flag("--why", arguments->why,
                 "Only what failed: every cause in full, and the constraint that would exclude it");
  add_common_options(*verb, context);
  verb->footer(kExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
