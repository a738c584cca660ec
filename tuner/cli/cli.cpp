#include "cli/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <system_error>

#include "cli/completion_verb.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/file_bounds.h"
#include "core/notices.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "spec/added_options.h"
#include "terminal/screen.h"
#include "workers/paths.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

constexpr const char* kFooter =
    "Start here:\n"
    "  warpwright sweep configs/softmax_topk_quick.yaml     tune, on a GPU or on the emulator\n"
    "  warpwright show                                      what has been found so far\n"
    "  warpwright VERB --help                               options and an example of each verb\n";

// CLI11 says "The following argument was not expected: swep"; suggest the verb that was meant
// instead.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) {  // --help and --version
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    fmt::print("{}", for_screen(out.str(), screen_of(stdout)));
    return code;
  }
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!verb->get_group().empty()) verbs.push_back(verb->get_name());
  const bool unknown_verb = argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
  if (unknown_verb) {
    print_error("warpwright: unknown verb '{}'{}\n", argv[1], suggestion(argv[1], verbs));
  } else {
    const auto chosen = app.get_subcommands();
    print_error("warpwright: {}; see `warpwright{} --help`\n", error.what(),
                chosen.empty() ? "" : " " + chosen.front()->get_name());
  }
  return 2;
}

// Removes `--` before options that a verb passes on, because CLI11 would take it for the end of the
// verb.
int without_separator(int argc, char** argv) {
  if (argc <= 2 || std::string_view(argv[1]) != "bench") return argc;
  char** end = std::remove_if(argv + 2, argv + argc,
                              [](const char* word) { return std::string_view(word) == "--"; });
  return static_cast<int>(end - argv);
}

}  // namespace

std::filesystem::path config_file(const std::string& given, const GlobalOptions& global) {
  // A bare search space needs no home folder.
  const std::filesystem::path file = given;
  if (file.is_absolute() || std::filesystem::exists(file)) return file;
  const std::filesystem::path shipped = find_paths(global.kernel_roots()).home / file;
  // If the file is in neither place, the reader reports the name that was typed.
  return std::filesystem::is_regular_file(shipped) ? shipped : file;
}

void add_common_options(CLI::App& verb, const VerbContext& context) {
  verb.add_flag("--json", context.global.json, "Print JSON for machines instead of a table");
  verb.add_option("--kernels", context.global.kernel_folders,
                  "Folder of further kernel folders, outside the repository; may be repeated")
      ->type_name("DIR");
  // As in other tools, the last of a repeated option wins; lists such as --set accumulate.
  for (CLI::Option* option : verb.get_options()) {
    if (option->get_items_expected_max() == 1) option->take_last();
  }
}

void add_hazards_option(CLI::App& verb, std::optional<HazardPolicy>& hazards) {
  const CLI::Validator known(
      [](std::string& name) {
        return find_hazard_policy(name) ? std::string() : unknown_hazard_policy(name);
      },
      "");
  verb.add_option_function<std::string>(
          "--hazards", [&hazards](const std::string& name) { hazards = find_hazard_policy(name); },
          "What findings of the emulator's checkers mean: reject, as for kernels of the "
          "repository, "
          "or warn, as for others")
      ->type_name("{reject,warn}")
      ->check(known);
}

void add_strict_option(CLI::App& verb, bool& strict) {
  verb.add_flag("--strict", strict,
                "What a contract leaves untested is an error instead of a warning, as for "
                "contracts that say `strict: true`");
}

AddedOptions AddedArguments::parse() const {
  AddedOptions added = parse_added(options, include);
  for (const std::filesystem::path& folder : added.include) trust_folder(folder);
  return added;
}

void add_goal_options(CLI::App& verb, std::vector<std::string>& objectives,
                      std::vector<std::string>& requirements, const std::string& instead) {
  verb.add_option("--objective", objectives,
                  "What to rank by, " + instead +
                      ": time, energy, edp, an expression of metrics, \"maximize: gflops\"; "
                      "several times for a Pareto front")
      ->type_name("OBJECTIVE")
      ->allow_extra_args(false);
  verb.add_option("--require", requirements,
                  "What may win, " + instead + ": \"registers <= 128\"; may be repeated")
      ->type_name("CONDITION")
      ->allow_extra_args(false);
}

void add_version_option(CLI::App& verb, std::vector<std::string>& versions,
                        const std::string& what) {
  verb.add_option(
          "--version", versions,
          what + ": V4, a list V0,H0 or a range V0..V4 (`presets` of a contract or a sweep)")
      ->type_name("VERSIONS")
      ->allow_extra_args(false);
}

void add_trust_option(CLI::App& verb) {
  verb.add_flag_callback(
      "--trust-includes", [] { trust_all_files(true); },
      "Let sources, headers and inputs be read from anywhere, also through symbolic links");
}

