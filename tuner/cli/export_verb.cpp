// Implements `warpwright export`: writes stored results as files for other programs. Each format is
// one line of kFormats.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/board/impossible.h"
#include "analysis/board/version_names.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "exchange/export_format.h"
#include "exchange/gzip.h"
#include "exchange/header/header_origin.h"
#include "exchange/header/selection_writers.h"
#include "exchange/launcher/launcher.h"
#include "exchange/t4/t4_export.h"
#include "exchange/trial_table.h"
#include "spec/versions.h"
#include "store/database.h"
#include "workers/paths.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

struct ExportFormat {
  const char* name;
  const char* summary;
  ExportWriter write;
  const OutputKind& output;
  bool per_device = false;  // a device's files go into a folder of its name; see output_of()
};

const std::array kFormats = {
    ExportFormat{"t4", "results as the auto-tuning community shares them, a file per board",
                 export_t4, kT4Output},
    ExportFormat{"csv", "one row per trial, for spreadsheets", export_csv, kTableOutput},
    ExportFormat{"json", "one object per trial with raw samples, for pandas.read_json", export_json,
                 kTableOutput},
    ExportFormat{"header", "a C and C++ header that chooses the configuration for a problem",
                 export_header, kSourceOutput, true},
    ExportFormat{"launcher",
                 "a C++17 library that compiles and launches it, sources and all, into -o DIR/",
                 export_launcher, kSourceOutput, true},
    ExportFormat{"select-json", "the same for loading at run time", export_select_json,
                 kSelectOutput, true},
};

constexpr const char* kExportExample =
    "Examples:\n"
    "  warpwright export softmax_topk --format csv -o softmax_topk.csv\n"
    "  warpwright export all --format json -o all.json.gz      compressed\n"
    "  warpwright export softmax_topk --format t4 -o shared/   a file per problem and device\n"
    "  warpwright export gated_activation --format header -o gated_activation.h\n"
    "                                                          select() for your own program, "
    "with\n"
    "                                                          warpwright_select.h next to it\n"
    "  warpwright export attention_prefill --format header --version V4 -o v4.h    a named "
    "version\n"
    "  warpwright export --verify gated_activation.h           are header, results and sources "
    "one?\n"
    "  warpwright export gated_activation --format csv --device H200 --problem rows=8192\n"
    "  warpwright export gated_activation --format header --device H200 -o headers/\n"
    "                                                          into headers/nvidia-h200/ if the "
    "database has other GPUs too\n"
    "  warpwright export gated_activation --format header --objective energy -o quiet.h\n"
    "                                                          the least energy, not time\n"
    "Those trials are written that `warpwright show` counts; --all-trials adds repeated and "
    "outdated "
    "ones.\n";

struct ExportArguments {
  std::string kernel, format, output, database, device, problem;
  std::string prefix = "ww_", name_space, verify;
  RowId run = 0;
  std::vector<std::string> versions;
  bool all_trials = false;
  bool pareto = false;
  GoalOverride goal;
  Outputs outputs;
};

