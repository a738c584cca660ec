// Implements `warpwright profile`: runs one configuration on the emulator and shows its counters
// and hot lines. With --against DATABASE, emulates measured configurations again on a sample of
// their blocks, and compares the two orders.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "analysis/board/impossible.h"
#include "analysis/compare/agreement.h"
#include "bench/bench_case.h"
#include "bench/profile.h"
#include "cli/option_checks.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/profile_runs.h"
#include "cli/profile_text.h"
#include "cli/results_file.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/files.h"
#include "core/words.h"
#include "exchange/gzip.h"
#include "metrics/peaks.h"
#include "output/text/agreement_text.h"
#include "records/configuration.h"
#include "spec/added_options.h"
#include "trial/launch/launch_plan.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

struct ModelRankingOptions {
  std::string database;
  std::string kernel;      // or "all": every kernel of the database that can still be read
  std::size_t drawn = 40;  // configurations drawn per problem
  std::uint64_t seed = 1;  // for the draw and for inputs
  ProfileOptions profile;
};

struct ModelRankings {
  std::vector<ModelRanking> rankings;  // in order of kernel, problem and device
  // {"device","sample","seed","sample_blocks","problems":[{"kernel","problem","measured_on","of",
  //   "tau_b","tau_b_timed","picks","best_pick","chance","configurations":[{"configuration",
  //   "timed","measured_us","modelled_us","launches":[{"entry","grid","block","dynamic_shared",
  //   ..., "counters"}...]}...]}...]}: enough to model the times anew when the model changes.
  nlohmann::json table;
};

using Json = nlohmann::json;

constexpr const char* kAll = "all";

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

void note(const std::string& text) {
  print_error("{}\n", text);
  std::fflush(stderr);
}

// Counters and resources, without the values that the model and the profile derive from them.
Json launches_of(const Configuration& configuration, const Profile& profile) {
  Json launches = profile_json(configuration, profile).at("launches");
  for (Json& launch : launches)
    for (const char* derived :
         {"lines", "derived", "modelled_us", "modelled_bound", "modelled_terms_us"})
      launch.erase(derived);
  return launches;
}

std::vector<std::string> kernels_of(const Database& database, const std::string& wanted) {
  std::set<std::string> names;
  for (const auto& [id, kernel] : database.kernels())
    if (!is_harness_kernel(kernel.name) || kernel.name == wanted) names.insert(kernel.name);
  if (wanted == kAll) return {names.begin(), names.end()};
  if (names.contains(wanted)) return {wanted};
  throw user_error(
      fmt::format("{}: no results of kernel '{}'{}", database.path().string(), wanted,
                  suggestion(wanted, std::vector<std::string>(names.begin(), names.end()))));
}

class Ranker {
 public:
  Ranker(const ModelRankingOptions& options, ProfileRuns& runs) : options_(options), runs_(runs) {
    out_.table = {{"device", runs.device().id},
                  {"sample", options.drawn},
                  {"seed", options.seed},
                  {"sample_blocks", options.profile.sample_blocks},
                  {"problems", Json::array()}};
  }

  void rank(const KernelSpec& kernel, const Leaderboard& board) {
    const std::vector<MeasuredConfiguration> all = measured_configurations(board);
    const std::vector<MeasuredConfiguration> drawn = draw_configurations(
        all, options_.drawn, options_.seed, board.kernel + " " + board.problem_text);
    std::vector<Configuration> configurations;
    for (const MeasuredConfiguration& one : drawn)
      configurations.push_back(parse_configuration(kernel, one.configuration));
    std::vector<ModelledConfiguration> modelled;
    Json kept = Json::array();
    std::size_t at = 0;
    const Problem problem = parse_problem(kernel, board.problem_text);
    runs_.each(kernel, problem, configurations, options_.seed, options_.profile,
               [&](const Configuration& configuration, const Profile& profile) {
                 const MeasuredConfiguration& measured = drawn[at++];
                 if (profile.status != Status::kOk) {
                   note(fmt::format("{} {} {}: {}", board.kernel, board.problem_text,
                                    measured.configuration, profile.reason));
                   return;
                 }
                 const double units = units_of_work(
                     kernel, trial_environment(kernel, configuration, problem, runs_.device()));
                 modelled.push_back({measured, profile.modelled_us() / units});
                 kept.push_back({{"configuration", measured.configuration},
                                 {"timed", measured.timed},
                                 {"measured_us", measured.measured_us},
                                 {"modelled_us", profile.modelled_us()},
                                 {"launches", launches_of(configuration, profile)}});
               });
    note(fmt::format("{} {}: {} of {}", board.kernel, board.problem_text, modelled.size(),
                     all.size()));
    if (modelled.empty()) return;
    ModelRanking ranking = warpwright::rank_model(modelled);
    ranking.kernel = board.kernel;
    ranking.problem_text = board.problem_text;
    ranking.device_name = board.device_name;
    ranking.of = all.size();
    out_.rankings.push_back(ranking);
    out_.table["problems"].push_back({{"kernel", board.kernel},
                                      {"problem", board.problem_text},
                                      {"measured_on", board.device_name},
                                      {"of", all.size()},
                                      {"tau_b", or_null(ranking.tau)},
                                      {"tau_b_timed", or_null(ranking.tau_timed)},
                                      {"picks", ranking.picks},
                                      {"best_pick", ranking.best_pick},
                                      {"chance", ranking.chance},
                                      {"configurations", std::move(kept)}});
  }

