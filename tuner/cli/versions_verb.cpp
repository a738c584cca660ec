// Implements `warpwright versions`: sweeps the named versions of a kernel, and its baseline, and
// prints one table of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/board/board_additions.h"
#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"
#include "analysis/board/version_names.h"
#include "analysis/compare/version_table.h"
#include "bench/bench_case.h"
#include "cli/device_claim.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/sweep_report.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "metrics/peaks.h"
#include "output/json/versions_json.h"
#include "output/text/limit_text.h"
#include "output/text/versions_text.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"
#include "spec/versions.h"
#include "store/database.h"
#include "sweep/sweep.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVersionsExample =
    "Examples:\n"
    "  warpwright versions attention_prefill                   all of them, on a GPU if there is "
    "one\n"
    "  warpwright versions attention_prefill --version V0..V4 --device emu:sm_90a\n"
    "  warpwright versions attention_prefill --problem \"heads=32 kv_heads=32 q_len=8192 "
    "kv_len=8192\"\n"
    "  warpwright versions square --kernels my_kernels --config square.yaml --json\n"
    "Sweeps the `presets` of the contract, and those of the sweep, over the problems of\n"
    "configs/KERNEL.yaml, or else of the first sweep of configs/ that is of the kernel; on an\n"
    "emulated device over its `emulated` ones, and times are modelled. What the database holds is\n"
    "not measured again. `warpwright show KERNEL --versions` prints the table again.\n"
    "Exit code 0 when a version was timed, 1 when none passed, 2 on bad input.\n";

struct VersionsArguments {
  DeviceClaim claim;
  std::string kernel, config, database;
  std::vector<std::string> problems, versions, overrides;
  SweepOptions options;
};

// The sweep that names the problems: the given one, configs/KERNEL.yaml, or the first of configs/
// that is of the kernel.
std::optional<fs::path> find_sweep(const VersionsArguments& arguments, const Paths& paths,
                                   const GlobalOptions& global) {
  if (!arguments.config.empty()) return config_file(arguments.config, global);
  const fs::path folder = paths.home / "configs";
  const fs::path usual = folder / (arguments.kernel + ".yaml");
  std::error_code ignored;
  if (fs::is_regular_file(usual, ignored)) return usual;
  std::set<fs::path> files;
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored))
    if (it->path().extension() == ".yaml") files.insert(it->path());
  for (const fs::path& file : files)
    if (read_sweep(file).kernel == arguments.kernel) return file;
  return std::nullopt;
}

// A value as a sweep's YAML has it.
std::string yaml_value(const Value& value) {
  return value.is_string() ? nlohmann::json(value.as_string()).dump() : value.to_string();
}

std::string yaml_map(const std::map<std::string, Value>& values) {
  std::vector<std::string> words;
  for (const auto& [name, value] : values)
    words.push_back(fmt::format("{}: {}", name, yaml_value(value)));
  return "{" + join(words) + "}";
}

std::string yaml_problems(const char* key, const std::vector<ProblemChoice>& problems) {
  if (problems.empty()) return "";
  std::string text = fmt::format("{}:\n", key);
  for (const ProblemChoice& problem : problems) text += "  - " + yaml_map(problem.sizes) + "\n";
  return text;
}

// A name that no version has, for the baseline among the presets.
std::string baseline_name(const SweepSpec& sweep, const KernelSpec& kernel) {
  std::string name = "baseline";
  while (find_version(sweep, &kernel, name) != nullptr) name += "_";
  return name;
}

// The sweep that is run, as a file would have it, and the rows of its table in order.
struct VersionSweep {
  std::string text;
  std::vector<std::string> names;    // of presets
  std::vector<std::string> titles;   // of rows, parallel to `names`
  std::vector<std::string> changes;  // "V4 with STAGES=3 (V4 has 2)"
};

