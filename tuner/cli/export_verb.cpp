// warpwright export: stored results as files for other programs. A format is one line of kFormats.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/verb.h"
#include "core/assignment_words.h"
#include "core/error.h"
#include "core/files.h"
#include "core/output_file.h"
#include "core/suggest.h"
#include "exchange/export_format.h"
#include "exchange/gzip.h"
#include "exchange/header/header_formats.h"
#include "exchange/t4/t4_export.h"
#include "exchange/trial_table.h"
#include "store/database.h"
#include "workers/paths.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

struct ExportFormat {
  const char* name;
  const char* summary;
  ExportWriter write;
};

constexpr std::array kFormats = {
    ExportFormat{"t4", "results as the auto-tuning community shares them, a file per board",
                 export_t4},
    ExportFormat{"csv", "one row per trial, for spreadsheets", export_csv},
    ExportFormat{"json", "one object per trial with raw samples, for pandas.read_json",
                 export_json},
    ExportFormat{"header", "a C++17 header that chooses the configuration for a problem",
                 export_cpp_header},
    ExportFormat{"c", "the same for C99", export_c_header},
    ExportFormat{"select-json", "the same for loading at run time", export_select_json},
};

constexpr const char* kExportExample =
    "Examples:\n"
    "  warpwright export softmax_topk --format csv -o softmax_topk.csv\n"
    "  warpwright export all --format json -o all.json.gz      compressed\n"
    "  warpwright export softmax_topk --format t4 -o shared/   a file per problem and device\n"
    "  warpwright export gated_activation --format header -o gated_activation.h\n"
    "                                                          select() for your own program\n"
    "  warpwright export gated_activation --format csv --device H200 --problem rows=8192\n"
    "  warpwright export gated_activation --format header --objective energy -o quiet.h\n"
    "                                                          the least energy, not time\n"
    "Those trials are written that `warpwright show` counts; --all-trials adds repeated and "
    "outdated "
    "ones.\n";

struct ExportArguments {
  std::string kernel, format, output, database, device, problem;
  RowId run = 0;
  bool all_trials = false;
  bool pareto = false;
  GoalOverride goal;
};

const ExportFormat& find_format(const std::string& name) {
  std::vector<std::string> names;
  for (const ExportFormat& format : kFormats) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  throw user_error(fmt::format("unknown format '{}'{}", name, suggestion(name, names)));
}

Database::TrialFilter make_filter(const ExportArguments& arguments, const Database& database) {
  Database::TrialFilter filter;
  filter.with_samples = true;
  if (!arguments.device.empty()) filter.device = arguments.device;
  if (arguments.run > 0) filter.run = arguments.run;
  if (arguments.kernel == "all") return filter;
  filter.kernel = arguments.kernel;
  std::vector<std::string> names = {"all"};
  for (const auto& [id, kernel] : database.kernels()) {
    if (kernel.name == arguments.kernel) return filter;
    if (std::find(names.begin(), names.end(), kernel.name) == names.end())
      names.push_back(kernel.name);
  }
  throw user_error(fmt::format("{}: no results of kernel '{}'{}", database.path().string(),
                               arguments.kernel, suggestion(arguments.kernel, names)));
}

