// Implements `warpwright baseline`: records the current kernels, to check later ones against them.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/baseline.h"
#include "check/make_baseline.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/escape.h"

namespace warpwright {
namespace {

constexpr const char* kBaselineExample =
    "Examples:\n"
    "  warpwright baseline configs/gated_activation.yaml -o baselines/gated   defaults, counted\n"
    "  warpwright baseline gated_activation softmax_topk -o baselines/all     winners, from the "
    "database\n"
    "  warpwright baseline configs/gated_activation.yaml --emulated --brief -o baselines/gated\n"
    "  warpwright baseline configs/gated_activation.yaml --db h200.db -o baselines/gated\n"
    "Then, whenever the kernels change: warpwright check baselines/gated\n"
    "A baseline is a text and the sources; keep it in git. Making it again replaces it as a "
    "whole,\n"
    "and the difference shows what a change has moved.\n";

int run(BaselineOptions& options, Outputs& outputs, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  outputs.reads(options.what);
  outputs.reads(options.database);
  for (const std::filesystem::path& root : paths.kernel_roots) outputs.reads(root);
  outputs.require(options.folder / kBaselineFile, kBaselineOutput);
  // The folder is replaced as a whole.
  outputs.require_no_input(options.folder / "kernels");
  // The same arguments give the same text wherever the program is installed.
  options.command = "warpwright baseline";
  for (const std::string& what : options.what) options.command += " " + what;
  if (options.part == SweepPart::kEmulated) options.command += " --emulated";
  if (options.part == SweepPart::kBrief) options.command += " --emulated --brief";
  const MadeBaseline made = make_baseline(options, paths);
  for (const std::string& note : made.notes)
    print_message(global, fmt::format("warpwright: note: {}\n", note));
  const Baseline& baseline = made.baseline;
  if (global.json) {
    nlohmann::json json = {{"baseline", options.folder.string()},
                           {"entries", baseline.entries.size()},
                           {"sources", baseline.sources.size()},
                           {"arch", baseline.arch},
                           {"nvrtc", baseline.nvrtc},
                           {"notes", made.notes}};
    print_json(json);
  } else {
    print_text(
        global,
        fmt::format(
            "{} {} and {} sources in {}; hold kernels against it with `warpwright check {}`\n",
            baseline.entries.size(), baseline.entries.size() == 1 ? "entry" : "entries",
            baseline.sources.size(), options.folder.string(), shell_word(options.folder.string())));
  }
  return 0;
}

}  // namespace

void add_baseline_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "baseline", "Record the kernels as they are now, for `check` to compare later ones with");
  auto options = std::make_shared<BaselineOptions>();
  auto outputs = std::make_shared<Outputs>();
  verb->add_option("what", options->what, "Sweeps (YAML files) or kernels that have results")
      ->required()
      ->type_name("CONFIG|KERNEL");
  verb->add_option("-o,--output", options->folder, "Folder to make, or a baseline to replace")
      ->required()
      ->type_name("DIR");
  verb->add_option("--db", options->database,
                   "Take the winners of this database, of sweeps as well")
      ->type_name("FILE");
  auto emulated = std::make_shared<bool>(false);
  auto brief = std::make_shared<bool>(false);
  CLI::Option* of_emulated = verb->add_flag(
      "--emulated", *emulated,
      "Record the sweeps' emulated problems instead of their problems: a small text, for "
      "a gate without a GPU");
  verb->add_flag("--brief", *brief,
                 "Only the first configuration of each variant, on the first emulated problem that "
                 "it can run: for a gate that takes seconds")
      ->needs(of_emulated);
  verb->add_option("--device", options->device, "The emulated device whose counts are recorded")
      ->type_name("DEVICE")
      ->capture_default_str();
  add_worker_options(*verb, options->workers);
  verb->add_flag("--quiet", options->quiet, "No progress on stderr");
  outputs->add_option(*verb);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kBaselineExample);
  verb->callback([options, outputs, emulated, brief, context] {
    if (*emulated) options->part = *brief ? SweepPart::kBrief : SweepPart::kEmulated;
    GlobalOptions& global = context.global;
    context.action = [options, outputs, &global] { return run(*options, *outputs, global); };
  });
}

}  // namespace warpwright
