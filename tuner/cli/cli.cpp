#include "cli/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/verb.h"
#include "core/error.h"
#include "core/suggest.h"

namespace warpwright {
namespace {

constexpr const char* kFooter =
    "Start here:\n"
    "  warpwright sweep configs/softmax_topk_quick.yaml     tune, on a GPU or on the emulator\n"
    "  warpwright show                                      what has been found so far\n"
    "  warpwright VERB --help                               options and an example of each verb\n";

// CLI11 says "The following argument was not expected: swep"; a reader wants the verb that was
// meant.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!verb->get_group().empty()) verbs.push_back(verb->get_name());
  const bool unknown_verb = argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty();
  if (unknown_verb) {
    fmt::print(stderr, "warpwright: unknown verb '{}'{}\n", argv[1], suggestion(argv[1], verbs));
  } else {
    const auto chosen = app.get_subcommands();
    fmt::print(stderr, "warpwright: {}; see `warpwright{} --help`\n", error.what(),
               chosen.empty() ? "" : " " + chosen.front()->get_name());
  }
  return 2;
}

// `--` before options that a verb hands on: CLI11 would take it for the end of the verb.
int without_separator(int argc, char** argv) {
  if (argc <= 2 || std::string_view(argv[1]) != "bench") return argc;
  char** end = std::remove_if(argv + 2, argv + argc,
                              [](const char* word) { return std::string_view(word) == "--"; });
  return static_cast<int>(end - argv);
}

}  // namespace

void add_common_options(CLI::App& verb, const VerbContext& context) {
  verb.add_flag("--json", context.global.json, "Print JSON for machines instead of a table");
  verb.add_option("--kernels", context.global.kernel_folders,
                  "Folder of further kernel folders, outside the repository; may be repeated")
      ->type_name("DIR");
  // As in other tools, the last of a repeated option wins; lists such as --set collect.
  for (CLI::Option* option : verb.get_options()) {
    if (option->get_items_expected_max() == 1) option->take_last();
  }
}

std::string version_text() { return fmt::format("warpwright {}", WARPWRIGHT_VERSION); }

bool stdout_takes_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

int run_cli(int argc, char** argv) {
  GlobalOptions global;
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
  add_selftest_verb(app, context);
  add_bench_verb(app, context);
  add_model_verb(app, context);
  add_profile_verb(app, context);
  add_baseline_verb(app, context);
  add_check_verb(app, context);
  add_vet_verb(app, context);
  add_worker_verb(app, context);
  if (argc <= 1) {
    fmt::print("{}", app.help());
    return 0;
  }
  try {
    app.parse(without_separator(argc, argv), argv);
    return action();
  } catch (const CLI::ParseError& error) {
    return report_parse_error(app, error, argc, argv);
  } catch (const Error& error) {
    // Not fmt::print, which throws when stderr goes to a disk that is full.
    std::fputs(fmt::format("warpwright: {}\n", error.what()).c_str(), stderr);
    return error.exit_code();
  } catch (const std::exception& error) {
    std::fputs(fmt::format("warpwright: unexpected: {}; please report this with the command line\n",
                           error.what())
                   .c_str(),
               stderr);
    return 3;
  }
}

}  // namespace warpwright
