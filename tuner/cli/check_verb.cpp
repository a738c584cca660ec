// Implements `warpwright check`: the regression gate.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/check.h"
#include "check/texts/check_ci.h"
#include "check/texts/check_text.h"
#include "cli/device_claim.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/files.h"

namespace warpwright {
namespace {

constexpr const char* kCheckExample =
    "Examples:\n"
    "  warpwright check baselines/gated                        on a GPU: races; else: counts\n"
    "  warpwright check baselines/gated --device emu:sm_90a --github --junit check.xml\n"
    "  warpwright check baselines/gated --device emu:sm_90a --figures-only    in seconds: no "
    "cases\n"
    "  warpwright check baselines/gated --threshold registers=20% --threshold code_bytes=off\n"
    "Verdicts: OK, SAME, IMPROVED, REGRESSION, INCONCLUSIVE, INCOMPARABLE.\n"
    "Exit code 0 when all is well; 1 on a regression, lost correctness or something missing; 2 on\n"
    "wrong input; 3 on a fault of the environment; 4 when nothing failed and something could not\n"
    "be decided (0 with --allow-inconclusive). Make a baseline with `warpwright baseline`.\n"
    "Thresholds without a GPU, each a growth that is allowed:\n";

struct CheckArguments {
  DeviceClaim claim;
  CheckOptions options;
  std::vector<std::string> thresholds;
  std::string junit;
  std::string markdown;
  bool github = false;
  bool allow_inconclusive = false;
  Outputs outputs;
};

std::string percent(double share) { return fmt::format("{:g} %", 100 * share); }

// Generates the table of defaults from the rules themselves.
std::string threshold_help() {
  std::string text;
  const MetricRules rules;
  for (const MetricRule& rule : rules.rules()) {
    std::string allowed = percent(rule.relative);
    if (rule.absolute > 0) allowed += fmt::format(" or {}", rule.absolute);
    if (rule.of_instructions > 0)
      allowed += fmt::format(" or {} of all instructions", percent(rule.of_instructions));
    if (rule.harmless > 0) allowed += fmt::format(", or to {}", rule.harmless);
    text += fmt::format("  {:<24}{:<32}{}\n", rule.name, allowed, rule.doc);
  }
  return text + fmt::format(
                    "With one, --threshold time={} is the least slowdown that counts; more\n"
                    "where the noise is a third of it or more.\n",
                    "2%");
}

int run(CheckArguments& arguments, const GlobalOptions& global) {
  for (const std::string& threshold : arguments.thresholds) arguments.options.rules.set(threshold);
  arguments.options.claim = [&](const DeviceInfo& device) {
    arguments.claim.take({device}, global);
  };
  Outputs& outputs = arguments.outputs;
  outputs.reads(arguments.options.baseline);
  if (!arguments.junit.empty()) outputs.require(arguments.junit, kJunitOutput);
  if (!arguments.markdown.empty()) outputs.require_text(arguments.markdown);
  const CheckReport report = run_check(arguments.options, find_paths(global.kernel_roots()));
  if (!arguments.junit.empty()) write_output(arguments.junit, check_junit(report));
  // Earlier commands of the step may have written to the summary, so append to it.
  if (!arguments.markdown.empty()) append_output(arguments.markdown, check_markdown(report));
  // A runner reads both streams, so with --json the annotations go to stderr.
  if (arguments.github)
    global.json ? print_error_text(check_annotations(report))
                : print_text(check_annotations(report));
  if (global.json) {
    print_json(check_json(report, arguments.allow_inconclusive));
  } else {
    print_text(global, check_text(report, stdout_takes_colour(), text_screen()));
  }
  return report.exit_code(arguments.allow_inconclusive);
}

}  // namespace

void add_check_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("check", "Check the kernels against a baseline: a gate for CI");
  auto arguments = std::make_shared<CheckArguments>();
  CheckOptions& options = arguments->options;
  verb->add_option("baseline", options.baseline, "A folder that `warpwright baseline` made")
      ->required()
      ->type_name("BASELINE");
  verb->add_option("--device", options.device, "auto, cuda:0 or emu:sm_90a")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--threshold", arguments->thresholds,
                   "How much a metric may grow; may be repeated")
      ->type_name("NAME=PERCENT");
  verb->add_option("--junit", arguments->junit, "Also write JUnit XML there")->type_name("FILE");
  verb->add_option("--markdown", arguments->markdown,
                   "Also append a summary in Markdown there, such as $GITHUB_STEP_SUMMARY")
      ->type_name("FILE");
  verb->add_flag("--github", arguments->github, "Also print annotations for GitHub Actions");
  verb->add_flag("--allow-inconclusive", arguments->allow_inconclusive,
                 "What could not be decided does not make it fail");
  verb->add_flag("--race-identical", options.race_identical,
                 "Race the same machine code as well: a test of the gate itself");
  verb->add_flag("--figures-only", options.figures_only,
                 "Without a GPU: run no cases, and only what has other machine code; for CI whose "
                 "other tests show that kernels are right");
  add_worker_options(*verb, options.workers);
  arguments->claim.add_option(*verb);
  verb->add_flag("--quiet", options.quiet, "No progress on stderr");
  arguments->outputs.add_option(*verb);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kCheckExample + threshold_help());
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