// "rows=8192" chooses "rows=8192 V=50257 K=10": every word given is one of the problem's.
bool has_words(const std::string& problem, const std::string& wanted) {
  const std::vector<std::string> words = assignment_words(problem);
  const std::vector<std::string> all = assignment_words(wanted);
  return std::all_of(all.begin(), all.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

// Of every board what is on its front, and nothing else.
void write_fronts_only(std::vector<Leaderboard>& boards) {
  std::erase_if(boards, [](const Leaderboard& board) { return front_of(board).empty(); });
  for (Leaderboard& board : boards) {
    std::erase_if(board.entries, [](const LeaderboardEntry& entry) { return !entry.on_front; });
    board.untimed.clear();
    board.failures.clear();
  }
  if (boards.empty()) {
    throw user_error(
        "no board has a Pareto front, which takes several objectives; name them, as in "
        "`--objective time --objective registers`");
  }
}

ExportRequest make_request(const ExportArguments& arguments, const Database& database) {
  Database::TrialFilter filter = make_filter(arguments, database);
  const auto rows_of = [&] {
    std::vector<Database::TrialRow> rows = database.trials(filter);
    std::erase_if(rows, [&](const Database::TrialRow& row) {
      return !has_words(row.trial.problem_text, arguments.problem);
    });
    return rows;
  };
  ExportRequest request{
      .database = database,
      .kernel = arguments.kernel == "all" ? "" : arguments.kernel,
      .boards = make_leaderboards(rows_of(),
                                  database.rankings({.kernel = filter.kernel, .run = filter.run}),
                                  BoardGoals(database, filter.run, arguments.goal)),
      .version = version_text()};
  if (request.boards.empty()) {
    throw user_error(fmt::format("{}: no trials match; `warpwright show` lists what there is",
                                 database.path().string()));
  }
  if (arguments.pareto) write_fronts_only(request.boards);
  if (arguments.all_trials) {
    filter.newest_per_key = false;
    request.all_trials = rows_of();
  }
  return request;
}

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || fs::is_directory(output, ignored);
}

// Writes the files and returns their paths. Several go into a folder.
std::vector<std::string> write_files(const std::vector<ExportFile>& files,
                                     const std::string& output) {
  const bool folder = names_folder(output);
  if (files.size() > 1 && !folder) {
    throw user_error(fmt::format(
        "{} files are to be written ({}, {}{}); name a folder with `-o DIR/`, or choose one with "
        "--device, --problem or a kernel's name",
        files.size(), files[0].name, files[1].name, files.size() > 2 ? ", ..." : ""));
  }
  std::error_code why;
  if (folder && !fs::create_directories(output, why) && why)
    throw environment_error(fmt::format("cannot make the folder {}: {}", output, why.message()));
  std::vector<std::string> paths;
  for (const ExportFile& file : files) {
    const fs::path path = folder ? fs::path(output) / file.name : fs::path(output);
    write_output(path, path.extension() == ".gz" ? pack_gzip(file.content) : file.content);
    paths.push_back(path.string());
  }
  return paths;
}

int run(const ExportArguments& arguments, const GlobalOptions& global) {
  const ExportFormat& format = find_format(arguments.format);
  const fs::path file = arguments.database.empty()
                            ? find_paths(global.kernel_roots()).default_database()
                            : fs::path(arguments.database);
  const Database database(file, OpenMode::kReadOnly);
  const std::vector<ExportFile> files = format.write(make_request(arguments, database));
  if (arguments.output.empty() && files.size() == 1 && !global.json) {
    fmt::print("{}", files.front().content);
    return 0;
  }
  if (arguments.output.empty() && global.json)
    throw user_error("--json says which files were written; name one with -o PATH");
  const std::vector<std::string> paths = write_files(files, arguments.output);
  if (global.json) {
    print_json(nlohmann::json{{"format", format.name}, {"files", paths}});
  } else {
    for (const std::string& path : paths) print_error("{}\n", path);
  }
  return 0;
}

std::string format_help() {
  std::string text;
  for (const ExportFormat& format : kFormats)
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", format.name, format.summary);
  return text;
}

}  // namespace

void add_export_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("export", "Write stored results for other programs");
  auto arguments = std::make_shared<ExportArguments>();
  verb->add_option("kernel", arguments->kernel, "A kernel's name, or `all`")
      ->type_name("KERNEL|all")
      ->required();
  verb->add_option("--format", arguments->format, format_help())->type_name("FORMAT")->required();
  verb->add_option("-o,--output", arguments->output,
                   "File to write, compressed when it ends in .gz, or a folder; stdout without")
      ->type_name("PATH");
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--device", arguments->device, "Only this device: id, name or fingerprint")
      ->type_name("DEVICE");
  verb->add_option("--problem", arguments->problem,
                   "Only problems with these sizes: \"rows=8192 V=50257\"")
      ->type_name("SIZES");
  verb->add_option("--run", arguments->run, "Only the trials of this run")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  CLI::Option* all = verb->add_flag("--all-trials", arguments->all_trials,
                                    "Every trial that was stored, also repeated and outdated ones");
  add_goal_options(*verb, arguments->goal.objectives, arguments->goal.requirements,
                   "instead of what the sweep was after");
  verb->add_flag("--pareto", arguments->pareto,
                 "Only the configurations on the front of several objectives")
      ->excludes(all);
  add_common_options(*verb, context);
  verb->footer(kExportExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
