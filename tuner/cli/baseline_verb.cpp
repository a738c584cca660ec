// warpwright baseline: what kernels are now, to be held against later ones.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "gate/make_baseline.h"

namespace warpwright {
namespace {

constexpr const char* kExample =
    "Examples:\n"
    "  warpwright baseline configs/swiglu.yaml -o baselines/swiglu     its defaults, counted only\n"
    "  warpwright baseline swiglu geglu -o baselines/glu               winners of the database\n"
    "  warpwright baseline configs/swiglu.yaml --db h200.db -o baselines/swiglu\n"
    "Then, whenever the kernels change: warpwright check baselines/swiglu\n"
    "A baseline is a text and the sources; keep it in git. Making it again replaces it as a "
    "whole,\n"
    "and the difference shows what a change has moved.\n";

int run(BaselineOptions& options, const GlobalOptions& global) {
  // The same words give the same text wherever the program lies.
  options.command = "warpwright baseline";
  for (const std::string& what : options.what) options.command += " " + what;
  const MadeBaseline made = make_baseline(options, find_paths(global.kernel_roots()));
  for (const std::string& note : made.notes) fmt::print(stderr, "warpwright: note: {}\n", note);
  const Baseline& baseline = made.baseline;
  if (global.json) {
    nlohmann::json json = {{"baseline", options.folder.string()},
                           {"entries", baseline.entries.size()},
                           {"sources", baseline.sources.size()},
                           {"arch", baseline.arch},
                           {"nvrtc", baseline.nvrtc},
                           {"notes", made.notes}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{} {} and {} sources in {}; hold kernels against it with `warpwright check {}`\n",
               baseline.entries.size(), baseline.entries.size() == 1 ? "entry" : "entries",
               baseline.sources.size(), options.folder.string(), options.folder.string());
  }
  return 0;
}

}  // namespace

void add_baseline_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "baseline", "Keep what kernels are now, for `check` to hold later ones against");
  auto options = std::make_shared<BaselineOptions>();
  verb->add_option("what", options->what, "Sweeps (YAML files) or kernels that have results")
      ->required()
      ->type_name("CONFIG|KERNEL");
  verb->add_option("-o,--output", options->folder, "Folder to make, or a baseline to replace")
      ->required()
      ->type_name("DIR");
  verb->add_option("--db", options->database,
                   "Take the winners of this database, of sweeps as well")
      ->type_name("FILE");
  verb->add_option("--device", options->device, "The emulated device whose counts are recorded")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "Of inputs")->capture_default_str();
  verb->add_option("--compile-workers", options->compile_workers,
                   "Compiler processes; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--emulator-workers", options->emulator_workers,
                   "Processes that share an emulated device; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--quiet", options->quiet, "No progress on stderr");
  add_common_options(*verb, context);
  verb->footer(kExample);
  verb->callback([options, context] {
    GlobalOptions& global = context.global;
    context.action = [options, &global] { return run(*options, global); };
  });
}

}  // namespace warpwright