// The presets of a sweep are completed as the sweep would do it, by its space and the contract, and
// its constraints are left out: they are about its free space.
VersionSweep make_version_sweep(const VersionsArguments& arguments, const KernelSpec& kernel,
                                SweepSpec sweep) {
  VersionSweep made;
  const SweepSpec before = sweep;
  const std::vector<Preset> known = known_versions(kernel, sweep);
  std::string wanted = join(arguments.versions, ",");
  if (wanted.empty()) {
    if (known.empty()) (void)parse_versions("", known, kernel, {});
    for (const Preset& preset : known) wanted += (wanted.empty() ? "" : ",") + preset.name;
  }
  std::vector<std::string> assignments = assignment_words(arguments.overrides);
  assignments.push_back("version=" + wanted);
  made.changes = apply_overrides(sweep, kernel, assignments);
  std::string presets;
  for (const std::string& name : sweep.versions) {
    const std::vector<NamedVersion> all = named_versions(&sweep, &kernel);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const NamedVersion& one) { return one.name == name; });
    WARPWRIGHT_CHECK(found != all.end(), "a selected version is known");
    const NamedVersion& version = *found;
    const auto change =
        std::find_if(made.changes.begin(), made.changes.end(),
                     [&](const std::string& line) { return line.starts_with(name + " with "); });
    const std::string title =
        change == made.changes.end() ? name : change->substr(0, change->find(" ("));
    for (const std::string& variant : version.variants) {
      std::map<std::string, Value> values = version.values;
      for (const std::string& parameter : kernel.find_variant(variant)->parameters)
        if (const auto other = version.others.find(parameter); other != version.others.end())
          values.insert(*other);
      values["variant"] = variant;
      made.titles.push_back(version.variants.size() == 1 ? title : title + " of " + variant);
      // The name is stored, and a changed version must not be stored under the name of another.
      made.names.push_back(stored_version_name(made.titles.back()));
      presets += fmt::format("  {}: {}\n", made.names.back(), yaml_map(values));
    }
  }
  if (!kernel.baseline.empty()) {
    const std::string name = baseline_name(before, kernel);
    Configuration defaults = default_configuration(kernel, *kernel.find_variant(kernel.baseline));
    defaults.values["variant"] = kernel.baseline;
    presets += fmt::format("  {}: {}\n", name, yaml_map(defaults.values));
    made.names.push_back(name);
    made.titles.push_back(kernel.baseline + " (baseline)");
  }
  made.text = fmt::format("kernel: {}\n{}{}presets:\n{}version: [{}]\n", kernel.name,
                          yaml_problems("problems", sweep.problems),
                          yaml_problems("emulated", sweep.emulated), presets, join(made.names));
  return made;
}

SweepSpec read_problems_of(const VersionsArguments& arguments, const KernelSpec& kernel,
                           const std::optional<fs::path>& file) {
  SweepSpec sweep;
  sweep.kernel = kernel.name;
  if (file) {
    sweep = read_sweep(*file);
    check_sweep(sweep, kernel);
  }
  if (!arguments.problems.empty()) {
    sweep.problems.clear();
    sweep.emulated.clear();
    for (const std::string& text : arguments.problems)
      sweep.problems.push_back({parse_problem(kernel, text), {}, {}});
  }
  if (sweep.problems.empty()) {
    std::vector<std::string> sizes;
    for (const ProblemSizeSpec& size : kernel.problem)
      if (!size.default_value) sizes.push_back(size.name + "=...");
    throw user_error(fmt::format(
        "kernel '{}': no sweep of it in configs/, so no problem is known; name one: --problem "
        "\"{}\", or a sweep: --config FILE",
        kernel.name, join(sizes, " ")));
  }
  return sweep;
}

