// warpwright sweep: YAML to leaderboard.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/board/leaderboard.h"
#include "analysis/board/limits.h"
#include "analysis/board/objections.h"
#include "analysis/insight/compiler_warnings.h"
#include "analysis/insight/idle_parameters.h"
#include "cli/device_claim.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/print_text.h"
#include "cli/verb.h"
#include "core/assignment_words.h"
#include "core/error.h"
#include "core/progress.h"
#include "output/text/leaderboard_text.h"
#include "output/text/limit_text.h"
#include "output/text/search_text.h"
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
    "A sweep resumes: what the database holds is not measured again (--fresh to do so).\n"
    "--budget bounds the trials of each problem and device; its time is for the whole sweep.\n"
    "--until 3% lets a search say when it has seen enough.\n";

struct SweepArguments {
  DeviceClaim claim;
  AddedArguments added;
  SweepOptions options;
  std::string config;
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

// The boards that this sweep worked on, from everything the database knows of them.
std::vector<Leaderboard> boards_of(const SweepSummary& summary) {
  const Database database(summary.database, OpenMode::kReadOnly);
  Database::TrialFilter filter;
  filter.kernel = summary.kernel.name;
  std::set<std::pair<std::string, std::string>> wanted;
  for (const SweepBoard& board : summary.boards)
    wanted.insert({board.device.fingerprint(), board.problem_text});
  std::vector<Database::TrialRow> rows = database.trials(filter);
  std::erase_if(rows, [&](const Database::TrialRow& row) {
    return !wanted.contains({row.device_fingerprint, row.trial.problem_text});
  });
  std::vector<Leaderboard> boards =
      make_leaderboards(rows, database.rankings({.kernel = filter.kernel}), BoardGoals(database));
  add_limits(boards, read_roofs(database));
  advise_on_failures(boards, database.devices());
  return boards;
}

nlohmann::json summary_json(const SweepSummary& summary, const std::vector<Leaderboard>& boards) {
  nlohmann::json json = leaderboards_json(boards);
  nlohmann::json statuses = nlohmann::json::object();
  for (const auto& [status, count] : summary.by_status)
    statuses[std::string(status_name(status))] = count;
  json["sweep"] = {{"run", summary.run},
                   {"kernel", summary.kernel.name},
                   {"database", summary.database.string()},
                   {"ended", summary.ended},
                   {"trials", summary.trials},
                   {"resumed", summary.resumed},
                   {"statuses", statuses},
                   {"wall_seconds", summary.wall_seconds},
                   {"compile_busy_seconds", summary.compile_busy_seconds},
                   {"compile_workers", summary.compile_workers},
                   {"compiled", summary.compiled},
                   {"compile_cache_hits", summary.compile_cache_hits},
                   {"measure_busy_seconds", summary.measure_busy_seconds},
                   {"trial_measure_seconds", summary.trial_measure_seconds},
                   {"case_seconds", summary.case_seconds},
                   {"input_seconds", summary.input_seconds},
                   {"validate_seconds", summary.validate_seconds},
                   {"rankings", summary.rankings},
                   {"ranking_seconds", summary.ranking_seconds},
                   {"repeated", summary.repeated},
                   {"shared", summary.shared},
                   {"measurers_lost", summary.measurers_lost},
                   {"retried", summary.retried}};
  nlohmann::json spaces = nlohmann::json::array();
  for (const SweepBoard& board : summary.boards) {
    spaces.push_back({{"device", board.device.id},
                      {"problem_text", board.problem_text},
                      {"valid", board.space_count},
                      {"cartesian", board.cartesian_size}});
    if (!board.began_with.empty()) spaces.back()["began_with"] = board.began_with;
  }
  json["sweep"]["spaces"] = std::move(spaces);
  if (summary.shard)
    json["sweep"]["shard"] = {{"index", summary.shard->index}, {"count", summary.shard->count}};
  if (!summary.searches.empty()) json["sweep"]["searches"] = summary.searches;
  if (const PriorSummary& prior = summary.prior; prior.candidates > 0) {
    json["sweep"]["prior"] = {{"device", prior.device},
                              {"candidates", prior.candidates},
                              {"modelled", prior.modelled},
                              {"failed", prior.failed},
                              {"seconds", prior.seconds}};
  }
  for (const GpuShare& share : summary.gpus) {
    nlohmann::json gpu = {{"device", share.device.id},
                          {"uuid", share.device.uuid},
                          {"lead", share.lead.id},
                          {"timed", share.timed},
                          {"busy_seconds", share.busy_seconds}};
    if (const auto& found = share.difference) {
      gpu["slower"] = {{"fraction", found->fraction},
                       {"low", found->low},
                       {"high", found->high},
                       {"anchors", found->anchors}};
    }
    json["sweep"]["gpus"].push_back(std::move(gpu));
  }
  if (summary.guests > 0) json["sweep"]["guests"] = summary.guests;
  const Objections objections = count_objections(boards);
  json["sweep"]["objections"] = {{"configurations", objections.configurations},
                                 {"kinds", objections.kinds}};
  return json;
}

// What the author of the kernel should look at although it passed.
std::string remarks(const std::vector<Leaderboard>& boards) {
  std::string text;
  std::map<std::string, std::size_t> idle;
  for (const Leaderboard& board : boards)
    for (const IdleParameter& one : idle_parameters(board)) idle[one.name] += one.configurations;
  // One that does something for another problem is no idle one.
  for (const auto& [name, configurations] : idle) {
    const bool everywhere =
        std::all_of(boards.begin(), boards.end(), [&name = name](const Leaderboard& board) {
          const auto here = idle_parameters(board);
          return board.entries.empty() ||
                 std::any_of(here.begin(), here.end(),
                             [&](const IdleParameter& one) { return one.name == name; });
        });
    if (!everywhere) continue;
    text += fmt::format(
        "{} changes no machine code, launch or argument: {} configurations that differ in it alone "
        "are the same programs; does the source use it?\n",
        name, configurations);
  }
  for (const CompilerWarning& warning : compiler_warnings(boards)) {
    text += fmt::format("{} ({} {})\n", warning.text, warning.configurations,
                        warning.configurations == 1 ? "configuration" : "configurations");
  }
  return text;
}

// Where the GPU's time went, in shares of the sweep's; "" without one, or with several devices.
std::string shares_line(const SweepSummary& summary) {
  // Of one device: the sums are over all of them.
  const bool one_gpu =
      !summary.boards.empty() && summary.gpus.empty() &&
      std::all_of(summary.boards.begin(), summary.boards.end(), [&](const SweepBoard& board) {
        return board.device.has_clock && board.device.id == summary.boards.front().device.id;
      });
  if (!one_gpu || summary.wall_seconds <= 0 || summary.trials == summary.resumed) return "";
  const double other = summary.measure_busy_seconds - summary.case_seconds - summary.input_seconds -
                       summary.validate_seconds - summary.trial_measure_seconds -
                       summary.ranking_seconds;
  std::string text;
  const auto add = [&](const char* what, double seconds) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", what,
                        100 * std::max(0.0, seconds) / summary.wall_seconds);
  };
  add("cases", summary.case_seconds);
  add("inputs and references", summary.input_seconds);
  add("validation", summary.validate_seconds);
  add("samples", summary.trial_measure_seconds);
  add("ranking", summary.ranking_seconds);
  add("loading and messages", other);
  add("starting and waiting for compilers", summary.wall_seconds - summary.measure_busy_seconds);
  return "the GPU's process: " + text + "\n";
}

