// Implements `warpwright vet`: runs a kernel under all of the emulator's checkers.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/option_checks.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/file_bounds.h"
#include "core/files.h"
#include "core/words.h"
#include "vet/explain/explain.h"
#include "vet/necessity_text.h"
#include "vet/run/necessity.h"
#include "vet/run/vet.h"
#include "vet/vet_sarif.h"
#include "vet/vet_text.h"

namespace warpwright {
namespace {

constexpr const char* kVetExample =
    "Examples:\n"
    "  warpwright vet softmax_topk                       every variant, every case of the "
    "contract\n"
    "  warpwright vet softmax_topk --variant block_row --set THREADS=64 --schedules 20\n"
    "  warpwright vet attention_prefill --version V4     a named version of it\n"
    "  warpwright vet mine.cu                            a comment in it says how to launch:\n"
    "                                                    // vet: saxpy<<<4, 256>>>(x[1000], "
    "y[1000], "
    "2.0f, 1000)\n"
    "  warpwright vet mine.cu -I include -D TILE=32 --arch sm_80 --schedules 20\n"
    "  warpwright vet mine.cu --sarif vet.sarif          for code scanning of a code host\n"
    "  warpwright vet mine.cu --necessity                which barrier is needed, and for what\n"
    "  warpwright vet --explain shared-race              what a kind of finding is, and what "
    "helps\n"
    "Finds races, missing waits and fences, reads of memory that was never written, accesses out "
    "of bounds "
    "and\n"
    "deadlocks, each with its line, the other side and the fix; and warns of results that pass "
    "without\n"
    "being computed, which --strict makes findings. Exit code 0 when nothing was found;\n"
    "1 on findings; 2 on wrong input; 3 on a fault of the environment; 4 when nothing was found, "
    "but a\n"
    "case met the limit of --instructions or --time.\n";

// The typed command line without the options that a replay sets itself.
std::string replay_prefix(const VetOptions& options, const AddedArguments& added,
                          const std::vector<std::string>& defines, const GlobalOptions& global) {
  std::string text = "warpwright vet " + shell_word(options.subject);
  if (!options.contract.empty()) text += " --contract " + shell_word(options.contract.string());
  for (const std::string& folder : global.kernel_folders)
    text += " --kernels " + shell_word(folder);
  for (const std::string& folder : added.include) text += " --include " + shell_word(folder);
  for (const std::string& option : added.options) text += " --option=" + shell_word(option);
  for (const std::string& define : defines) text += " -D " + shell_word(define);
  if (options.device != VetOptions().device) text += " --device " + options.device;
  if (options.instructions != 0) text += fmt::format(" --instructions {}", options.instructions);
  if (options.trust_cas_reads) text += " --trust-cas-reads";
  if (all_files_are_trusted()) text += " --trust-includes";
  if (options.time.count() != 0) text += fmt::format(" --time {}", options.time.count() / 1000);
  for (const std::string& assignment : options.overrides)
    text += " --set " + shell_word(assignment);
  return text;
}

// The arguments that are not in VetOptions.
struct VetArguments {
  AddedArguments added;
  std::vector<std::string> defines, versions;
  std::string arch;
  std::string sarif;
  bool one_seed = false;
  std::vector<std::string> kind;  // words after --explain
  Outputs outputs;
};

// Prints the page of a kind of finding, or the list of kinds.
int explain(const std::vector<std::string>& words, const GlobalOptions& global) {
  const std::string kind = join(words, " ");
  const bool colour = stdout_takes_colour();
  if (global.json && kind.empty()) {
    nlohmann::json pages = nlohmann::json::array();
    for (const std::string& one : explained_kinds())
      pages.push_back(explanation_json(explanation_of(one)));
    print_json({{"kinds", std::move(pages)}});
  } else if (global.json) {
    print_json({{"explanation", explanation_json(explanation_of(kind))}});
  } else {
    print_text(global, kind.empty() ? explanations_text(colour)
                                    : explanation_text(explanation_of(kind), colour));
  }
  return 0;
}

int find_necessity(const VetOptions& options, const Paths& paths, const GlobalOptions& global) {
  const NecessityReport report = vet_necessity(options, paths);
  if (global.json) {
    print_json(necessity_json(report));
  } else {
    print_text(global, necessity_text(report, stdout_takes_colour(), text_screen()));
  }
  return report.vetted.clean() ? 0 : report.vetted.found() ? 1 : 4;
}

// Refuses options that make no sense with --necessity.
void check_necessity(const VetOptions& options, const VetArguments& given) {
  if (!options.necessity) return;
  if (!given.sarif.empty())
    throw user_error(
        "--sarif is for findings, and --necessity has none; take --json, or run vet without "
        "--necessity");
  if (options.strict)
    throw user_error(
        "--strict is about contracts, which --necessity does not check; run vet without "
        "--necessity for that");
}

int run(VetOptions& options, const VetArguments& given, const GlobalOptions& global) {
  if (options.subject.empty())
    throw user_error("vet needs a kernel; name a .cu file, a kernel, its folder or a contract");
  check_necessity(options, given);
  if (given.one_seed) options.schedules = 1;
  if (!given.arch.empty()) options.device = "emu:" + given.arch;
  AddedArguments added = given.added;
  options.overrides = assignment_words(options.overrides);
  options.versions = join(given.versions, ",");
  options.replay_prefix = replay_prefix(options, added, given.defines, global);
  for (const std::string& define : given.defines) added.options.push_back("-D" + define);
  options.added = added.parse();
  const std::string& sarif = given.sarif;
  Outputs outputs = given.outputs;
  outputs.reads(options.subject);
  outputs.reads(options.contract);
  if (!sarif.empty()) outputs.require(sarif, kSarifOutput);
  const Paths paths = find_paths(global.kernel_roots());
  if (options.necessity) return find_necessity(options, paths, global);
  const VetReport report = vet_kernel(options, paths);
  if (!sarif.empty()) write_output(sarif, vet_sarif(report, version_text()).dump(2) + "\n");
  for (const std::string& line : report.version_changes)
    print_message(global, fmt::format("warpwright: {}\n", line));
  if (global.json) {
    print_json(vet_json(report));
  } else {
    print_text(global, vet_text(report, stdout_takes_colour()));
  }
  return report.clean() ? 0 : report.found() ? 1 : 4;
}

}  // namespace

void add_vet_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("vet", "Find races, missing waits and the like in a kernel");
  auto options = std::make_shared<VetOptions>();
  auto given = std::make_shared<VetArguments>();
  verb->add_option("kernel", options->subject, "A kernel's name or folder, a contract, or a .cu")
      ->type_name("KERNEL|FILE");
  verb->add_option("--contract", options->contract, "The contract with a .cu file's launches")
      ->type_name("FILE");
  CLI::Option* device = verb->add_option("--device", options->device, "An emulated device")
                            ->type_name("DEVICE")
                            ->capture_default_str();
  verb->add_option("--variant", options->variant, "Only this variant")->type_name("NAME");
  verb->add_option("--case", options->case_name, "Only this case")->type_name("NAME");
  verb->add_option("--set", options->overrides,
                   "Parameters or problem sizes: \"THREADS=64 rows=8\"; may be repeated")
      ->type_name("NAME=VALUE");
  add_version_option(*verb, given->versions, "Only these named versions");
  CLI::Option* schedules = verb->add_option("--schedules", options->schedules,
                                            "Run every case under N schedules, seeds 1..N")
                               ->check(CLI::Range(1, 100000))
                               ->capture_default_str();
  CLI::Option* seed =
      verb->add_option("--seed", options->first_seed, "The schedule of this seed alone")
          ->check(whole_number());
  seed->excludes(schedules);
  verb->add_option("--instructions", options->instructions,
                   "Warp instructions after which a schedule of a case is not decided; usually 50 "
                   "million")
      ->check(whole_number(1))
      ->type_name("N");
  verb->add_option_function<std::uint64_t>(
          "--time",
          [options](const std::uint64_t& seconds) {
            options->time = std::chrono::seconds(seconds);
          },
          "Seconds after which it is not decided; usually 30")
      ->check(CLI::Range(1, 500))
      ->type_name("SECONDS");
  verb->add_flag("--trust-cas-reads", options->trust_cas_reads,
                 "A plain read that only begins an atomicCAS loop is not a race with the atomics");
  add_strict_option(*verb, options->strict);
  CLI::Option* necessity =
      verb->add_flag("--necessity", options->necessity,
                     "Which barriers, waits and fences are needed: leave out one at a time");
  verb->add_option("--emulator-workers", options->emulator_workers,
                   "Processes that share the work; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--arch", given->arch, "The emulated device of this architecture: sm_80")
      ->type_name("ARCH")
      ->excludes(device);
  verb->add_option("--sarif", given->sarif,
                   "Also write the findings as SARIF, for code hosts and editors")
      ->type_name("FILE")
      ->check(not_empty("a file"));
  CLI::Option* kind =
      verb->add_option("--explain", given->kind,
                       "A page on a kind of finding, with a broken and a fixed kernel; alone, a "
                       "list of them")
          ->type_name("KIND")
          ->expected(0, 6);
  kind->excludes(necessity);
  verb->add_flag("--quiet", options->quiet, "No progress on stderr");
  verb->add_option("-D,--define", given->defines, "A macro: -D TILE=32; may be repeated")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  add_compiling_options(*verb, given->added);
  given->outputs.add_option(*verb);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kVetExample);
  verb->callback([options, given, seed, kind, context] {
    GlobalOptions& global = context.global;
    given->one_seed = seed->count() > 0;
    if (kind->count() > 0) {
      context.action = [given, &global] { return explain(given->kind, global); };
      return;
    }
    context.action = [options, given, &global] { return run(*options, *given, global); };
  });
}

}  // namespace warpwright
