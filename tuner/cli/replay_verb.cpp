// Implements `warpwright replay`: shows how good search strategies are, from recorded results and
// without a device.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/option_checks.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/files.h"
#include "output/report/report_page.h"
#include "replay/read_recordings.h"
#include "replay/recorded_knowledge.h"
#include "replay/replay.h"
#include "replay/replay_text.h"
#include "sweep/run_records.h"
#include "terminal/progress.h"
#include "workers/interrupt.h"

namespace warpwright {
namespace {

constexpr const char* kReplayExample =
    "Examples:\n"
    "  warpwright replay recordings/                  every strategy on every recording there\n"
    "  warpwright replay results/warpwright.db --kernel softmax_topk --budget 20,40\n"
    "  warpwright replay gemm-A100.json.gz --strategy random,local --repeats 200 -o gemm.html\n"
    "  warpwright replay results/warpwright.db --strategy auto --warm-start --prior emulated.db\n"
    "  warpwright replay recordings/ --strategy genetic --set genetic.population=30 --json\n"
    "A recording holds a time for every configuration: a database after an exhaustive sweep, T4 "
    "results\n"
    "of another tuner, or a replay file. The first evaluation of a configuration costs 1, also "
    "when it\n"
    "failed; repeats are free. Random search, shown for comparison, is exact, not sampled.\n";

struct ReplayArguments {
  std::vector<std::string> recorded;
  RecordingChoice choice;
  std::vector<std::string> strategies = {"all"};
  std::vector<std::string> settings;
  ReplayPlan plan;
  std::string traces, page, prior;
  bool warm_start = false;
  bool quiet = false;
  Outputs outputs;
};

ReplayResults run_all(const std::vector<Recording>& recordings, const ReplayArguments& arguments) {
  const InterruptGuard interrupts;
  Progress progress(stderr_progress("replay", arguments.quiet));
  ReplayWatch watch;
  watch.stopped = [] { return InterruptGuard::requested(); };
  watch.progress = [&](std::size_t done, std::size_t total) {
    progress.set_total(total);
    progress.update(done, "runs");
  };
  ReplayResults results = replay(recordings, arguments.plan, watch);
  progress.finish();
  return results;
}

void write_page(const ReplayArguments& arguments, nlohmann::json document,
                const GlobalOptions& global) {
  document["program"] = version_text();
  document["made_utc"] = utc_now();
  write_output(arguments.page, page_of("replay.html", document));
  if (!global.json && is_output_file(arguments.page))
    print_error("{}: open it in a browser\n", arguments.page);
}

int run(ReplayArguments arguments, const GlobalOptions& global) {
  ReplayPlan& plan = arguments.plan;
  Outputs& outputs = arguments.outputs;
  outputs.reads(arguments.recorded);
  outputs.reads(std::filesystem::path(arguments.prior));
  if (!arguments.page.empty()) outputs.require(arguments.page, kPageOutput);
  if (!arguments.traces.empty()) outputs.require(arguments.traces, kTracesOutput);
  plan.strategies = strategies_of(arguments.strategies, arguments.settings);
  FoundRecordings found =
      read_recordings({arguments.recorded.begin(), arguments.recorded.end()}, arguments.choice);
  check_runs(found.recordings.size(), plan);
  if (!arguments.prior.empty()) add_prior(found.recordings, arguments.prior);
  if (arguments.warm_start) add_warm_start(found.recordings);
  for (const std::string& note : found.notes)
    print_message(global, fmt::format("warpwright: {}\n", note));
  const ReplayResults results = run_all(found.recordings, arguments);
  if (results.interrupted) {
    print_error("warpwright: interrupted; a replay that is not finished says nothing\n");
    return 130;
  }
  if (!arguments.traces.empty())
    write_output(arguments.traces, replay_traces(found.recordings, plan, results));
  const ReplayReport report = make_replay_report(found.recordings, plan, results);
  const nlohmann::json document = replay_json(found.recordings, plan, report);
  if (!arguments.page.empty()) write_page(arguments, document, global);
  if (global.json) {
    print_json(document);
  } else {
    print_text(global, replay_text(found.recordings, plan, report, text_screen()));
  }
  return 0;
}

void add_choice(CLI::App& verb, ReplayArguments& arguments) {
  verb.add_option("--kernel", arguments.choice.kernel, "Only recordings of this kernel")
      ->type_name("KERNEL");
  verb.add_option("--problem", arguments.choice.problem,
                  "Only problems with these sizes: \"rows=8192 V=50257\"")
      ->type_name("NAME=VALUE");
  verb.add_option("--device", arguments.choice.device, "Only this device: id, name or fingerprint")
      ->type_name("DEVICE");
}

void add_plan(CLI::App& verb, ReplayArguments& arguments) {
  ReplayPlan& plan = arguments.plan;
  plan.budgets = {50, 100, 200, 400};
  verb.add_option("--strategy", arguments.strategies,
                  "Strategies, with commas; `all` is every one but exhaustive")
      ->type_name("STRATEGIES")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  verb.add_option("--set", arguments.settings,
                  "An option of a strategy, as in a sweep's `search`; may be repeated")
      ->type_name("STRATEGY.OPTION=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--budget", plan.budgets,
                  "Evaluations that a run may take, with commas; each is a set of runs of its own")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1))
      ->capture_default_str();
  verb.add_option("--repeats", plan.repeats, "Runs of each strategy and budget, each with its seed")
      ->check(whole_number(1))
      ->capture_default_str();
  verb.add_option("--seed", plan.seed, "The seed of the first run; those of the others follow it")
      ->check(whole_number())
      ->capture_default_str();
  verb.add_option("--in-flight", plan.in_flight,
                  "Questions unanswered at a time; answers come in their order")
      ->check(whole_number(1))
      ->capture_default_str();
  verb.add_option("--threads", plan.threads, "Runs at a time; 0 is one for each core")
      ->check(whole_number())
      ->capture_default_str();
}

}  // namespace

void add_replay_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "replay", "How good search strategies are, on recorded results and without a device");
  auto arguments = std::make_shared<ReplayArguments>();
  verb->add_option("recorded", arguments->recorded,
                   "Complete recordings: databases, T4 files, replay files, or folders of them")
      ->required()
      ->type_name("RECORDED");
  add_choice(*verb, *arguments);
  add_plan(*verb, *arguments);
  verb->add_flag("--warm-start", arguments->warm_start,
                 "Searches begin with what the recording's database holds of other boards");
  verb->add_option("--prior", arguments->prior,
                   "Searches begin with the modelled times in this database")
      ->type_name("FILE");
  verb->add_option("--traces", arguments->traces,
                   "Also what every run evaluated, a line of JSON for each")
      ->type_name("FILE");
  verb->add_option("-o,--report", arguments->page, "Also a page with charts")->type_name("FILE");
  verb->add_flag("--quiet", arguments->quiet, "No progress on stderr");
  arguments->outputs.add_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kReplayExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