std::string summary_line(const SweepSummary& summary) {
  std::string statuses;
  for (const auto& [status, count] : summary.by_status)
    statuses += fmt::format("{}{} {}", statuses.empty() ? "" : ", ", count, status_name(status));
  std::string text =
      fmt::format("{} trials ({}{}) in {}", summary.trials, statuses,
                  summary.resumed > 0 ? fmt::format("; {} already known", summary.resumed) : "",
                  format_duration(summary.wall_seconds));
  if (summary.trials > summary.resumed) {
    text += fmt::format(
        ": compiling {:.1f} s over {} workers ({} compiled, {} from cache), measuring {:.1f} s",
        summary.compile_busy_seconds, summary.compile_workers, summary.compiled,
        summary.compile_cache_hits, summary.measure_busy_seconds);
    if (summary.rankings > 0) {
      text += fmt::format(", of which {:.1f} s for {} final ranking{}", summary.ranking_seconds,
                          summary.rankings, summary.rankings == 1 ? "" : "s");
    }
    if (summary.shared > 0)
      text += fmt::format("; {} share the measurement of equal code", summary.shared);
    if (summary.guests > 0) text += fmt::format("; {} timed on another GPU too", summary.guests);
    if (summary.repeated > 0)
      text += fmt::format("; {} measured again because the device had changed", summary.repeated);
  }
  if (summary.measurers_lost > 0) {
    text += fmt::format("; {} measuring {} lost and replaced", summary.measurers_lost,
                        summary.measurers_lost == 1 ? "process was" : "processes were");
  }
  if (summary.ended == "enough") text += "; ended because more was unlikely to pay";
  if (summary.ended == "budget") text += "; the budget ended it before the space did";
  if (summary.ended == "interrupted")
    text += summary.fresh ? "; interrupted: run the same command without --fresh to go on"
                          : "; interrupted: run the same command to go on";
  return text + "\n";
}