  [[nodiscard]] ModelRankings take() { return std::move(out_); }

 private:
  const ModelRankingOptions& options_;
  ProfileRuns& runs_;
  ModelRankings out_;
};

// Prints one line per problem to stderr, also for problems that cannot be emulated. Throws Error
// (user) if none can.
[[nodiscard]] ModelRankings rank_model(const ModelRankingOptions& options, ProfileRuns& runs,
                                       const std::string& command_line) {
  const ResultsFile file = open_results(options.database, command_line);
  Ranker ranker(options, runs);
  for (const std::string& name : kernels_of(file.database, options.kernel)) {
    try {
      const KernelSpec kernel = read_kernel(find_kernel_file(runs.paths(), name));
      for (const Leaderboard& board : make_leaderboards(file.database.trials({.kernel = name}),
                                                        file.database.rankings({.kernel = name}),
                                                        {}, read_peaks(file.database)))
        if (!board.modelled && !board.imported && !board.entries.empty())
          ranker.rank(kernel, board);
    } catch (const Error& error) {
      if (options.kernel != kAll) throw;
      note(fmt::format("{} is left out: {}", name, error.what()));  // for example an old kernel
    }
  }
  ModelRankings rankings = ranker.take();
  if (rankings.rankings.empty()) {
    throw user_error(fmt::format("{}: nothing measured that can be emulated; sweep on a GPU first",
                                 options.database));
  }
  return rankings;
}

constexpr const char* kProfileExample =
    "Examples:\n"
    "  warpwright profile gated_activation\n"
    "  warpwright profile softmax_topk --problem \"rows=1024 V=151936 K=20\" --sample-blocks 64 "
    "\\\n"
    "    --configuration \"variant=threshold THREADS=512\" --lines 12\n"
    "  warpwright profile attention_prefill --version V0..V4 --set STAGES=3\n"
    "  warpwright profile softmax_topk --against results/h200.db --sample-blocks 48   the model's "
    "order\n"
    "Runs on the emulator, so it needs no GPU: counts are exact, times are modelled and labelled\n"
    "so. What is not named keeps the contract's defaults; without --problem it is the one that\n"
    "configs/KERNEL.yaml has for emulated devices. Nothing is validated here: `warpwright sweep`\n"
    "does that.\n";

struct ProfileArguments {
  std::string kernel;
  std::string problem;
  std::vector<std::string> configurations;
  std::string configuration_file;
  std::vector<std::string> versions, overrides;
  std::string device = "emu:sm_90a";
  std::uint64_t seed = 1;
  std::size_t lines = 10;
  std::string against;
  std::size_t sample = 40;
  std::string save;
  ProfileOptions options;
  AddedArguments added;
  Outputs outputs;
};

std::vector<Configuration> choose_configurations(const KernelSpec& kernel,
                                                 const ProfileArguments& arguments) {
  std::vector<Configuration> chosen;
  for (const std::string& text : arguments.configurations)
    chosen.push_back(parse_configuration(kernel, text));
  if (!arguments.configuration_file.empty()) {
    std::string text = read_file(arguments.configuration_file);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (end > at) chosen.push_back(parse_configuration(kernel, text.substr(at, end - at)));
      at = end + 1;
    }
  }
  for (const ChosenVersion& version : bench_versions(kernel, join(arguments.versions, ","),
                                                     assignment_words(arguments.overrides))) {
    if (!version.change.empty()) note("warpwright: " + version.change);
    chosen.push_back({version.variant, version.values});
  }
  if (chosen.empty()) chosen.push_back(default_configuration(kernel, kernel.variants.front()));
  return chosen;
}