void add_compiling_options(CLI::App& verb, AddedArguments& added) {
  verb.add_option("-I,--include", added.include,
                  "A folder of headers in addition to the contract's; may be repeated")
      ->type_name("DIR")
      ->allow_extra_args(false);
  verb.add_option("--option", added.options,
                  "An option of NVRTC in addition to the contract's: --option=--use_fast_math; may "
                  "be repeated")
      ->type_name("OPTION")
      ->allow_extra_args(false);
}

void add_worker_options(CLI::App& verb, WorkerOptions& workers) {
  add_hazards_option(verb, workers.hazards);
  add_strict_option(verb, workers.strict);
  verb.add_option("--seed", workers.seed, "The seed of inputs")
      ->check(whole_number())
      ->capture_default_str();
  verb.add_option("--compile-workers", workers.compile_workers,
                  "Compiler processes; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb.add_option("--emulator-workers", workers.emulator_workers,
                  "Processes that share an emulated device; 0 is one per core")
      ->check(CLI::Range(0, 1024));
}

std::string version_text() { return fmt::format("warpwright {}", WARPWRIGHT_VERSION); }

bool stdout_takes_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

namespace {

// Output may still be buffered, so a full disk is noticed only here.
int with_output_written(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  throw std::system_error(errno, std::generic_category());
}

int run_verb(int argc, char** argv, GlobalOptions& global) {
  for (int i = 0; i < argc; ++i) global.command_line += (i == 0 ? "" : " ") + std::string(argv[i]);
  std::function<int()> action;
  const VerbContext context{global, action};

  CLI::App app{
      "Warpwright tunes CUDA kernels: compiles a search space, validates every configuration, "
      "times it, "
      "remembers it."};
  app.name("warpwright");
  app.set_version_flag("--version", version_text());
  app.footer(kFooter);
  app.require_subcommand(1);
  add_sweep_verb(app, context);
  add_show_verb(app, context);
  add_report_verb(app, context);
  add_compare_verb(app, context);
  add_repro_verb(app, context);
  add_import_verb(app, context);
  add_merge_verb(app, context);
  add_export_verb(app, context);
  add_space_verb(app, context);
  add_kernels_verb(app, context);
  add_devices_verb(app, context);
  add_doctor_verb(app, context);
  add_salvage_verb(app, context);
  add_calibrate_verb(app, context);
  add_gpu_verb(app, context);
  add_selftest_verb(app, context);
  add_replay_verb(app, context);
  add_bench_verb(app, context);
  add_model_verb(app, context);
  add_profile_verb(app, context);
  add_describe_verb(app, context);
  add_account_verb(app, context);
  add_baseline_verb(app, context);
  add_check_verb(app, context);
  add_vet_verb(app, context);
  add_versions_verb(app, context);
  add_completion_verb(app, context);
  add_worker_verb(app, context);
  if (argc <= 1) {
    print_text(app.help());
    return 0;
  }
  if (argv[1] == std::string_view(kCompleteWord)) {
    print_completion(complete_words(app, {argv + 2, argv + argc}));
    return 0;
  }
  try {
    app.parse(without_separator(argc, argv), argv);
    global.given = GivenOptions(app);
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error, argc, argv);
  }
  return action();
}

int run_caught(int argc, char** argv, GlobalOptions& global) {
  try {
    return with_output_written(run_verb(argc, argv, global));
  } catch (const Error& error) {
    print_message(global, fmt::format("warpwright: {}\n", error.what()));
    return error.exit_code();
  } catch (const std::filesystem::filesystem_error& error) {
    print_message(global,
                  fmt::format("warpwright: cannot use {}: {}; check the place and its permissions, "
                              "and whether the disk is full\n",
                              terminal_line(error.path1().string()), error.code().message()));
    return environment_error("").exit_code();
  } catch (const std::system_error& error) {
    // Printing fails with such an exception, and hardly anything else does that has no Error of its
    // own.
    std::fputs(
        fmt::format("warpwright: cannot write the output: {}\n", error.code().message()).c_str(),
        stderr);
    return environment_error("").exit_code();
  } catch (const std::exception& error) {
    print_message(global,
                  fmt::format("warpwright: unexpected: {}; please report this with the command "
                              "line\n",
                              error.what()));
    return 3;
  }
}

}  // namespace

int run_cli(int argc, char** argv, WorkerNodes* nodes) {
  GlobalOptions global;
  global.nodes = nodes;
  const int code = run_caught(argc, argv, global);
  for (const std::string& line : take_notices())
    print_message(global, fmt::format("warpwright: note: {}\n", line));
  return code;
}

}  // namespace warpwright