// GPUs that shared their boards, and how they differ.
std::string gpus_text(const SweepSummary& summary) {
  std::string text;
  for (const GpuShare& share : summary.gpus) {
    if (share.device.id == share.lead.id) {
      const auto others =
          std::count_if(summary.gpus.begin(), summary.gpus.end(),
                        [&](const GpuShare& other) { return other.lead.id == share.lead.id; });
      text += fmt::format(
          "{} GPUs of one kind shared the trials; the best of all met on {} and are ranked there, "
          "each GPU's own times are in `warpwright show {}`\n",
          others, share.lead.id, summary.kernel.name);
    }
    text += fmt::format("{} timed {}, measuring {:.1f} s", share.device.id, share.timed,
                        share.busy_seconds);
    if (const auto& found = share.difference) {
      const bool slower = found->fraction >= 0;
      const double sign = slower ? 100 : -100;
      text += fmt::format("; {:.1f} % {} than {} [{:.1f}, {:.1f}], by {} configuration{}",
                          sign * found->fraction, slower ? "slower" : "faster", share.lead.id,
                          sign * (slower ? found->low : found->high),
                          sign * (slower ? found->high : found->low), found->anchors,
                          found->anchors == 1 ? "" : "s");
    }
    text += "\n";
  }
  return text;
}

// What the leaderboards above are not.
std::string shard_line(const SweepSummary& summary) {
  if (!summary.shard) return "";
  return fmt::format(
      "shard {} of {}: what is above is ranked among this shard's configurations only; join the "
      "databases of all with `merge`, then rank the best of them on one GPU with "
      "`sweep --rank-only`\n",
      summary.shard->index, summary.shard->count);
}

std::string prior_line(const PriorSummary& prior) {
  if (prior.candidates == 0) return "";
  return fmt::format("{} modelled {} of {} configurations for the search in {}\n", prior.device,
                     prior.modelled, prior.candidates, format_duration(prior.seconds));
}

// What the checkers object to and the sweep passed over.
std::string objections_line(const SweepSummary& summary, const std::vector<Leaderboard>& boards) {
  const Objections objections = count_objections(boards);
  if (objections.configurations == 0) return "";
  const bool one = objections.configurations == 1;
  return fmt::format(
      "{} configuration{} but {} what the checkers object to: {}; `warpwright vet {}` tells more\n",
      objections.configurations, one ? " works" : "s work", one ? "does" : "do",
      kinds_text(objections), summary.kernel.name);
}

double parse_until(const std::string& text) {
  const Budget budget = parse_budget(text, {"--until", 0, 0});
  if (budget.until && !budget.trials && !budget.time) return *budget.until;
  throw user_error(fmt::format("--until: got '{}', expected a share of the time, as in 3%", text));
}

// What ceilings of the database's devices say of a trial. None where there is no database yet.
void know_limits(SweepOptions& options, const Paths& paths) {
  const std::filesystem::path file =
      options.database.empty() ? paths.default_database() : options.database;
  if (!std::filesystem::exists(file)) return;
  RoofsByDevice roofs;
  try {
    roofs = read_roofs(Database(file, OpenMode::kReadOnly));
  } catch (const Error&) {
    return;  // the sweep opens it too, and says what is wrong
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

// How searches went, and whether more of them is likely to pay.
std::string searches_text(const SweepSummary& summary) {
  std::string text;
  for (const SearchCourse& course : summary.searches) {
    if (summary.searches.size() > 1) text += course.problem_text + ": ";
    const auto board = std::find_if(
        summary.boards.begin(), summary.boards.end(),
        [&](const SweepBoard& one) { return one.device.fingerprint() == course.fingerprint; });
    text += search_text(course, board != summary.boards.end() && !board->device.has_clock);
  }
  return text;
}

int run(SweepArguments& arguments, const GlobalOptions& global) {
  SweepOptions& options = arguments.options;
  options.config = config_file(arguments.config, global);
  options.added = arguments.added.parse();
  options.overrides = assignment_words(options.overrides);
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
  const std::vector<Leaderboard> boards = boards_of(summary);
  if (global.json) {
    print_json(summary_json(summary, boards));
  } else {
    LeaderboardTextOptions text;
    text.top = arguments.top;
    text.colour = stdout_takes_colour();
    text.command_options = global.given.for_verb("repro");
    text.screen = text_screen();
    for (const Leaderboard& board : boards)
      print_text(global, leaderboard_text(board, text) + "\n");
    print_text(global, remarks(boards) + searches_text(summary) + summary_line(summary) +
                           prior_line(summary.prior) + gpus_text(summary) + shard_line(summary) +
                           shares_line(summary) + objections_line(summary, boards) +
                           calibration_hint(boards) +
                           fmt::format("results in {}; see them again with `warpwright show {}`\n",
                                       summary.database.string(), summary.kernel.name));
  }
  if (summary.ended == "interrupted") return 130;
  const auto passed = summary.by_status.find(Status::kOk);
  return passed != summary.by_status.end() && passed->second > 0 ? 0 : 1;
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
  add_compiling_options(*verb, arguments->added);
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--seed", arguments->options.seed, "Of inputs and of the strategy")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_flag("--fresh", arguments->options.fresh,
                 "Measure again what the database already holds");
  verb->add_option("--set", arguments->options.overrides,
                   "Override sizes or pin parameters: \"rows=1024 K=5\"; may be repeated")
      ->type_name("NAME=VALUE");
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
  add_common_options(*verb, context);
  verb->footer(kSweepExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