const ExportFormat& find_format(const std::string& name) {
  std::vector<std::string> names;
  for (const ExportFormat& format : kFormats) {
    if (format.name == name) return format;
    names.emplace_back(format.name);
  }
  if (name == "c") throw user_error("the format 'c' is part of 'header' now, which is C as well");
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

// "rows=8192" selects "rows=8192 V=50257 K=10": every given word must be one of the problem's
// words.
bool has_words(const std::string& problem, const std::string& wanted) {
  const std::vector<std::string> words = assignment_words(problem);
  const std::vector<std::string> all = assignment_words(wanted);
  return std::all_of(all.begin(), all.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

// Keeps the trials of named versions. Throws Error (user) on an unknown version.
void keep_versions(const ExportArguments& arguments, const Database& database,
                   std::vector<Database::TrialRow>& rows) {
  if (arguments.versions.empty()) return;
  if (arguments.kernel == "all")
    throw user_error("--version is of one kernel, got all; name a kernel");
  const std::vector<NamedVersion> versions = VersionNames(database).of_kernel(arguments.kernel);
  std::vector<Preset> known;
  for (const NamedVersion& version : versions) known.push_back({version.name, {}, {}, {}});
  KernelSpec kernel;
  kernel.name = arguments.kernel;
  kernel.file = "a sweep or the contract that has results in " + database.path().string();
  const std::string text = join(arguments.versions, ",");
  const std::vector<std::string> wanted =
      parse_versions(text, known, kernel, {fmt::format("--version {}", text), 0, 0});
  std::erase_if(rows, [&](const Database::TrialRow& row) {
    return std::none_of(versions.begin(), versions.end(), [&](const NamedVersion& version) {
      return std::find(wanted.begin(), wanted.end(), version.name) != wanted.end() &&
             is_version(row.trial, version);
    });
  });
}

// Keeps only the entries on the front of each board.
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

// Records the options that selected a header's results and names, so that it can be exported again.
std::string asked_text(const ExportArguments& arguments) {
  nlohmann::ordered_json json;
  json["kernel"] = "$KERNEL";
  json["prefix"] = arguments.prefix;
  json["namespace"] = arguments.name_space;
  if (!arguments.device.empty()) json["device"] = arguments.device;
  if (!arguments.problem.empty()) json["problem"] = arguments.problem;
  if (arguments.run > 0) json["run"] = arguments.run;
  if (!arguments.goal.objectives.empty()) json["objectives"] = arguments.goal.objectives;
  if (!arguments.goal.requirements.empty()) json["requirements"] = arguments.goal.requirements;
  if (arguments.pareto) json["pareto"] = true;
  if (!arguments.versions.empty()) json["versions"] = arguments.versions;
  return c_comment_json(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

ExportArguments read_asked(const std::string& text) {
  ExportArguments arguments;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto take = [&](const char* name, auto& to) {
    if (json.contains(name)) json.at(name).get_to(to);
  };
  try {
    if (!json.is_object()) throw user_error("not what `warpwright export` wrote");
    take("kernel", arguments.kernel);
    take("prefix", arguments.prefix);
    take("namespace", arguments.name_space);
    take("device", arguments.device);
    take("problem", arguments.problem);
    take("run", arguments.run);
    take("objectives", arguments.goal.objectives);
    take("requirements", arguments.goal.requirements);
    take("pareto", arguments.pareto);
    take("versions", arguments.versions);
  } catch (const nlohmann::json::exception&) {
    throw user_error("the line `export:` is not what `warpwright export` wrote");
  }
  return arguments;
}

ExportRequest make_request(const ExportArguments& arguments, const Database& database) {
  Database::TrialFilter filter = make_filter(arguments, database);
  const auto rows_of = [&] {
    std::vector<Database::TrialRow> rows = database.trials(filter);
    std::erase_if(rows, [&](const Database::TrialRow& row) {
      return !has_words(row.trial.problem_text, arguments.problem);
    });
    keep_versions(arguments, database, rows);
    return rows;
  };
  const PeaksByDevice peaks = read_peaks(database);
  ExportRequest request{
      .database = database,
      .kernel = arguments.kernel == "all" ? "" : arguments.kernel,
      .boards = make_leaderboards(rows_of(),
                                  database.rankings({.kernel = filter.kernel, .run = filter.run}),
                                  BoardGoals(database, filter.run, arguments.goal), peaks),
      .version = version_text(),
      .prefix = arguments.prefix,
      .name_space = arguments.name_space,
      .asked = asked_text(arguments)};
  if (request.boards.empty()) {
    throw user_error(fmt::format("{}: no trials match; `warpwright show` lists what there is",
                                 database.path().string()));
  }
  if (arguments.pareto) write_fronts_only(request.boards);
  if (arguments.all_trials) {
    filter.newest_per_key = false;
    request.all_trials = rows_of();
    mark_impossible(request.all_trials, peaks);
  }
  return request;
}

bool names_folder(const std::string& output) {
  std::error_code ignored;
  return output.ends_with('/') || fs::is_directory(output, ignored);
}

std::size_t own_files(const std::vector<ExportFile>& files) {
  return static_cast<std::size_t>(std::count_if(
      files.begin(), files.end(), [](const ExportFile& file) { return !file.beside; }));
}

// Writes the files and returns their paths. Several files go into a folder.
std::vector<std::string> write_files(const std::vector<ExportFile>& files,
                                     const std::string& output, const Outputs& outputs,
                                     const OutputKind& kind) {
  const bool folder = names_folder(output);
  if (own_files(files) > 1 && !folder) {
    throw user_error(fmt::format(
        "{} files are to be written ({}, {}{}); name a folder with `-o DIR/`, or choose one with "
        "--device, --problem or a kernel's name",
        own_files(files), files[0].name, files[1].name, own_files(files) > 2 ? ", ..." : ""));
  }
  outputs.require_no_input(output);
  std::error_code why;
  if (folder && !fs::create_directories(output, why) && why)
    throw environment_error(fmt::format("cannot make the folder {}: {}", output, why.message()));
  std::vector<std::string> paths;
  for (const ExportFile& file : files) {
    fs::path path = folder ? fs::path(output) / file.name : fs::path(output);
    if (file.beside) path = folder ? path : fs::path(output).parent_path() / file.name;
    paths.push_back(path.string());
  }
  // Check all paths before the first file is written.
  for (const std::string& path : paths) outputs.require(path, kind);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool packed = paths[i].ends_with(".gz");
    write_output(paths[i], packed ? pack_gzip(files[i].content) : files[i].content);
  }
  return paths;
}

// Where a database has results of several devices and one of them is exported into a folder, its
// files go into a folder below that is named after it, so that exports of several lie side by side.
std::string output_of(const ExportArguments& arguments, const ExportFormat& format,
                      const ExportRequest& request) {
  if (!format.per_device || arguments.device.empty() || !names_folder(arguments.output))
    return arguments.output;
  const std::string& device = request.boards.front().device_name;
  const std::vector<RowId> tried = request.database.tried_devices();
  const auto devices = request.database.devices();
  const bool others = std::any_of(devices.begin(), devices.end(), [&](const auto& other) {
    return other.second.name != device &&
           std::binary_search(tried.begin(), tried.end(), other.first);
  });
  const bool alone =
      std::all_of(request.boards.begin(), request.boards.end(),
                  [&](const Leaderboard& board) { return board.device_name == device; });
  if (!others || !alone) return arguments.output;
  return (fs::path(arguments.output) / device_folder_name(device) / "").string();
}

fs::path export_database(const ExportArguments& arguments, const GlobalOptions& global) {
  return arguments.database.empty() ? find_paths(global.kernel_roots()).default_database()
                                    : fs::path(arguments.database);
}

// Returns the kernels that have a launcher in the folder, in order.
std::vector<std::string> launchers_in(const fs::path& folder) {
  constexpr std::string_view kEnding = "_launcher.cpp";
  std::vector<std::string> kernels;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    if (name.ends_with(kEnding) && name != "warpwright_launcher.cpp")
      kernels.push_back(name.substr(0, name.size() - kEnding.size()));
  }
  std::sort(kernels.begin(), kernels.end());
  return kernels;
}

// Exports again and compares the header and every file next to it: the shared files and, if there
// is one, those of its launcher.
std::vector<HeaderCheck> export_and_compare(const std::string& text, const HeaderOrigin& origin,
                                            const fs::path& file, const fs::path& header) {
  const fs::path folder = header.parent_path();
  std::vector<HeaderCheck> checks;
  try {
    const ExportArguments asked = read_asked(origin.asked);
    const Database database(file, OpenMode::kReadOnly);
    const ExportRequest request = make_request(asked, database);
    const std::vector<std::string> launchers = launchers_in(folder);
    const bool launches =
        std::find(launchers.begin(), launchers.end(), asked.kernel) != launchers.end();
    const std::vector<ExportFile> again =
        launches ? export_launcher(request) : export_header(request);
    checks.push_back(verify_database(text, again.front().content, file.string()));
    for (std::size_t i = 1; i < again.size(); ++i) {
      // One file covers all kernels of the folder.
      const bool of_folder = again[i].name == "CMakeLists.txt";
      checks.push_back(verify_beside(
          folder / again[i].name, of_folder ? launcher_cmake(launchers) : again[i].content,
          of_folder || again[i].name.starts_with("warpwright_") ? "this warpwright"
                                                                : file.string()));
    }
  } catch (const Error& error) {
    checks.push_back({"database", false, error.what()});
  }
  return checks;
}

int verify_export(const ExportArguments& arguments, const GlobalOptions& global) {
  const std::string text = read_file(arguments.verify);
  const std::optional<HeaderOrigin> origin = read_header_origin(text);
  if (!origin) {
    throw user_error(fmt::format(
        "{}: expected a header of `warpwright export --format header`, which says where it comes "
        "from; export again if it is an older one",
        arguments.verify));
  }
  std::vector<HeaderCheck> checks = {verify_intact(*origin), verify_commits(*origin)};
  for (HeaderCheck& check :
       export_and_compare(text, *origin, export_database(arguments, global), arguments.verify))
    checks.push_back(std::move(check));
  checks.push_back(verify_sources(*origin, find_paths(global.kernel_roots()).kernel_roots));
  std::size_t width = 9;
  for (const HeaderCheck& check : checks) width = std::max(width, check.of.size());
  const bool agree = std::all_of(checks.begin(), checks.end(),
                                 [](const HeaderCheck& check) { return check.agrees; });
  nlohmann::json json = {{"file", arguments.verify}, {"agrees", agree}};
  for (const HeaderCheck& check : checks) {
    json["checks"].push_back({{"of", check.of}, {"agrees", check.agrees}, {"says", check.says}});
    if (!global.json)
      fmt::print("{:{}} {:5} {}\n", terminal_line(check.of), width, check.agrees ? "ok" : "WRONG",
                 terminal_line(check.says));
  }
  if (global.json) print_json(json);
  return agree ? 0 : 1;
}

int run(ExportArguments& arguments, const GlobalOptions& global) {
  if (!arguments.verify.empty()) return verify_export(arguments, global);
  if (arguments.kernel.empty() || arguments.format.empty())
    throw user_error("expected KERNEL and --format FORMAT, or --verify FILE");
  const ExportFormat& format = find_format(arguments.format);
  const fs::path source = export_database(arguments, global);
  arguments.outputs.reads(source);
  const Database database(source, OpenMode::kReadOnly);
  const ExportRequest request = make_request(arguments, database);
  const std::vector<ExportFile> files = format.write(request);
  if (arguments.output.empty() && own_files(files) == 1 && !global.json) {
    fmt::print("{}", files.front().content);
    return 0;
  }
  if (arguments.output.empty() && global.json)
    throw user_error("--json says which files were written; name one with -o PATH");
  const std::vector<std::string> paths =
      write_files(files, output_of(arguments, format, request), arguments.outputs, format.output);
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
      ->type_name("KERNEL|all");
  verb->add_option("--format", arguments->format, format_help())->type_name("FORMAT");
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
  verb->add_option("--prefix", arguments->prefix,
                   "The prefix of all names in a header, before the kernel's; `ww_`")
      ->type_name("NAME");
  verb->add_option("--namespace", arguments->name_space,
                   "The C++ namespace of a header, such as acme::tuned; none")
      ->type_name("NAME");
  verb->add_option("--verify", arguments->verify,
                   "Say whether this header, the files next to it, the database and the kernels' "
                   "sources agree")
      ->type_name("FILE");
  add_version_option(*verb, arguments->versions, "Only these named versions");
  CLI::Option* all = verb->add_flag("--all-trials", arguments->all_trials,
                                    "Every trial that was stored, also repeated and outdated ones");
  add_goal_options(*verb, arguments->goal.objectives, arguments->goal.requirements,
                   "instead of what the sweep was after");
  verb->add_flag("--pareto", arguments->pareto,
                 "Only the configurations on the front of several objectives")
      ->excludes(all);
  arguments->outputs.add_option(*verb);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kExportExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
