// Implements `warpwright repro`: extracts one stored trial.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "sweep/repro.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kReproExample =
    "Examples:\n"
    "  warpwright repro 7                     folder repro-7: sources, sweep, run.sh\n"
    "  warpwright repro 7 -o bug --run        and run it; exit code 0 when it ends as stored\n"
    "  warpwright repro 7 --run --sanitize    under compute-sanitizer\n"
    "`warpwright show` prints the numbers of trials. The folder holds the sources as they were.\n";

struct ReproArguments {
  RowId trial = 0;
  std::string database;
  std::string folder;
  std::string device;
  bool run = false;
  bool sanitize = false;
};

std::string comparison(const Repro& repro, const ReproResult& result) {
  const std::string_view stored = status_name(repro.row.trial.status);
  const std::string_view got = status_name(result.status);
  std::string text = result.agrees ? fmt::format("agrees: {}, stored as {}\n", got, stored)
                                   : fmt::format("differs: got {}, stored as {}\n", got, stored);
  if (!result.reason.empty()) text += result.reason + "\n";
  if (!result.same_sources) {
    text +=
        "its sources hash differently: this warpwright is not the one that stored the trial, or "
        "a file in the folder was edited\n";
  }
  return text;
}

// Describes the content of the folder, and the additions that it needs before it runs.
std::string contents(const Repro& repro) {
  const std::string folder = repro.folder.string();
  if (repro.inputs_left_out.empty())
    return fmt::format("{0}/ holds all that it takes; run it with {0}/run.sh\n", folder);
  return fmt::format(
      "{0}/ holds all that it takes but {1}, too large to be stored: put what is missing there, "
      "then run it with {0}/run.sh\n",
      folder, fmt::join(repro.inputs_left_out, " and "));
}

int run(const ReproArguments& arguments, const GlobalOptions& global) {
  if (arguments.sanitize && !arguments.run)
    throw user_error("--sanitize belongs to --run; later, `run.sh --sanitize` does the same");
  const std::filesystem::path file = arguments.database.empty()
                                         ? find_paths(global.kernel_roots()).default_database()
                                         : std::filesystem::path(arguments.database);
  const std::filesystem::path folder =
      arguments.folder.empty() ? fmt::format("repro-{}", arguments.trial) : arguments.folder;
  const Repro repro =
      write_repro(Database(file, OpenMode::kReadOnly), arguments.trial, folder, arguments.device);
  const TrialRecord& trial = repro.row.trial;
  nlohmann::json json = {{"trial", trial.id},
                         {"folder", repro.folder.string()},
                         {"configuration_text", trial.configuration_text},
                         {"device", repro.device},
                         {"stored_status", status_name(trial.status)},
                         {"inputs_left_out", repro.inputs_left_out},
                         {"run", nullptr}};
  if (!global.json) {
    print_text(global, fmt::format("trial {}: {} {} on {}, {}\n{}", trial.id, repro.row.kernel_name,
                                   trial.configuration_text, trial.problem_text,
                                   status_name(trial.status), contents(repro)));
    std::fflush(stdout);
  }
  bool agrees = true;
  if (arguments.run) {
    const ReproResult result = run_repro(repro, arguments.sanitize, global.json);
    agrees = result.agrees;
    json["run"] = {{"status", status_name(result.status)},
                   {"reason", result.reason},
                   {"agrees", result.agrees},
                   {"same_sources", result.same_sources}};
    if (!global.json) print_text(global, comparison(repro, result));
  }
  if (global.json) print_json(json);
  return agrees ? 0 : 1;
}

}  // namespace

void add_repro_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("repro", "A folder that runs one stored trial alone");
  auto arguments = std::make_shared<ReproArguments>();
  verb->add_option("trial", arguments->trial, "The trial's number")->type_name("TRIAL")->required();
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("-o,--output", arguments->folder, "The new folder instead of repro-TRIAL")
      ->type_name("DIR");
  verb->add_option("--device", arguments->device, "Run on this device instead of the trial's own")
      ->type_name("DEVICE");
  verb->add_flag("--run", arguments->run, "Run it at once and compare with what was stored");
  verb->add_flag("--sanitize", arguments->sanitize, "With --run: under compute-sanitizer");
  add_common_options(*verb, context);
  verb->footer(kReproExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