int hold_against(const ProfileArguments& arguments, const GlobalOptions& global) {
  Outputs outputs = arguments.outputs;
  outputs.reads(arguments.against);
  if (!arguments.save.empty()) outputs.require(arguments.save, kRankingOutput);
  ModelRankingOptions options{arguments.against, arguments.kernel, arguments.sample, arguments.seed,
                              arguments.options};
  options.profile.count_lines = false;
  ProfileRuns runs(find_paths(global.kernel_roots()),
                   emulated_device(arguments.device, "profile counts"));
  const ModelRankings rankings = rank_model(options, runs, global.command_line);
  const std::string json = rankings.table.dump() + "\n";
  if (!arguments.save.empty())
    write_output(arguments.save, arguments.save.ends_with(".gz") ? pack_gzip(json) : json);
  if (global.json) {
    print_json_text(json);
  } else {
    print_text(global, model_ranking_text(rankings.rankings, text_screen()));
  }
  return 0;
}

int run(const ProfileArguments& arguments, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  const AddedOptions added = arguments.added.parse();
  const KernelSpec kernel =
      with_added(read_kernel(find_kernel_file(paths, arguments.kernel)), added);
  const Problem problem = profiled_problem(kernel, arguments.problem, paths);
  const std::vector<Configuration> configurations = choose_configurations(kernel, arguments);
  ProfileRuns runs(paths, emulated_device(arguments.device, "profile counts"));
  const DeviceInfo& device = runs.device();

  ProfileHeading heading{kernel.name, describe_problem(kernel, problem), device.id,
                         device.name, arguments.options.sample_blocks,   kernel.texts};
  nlohmann::json profiles = nlohmann::json::array();
  bool failed = false;
  runs.each(kernel, problem, configurations, arguments.seed, arguments.options,
            [&](const Configuration& configuration, const Profile& profile) {
              failed = failed || profile.status != Status::kOk;
              if (global.json) {
                profiles.push_back(profile_json(configuration, profile));
              } else {
                print_text(global, profile_text(heading, configuration, profile, arguments.lines,
                                                text_screen()));
              }
            });
  if (global.json) print_json(heading_json(heading, std::move(profiles)), 1);
  return failed ? 1 : 0;
}

}  // namespace

void add_profile_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("profile", "Counters and hot lines of a configuration, without a GPU");
  auto arguments = std::make_shared<ProfileArguments>();
  verb->add_option("kernel", arguments->kernel, "A kernel's name; `all` with --against")
      ->required()
      ->type_name("KERNEL");
  verb->add_option("--problem", arguments->problem, "\"rows=8192 V=50257 K=10\"")
      ->type_name("TEXT");
  verb->add_option("--configuration", arguments->configurations,
                   "\"variant=threshold THREADS=256\"; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  verb->add_option("--configurations", arguments->configuration_file, "A file of them, one a line")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  add_version_option(*verb, arguments->versions, "These named versions");
  verb->add_option("--set", arguments->overrides,
                   "Change a parameter of the versions: \"STAGES=3\"; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--device", arguments->device, "An emulated one")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--sample-blocks", arguments->options.sample_blocks,
                   "Run about N blocks of every launch and scale the counters; 0 runs all")
      ->type_name("N")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--lines", arguments->lines, "Hottest lines to show with their source; 0: none")
      ->type_name("N")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--seed", arguments->seed, "The seed of inputs, and of --sample")
      ->check(whole_number())
      ->capture_default_str();
  CLI::Option* against =
      verb->add_option("--against", arguments->against,
                       "Compare the order of modelled times with that of the measured ones of this "
                       "database, problem by problem")
          ->type_name("FILE")
          ->excludes("--problem")
          ->excludes("--configuration")
          ->excludes("--configurations")
          ->excludes("--version");
  verb->add_option("--sample", arguments->sample, "With --against: this many of every problem")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->needs(against)
      ->capture_default_str();
  verb->add_option("--save", arguments->save,
                   "With --against: also write the JSON there, with all counters; compressed where "
                   "it ends in .gz")
      ->type_name("FILE")
      ->needs(against);
  add_compiling_options(*verb, arguments->added);
  arguments->outputs.add_option(*verb);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kProfileExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] {
      arguments->options.count_lines = arguments->lines > 0;
      return arguments->against.empty() ? run(*arguments, global)
                                        : hold_against(*arguments, global);
    };
  });
}

}  // namespace warpwright
