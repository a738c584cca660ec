// Implements `warpwright sweep`: from YAML to a leaderboard.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"
#include "cli/device_claim.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/sweep_report.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "output/text/leaderboard_text.h"
#include "store/database.h"
#include "sweep/sweep.h"

namespace warpwright {
namespace {

constexpr const char* kSweepExample =
    "Examples:\n"
    "  warpwright sweep configs/softmax_topk.yaml\n"
    "  warpwright sweep configs/gated_activation.yaml --device emu:sm_90a --budget 20\n"
    "  warpwright sweep mine.yaml --kernels ~/my_kernels --set rows=1024 --json\n"
    "  warpwright sweep mine.yaml --objective energy --require \"registers <= 128\"\n"
    "  warpwright sweep mine.yaml --objective time --objective registers    their Pareto front\n"
    "  warpwright sweep configs/attention.yaml --version V0..V4    named versions, none but those\n"
    "  warpwright sweep configs/attention.yaml --version V4 --set STAGES=3     V4, but for one "
    "value\n"
    "A sweep resumes: what the database holds is not measured again (--fresh to do so).\n"
    "--budget bounds the trials of each problem and device; its time is for the whole sweep.\n"
    "--until 3% lets a search say when it has seen enough.\n";

struct SweepArguments {
  DeviceClaim claim;
  AddedArguments added;
  SweepOptions options;
  std::string config;
  std::vector<std::string> versions;
  std::string database;
  std::string strategy;
  std::string budget;
  std::string until;
  std::string shard;
  std::size_t top = 10;
  bool no_cache = false;
  bool no_screening = false;
  bool no_ranking = false;
  bool warm_start = false, no_warm_start = false;
  std::string prior;
};

double parse_until(const std::string& text) {
  const Budget budget = parse_budget(text, {"--until", 0, 0});
  if (budget.until && !budget.trials && !budget.time) return *budget.until;
  throw user_error(fmt::format("--until: got '{}', expected a share of the time, as in 3%", text));
}

// Derives the limit of each trial from the ceilings of the database's devices, if there is a
// database yet.
void know_limits(SweepOptions& options, const Paths& paths) {
  const std::filesystem::path file =
      options.database.empty() ? paths.default_database() : options.database;
  if (!std::filesystem::exists(file)) return;
  RoofsByDevice roofs;
  try {
    roofs = read_roofs(Database(file, OpenMode::kReadOnly));
  } catch (const Error&) {
    return;  // the sweep opens it too, and reports the error
  }
  options.limit_us = [roofs = std::move(roofs)](const std::string& fingerprint,
                                                const TrialRecord& trial) -> std::optional<double> {
    const auto known = roofs.find(fingerprint);
    if (known == roofs.end()) return std::nullopt;
    const std::optional<Limit> limit = find_limit(work_of(trial), known->second);
    if (!limit || limit->us < kLatencyBoundUs) return std::nullopt;
    return limit->us;
  };
}

int run(SweepArguments& arguments, const GlobalOptions& global) {
  SweepOptions& options = arguments.options;
  options.config = config_file(arguments.config, global);
  options.added = arguments.added.parse();
  options.overrides = assignment_words(options.overrides);
  for (const std::string& versions : arguments.versions)
    options.overrides.push_back("version=" + versions);
  options.database = arguments.database;
  if (!arguments.strategy.empty()) options.strategy = arguments.strategy;
  if (!arguments.budget.empty()) options.budget = parse_budget(arguments.budget);
  if (!arguments.until.empty()) options.until = parse_until(arguments.until);
  if (!arguments.shard.empty()) options.shard = parse_shard(arguments.shard);
  options.use_compile_cache = !arguments.no_cache;
  options.screening = !arguments.no_screening;
  options.rank = !arguments.no_ranking;
  if (!arguments.prior.empty()) options.prior = find_prior(arguments.prior);
  if (arguments.warm_start || arguments.no_warm_start) options.warm_start = arguments.warm_start;
  options.command_line = global.command_line;
  options.version = version_text();
  const Paths paths = find_paths(global.kernel_roots());
  know_limits(options, paths);
  options.claim = [&](const std::vector<DeviceInfo>& devices, const WorkerNode* node) {
    arguments.claim.take(devices, global, node);
  };
  options.nodes = global.nodes;
  const SweepSummary summary = run_sweep(options, paths);
  for (const std::string& line : summary.version_changes)
    print_message(global, fmt::format("warpwright: {}\n", line));
  const std::vector<Leaderboard> boards = swept_boards(summary);
  if (global.json) {
    print_json(sweep_report_json(summary, boards));
  } else {
    LeaderboardTextOptions text;
    text.top = arguments.top;
    text.colour = stdout_takes_colour();
    text.command_options = global.given.for_verb("repro");
    text.screen = text_screen();
    for (const Leaderboard& board : boards)
      print_text(global, leaderboard_text(board, text) + "\n");
    print_text(global, sweep_report_text(summary, boards));
  }
  if (summary.ended == RunEnd::kInterrupted) return 130;
  const auto ended_as = [&](Status status) {
    const auto found = summary.by_status.find(status);
    return found != summary.by_status.end() && found->second > 0;
  };
  if (ended_as(Status::kOk)) return 0;
  // It is unknown whether any configuration would have passed.
  return ended_as(Status::kNotCompiled) ? environment_error("").exit_code() : 1;
}

}  // namespace

void add_sweep_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("sweep", "Compile, validate and time the configurations of a sweep");
  auto arguments = std::make_shared<SweepArguments>();
  verb->add_option("config", arguments->config, "The sweep's YAML file")
      ->required()
      ->type_name("CONFIG");
  verb->add_option("--device", arguments->options.device,
                   "auto, cuda:0, cuda:all, emu:sm_90a, or several with commas: cuda:0,2")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--strategy", arguments->strategy, "Search strategy instead of the sweep's")
      ->type_name("NAME")
      ->check(not_empty("a strategy's name; leave the option out for the sweep's own"));
  verb->add_option(
          "--until", arguments->until,
          "End a search when a better time by this share is unlikely, or the device's limit "
          "is that near: 3%")
      ->type_name("SHARE");
  verb->add_option("--budget", arguments->budget,
                   "Trials (200), time (90s, 10min) or both (200,10min)")
      ->type_name("BUDGET");
  CLI::Option* warm = verb->add_flag(
      "--warm-start", arguments->warm_start,
      "A search begins with what is known of other problems and devices; it does unless the sweep "
      "says otherwise");
  verb->add_flag("--no-warm-start", arguments->no_warm_start,
                 "A search begins with nothing but its own questions")
      ->excludes(warm);
  verb->add_option("--prior", arguments->prior,
                   "Modelled times of the emulator guide a search, on a GPU too")
      ->check(CLI::IsMember({"emulator", "none"}));
  CLI::Option* shard =
      verb->add_option("--shard", arguments->shard,
                       "Only this part of all configurations, for job arrays: 2/8; `merge` joins "
                       "the databases")
          ->type_name("I/N")
          ->check(not_empty("which part of how many, as in 2/8"));
  CLI::Option* rank_only = verb->add_flag(
      "--rank-only", arguments->options.rank_only,
      "Only the best that the database holds of all GPUs of this kind, and their final ranking");
  rank_only->excludes(shard)->excludes("--strategy")->excludes("--budget")->excludes("--until");
  add_goal_options(*verb, arguments->options.objectives, arguments->options.requirements,
                   "instead of the sweep's");
  add_hazards_option(*verb, arguments->options.hazards);
  add_strict_option(*verb, arguments->options.strict);
  add_compiling_options(*verb, arguments->added);
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--seed", arguments->options.seed, "The seed of inputs and of the strategy")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_flag("--fresh", arguments->options.fresh,
                 "Measure again what the database already holds");
  verb->add_option("--set", arguments->options.overrides,
                   "Override sizes or pin parameters: \"rows=1024 K=5\"; may be repeated")
      ->type_name("NAME=VALUE");
  add_version_option(*verb, arguments->versions,
                     "Only these named versions, with what --set changes in them");
  verb->add_option("--top", arguments->top, "Entries shown per leaderboard; 0 is all")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--compile-workers", arguments->options.compile_workers,
                   "Compiler processes; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--emulator-workers", arguments->options.emulator_slots,
                   "Processes that share an emulated device; 0 is one per core")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--no-compile-cache", arguments->no_cache, "Compile everything anew");
  verb->add_flag("--no-screening", arguments->no_screening,
                 "Time every configuration fully, also those that cannot win");
  verb->add_flag("--no-ranking", arguments->no_ranking,
                 "No final ranking of the best in rounds against each other")
      ->excludes(rank_only);
  arguments->claim.add_option(*verb);
  verb->add_flag("--quiet", arguments->options.quiet, "No progress on stderr");
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kSweepExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