// The tables of the swept boards, with the versions ranked among themselves.
std::vector<VersionTable> tables_of(const SweepSummary& summary, const VersionSweep& made,
                                    const KernelSpec& kernel, const std::string& name) {
  const Database database(summary.database, OpenMode::kReadOnly);
  const SweepSpec sweep = parse_sweep(made.text, name, OtherVersions::kKeep);
  std::vector<NamedVersion> all = named_versions(&sweep, &kernel), versions;
  for (std::size_t i = 0; i < made.names.size(); ++i) {
    for (NamedVersion& version : all) {
      if (version.name != made.names[i]) continue;
      versions.push_back(version);
      versions.back().name = made.titles[i];
    }
  }
  std::set<std::pair<std::string, std::string>> wanted;
  for (const SweepBoard& board : summary.boards)
    wanted.insert({board.device.fingerprint(), board.problem_text});
  std::vector<Database::TrialRow> rows = database.trials({.kernel = kernel.name});
  std::erase_if(rows, [&](const Database::TrialRow& row) {
    return !wanted.contains({row.device_fingerprint, row.trial.problem_text}) ||
           std::none_of(versions.begin(), versions.end(), [&](const NamedVersion& version) {
             return is_version(row.trial, version);
           });
  });
  std::vector<Leaderboard> own =
      make_leaderboards(rows, database.rankings({.kernel = kernel.name}), {}, read_peaks(database));
  add_limits(own, read_roofs(database));
  return make_version_tables(name, versions, own, swept_boards(summary));
}

int run(VersionsArguments& arguments, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  const KernelSpec kernel = read_kernel(find_kernel_file(paths, arguments.kernel));
  const std::optional<fs::path> file = find_sweep(arguments, paths, global);
  const SweepSpec sweep = read_problems_of(arguments, kernel, file);
  const VersionSweep made = make_version_sweep(arguments, kernel, sweep);
  SweepOptions& options = arguments.options;
  options.added = sweep.added;
  if (!options.hazards) options.hazards = sweep.hazards;
  options.config = file && arguments.problems.empty() ? *file : kernel.file;
  options.config_text = made.text;
  options.database = arguments.database;
  options.skip_impossible = true;
  options.screening = false;  // every version is to have a time
  options.command_line = global.command_line;
  options.version = version_text();
  options.nodes = global.nodes;
  options.claim = [&](const std::vector<DeviceInfo>& devices, const WorkerNode* node) {
    arguments.claim.take(devices, global, node);
  };
  for (const std::string& line : made.changes)
    print_message(global, fmt::format("warpwright: {}\n", line));
  const SweepSummary summary = run_sweep(options, paths);
  const std::vector<VersionTable> tables =
      tables_of(summary, made, kernel, options.config.string());
  if (global.json) {
    print_json(versions_json(tables));
  } else {
    for (const VersionTable& table : tables)
      print_text(global,
                 (&table == &tables.front() ? "" : "\n") + versions_text(table, text_screen()));
    for (const SweepBoard& board : summary.skipped)
      print_text(global, fmt::format("{} on {}: no version can run there\n", board.problem_text,
                                     board.device.id));
    if (tables.empty())
      print_text(global, fmt::format("no version has a time; `warpwright show {} --why` says why\n",
                                     kernel.name));
  }
  if (summary.ended == RunEnd::kInterrupted) return 130;
  return tables.empty() ? 1 : 0;
}

}  // namespace

void add_versions_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "versions", "Time the named versions of a kernel, and show them in a table");
  auto arguments = std::make_shared<VersionsArguments>();
  verb->add_option("kernel", arguments->kernel, "A kernel's name")->required()->type_name("KERNEL");
  verb->add_option("--device", arguments->options.device, "auto, cuda:0 or emu:sm_90a")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--problem", arguments->problems,
                   "This problem instead of the sweep's: \"rows=8192 V=50257\"; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  verb->add_option("--config", arguments->config,
                   "The problems and presets of this sweep instead of configs/KERNEL.yaml")
      ->type_name("CONFIG");
  add_version_option(*verb, arguments->versions, "Only these");
  verb->add_option("--set", arguments->overrides,
                   "Change a parameter of the versions, or a size: \"STAGES=3\"; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_flag("--fresh", arguments->options.fresh,
                 "Measure again what the database already holds");
  verb->add_option("--seed", arguments->options.seed, "The seed of inputs")
      ->check(whole_number())
      ->capture_default_str();
  add_hazards_option(*verb, arguments->options.hazards);
  verb->add_option("--compile-workers", arguments->options.compile_workers,
                   "Compiler processes; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--emulator-workers", arguments->options.emulator_slots,
                   "Processes that share an emulated device; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  arguments->claim.add_option(*verb);
  verb->add_flag("--quiet", arguments->options.quiet, "No progress on stderr");
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kVersionsExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
