// Implements `warpwright profile`: runs one configuration on the emulator and shows its counters
// and hot lines.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/bench_case.h"
#include "bench/profile.h"
#include "cli/option_checks.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/print_text.h"
#include "cli/profile_runs.h"
#include "cli/profile_text.h"
#include "cli/rank_model.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/files.h"
#include "core/output_file.h"
#include "exchange/gzip.h"
#include "output/text/model_ranking_text.h"
#include "spec/added_options.h"
#include "spec/sweep_spec.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfileExample =
    "Examples:\n"
    "  warpwright profile gated_activation\n"
    "  warpwright profile softmax_topk --problem \"rows=1024 V=151936 K=20\" --sample-blocks 64 "
    "\\\n"
    "    --configuration \"variant=threshold THREADS=512\" --lines 12\n"
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

Problem choose_problem(const KernelSpec& kernel, const std::string& text, const Paths& paths) {
  if (!text.empty()) return parse_problem(kernel, text);
  const fs::path file = paths.home / "configs" / (kernel.name + ".yaml");
  if (fs::exists(file)) {
    const SweepSpec sweep = read_sweep(file);
    check_sweep(sweep, kernel);
    if (!sweep.emulated.empty())
      return complete_problem(kernel, sweep.emulated.front().sizes, sweep.emulated.front().where);
  }
  std::vector<std::string> sizes;
  for (const ProblemSizeSpec& size : kernel.problem)
    if (!size.default_value) sizes.push_back(size.name + "=...");
  throw user_error(
      fmt::format("kernel '{}': {} names no problem for emulated devices; name one: --problem "
                  "\"{}\"",
                  kernel.name, file.string(), fmt::join(sizes, " ")));
}

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
  if (chosen.empty()) chosen.push_back(default_configuration(kernel, kernel.variants.front()));
  return chosen;
}

// Returns the single emulated device that `wanted` names.
DeviceInfo choose_device(const std::string& wanted) {
  if (!wanted.starts_with("emu:")) {
    throw user_error(fmt::format(
        "--device {}: profile counts on the emulator only; try emu:sm_90a, or ncu on a GPU",
        wanted));
  }
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), wanted);
  if (devices.size() != 1) {
    throw user_error(
        fmt::format("--device {}: got {} devices, expected one", wanted, devices.size()));
  }
  return devices.front();
}

int hold_against(const ProfileArguments& arguments, const GlobalOptions& global) {
  Outputs outputs = arguments.outputs;
  outputs.reads(arguments.against);
  if (!arguments.save.empty()) outputs.require(arguments.save, kRankingOutput);
  ModelRankingOptions options{arguments.against, arguments.kernel, arguments.sample, arguments.seed,
                              arguments.options};
  options.profile.count_lines = false;
  ProfileRuns runs(find_paths(global.kernel_roots()), choose_device(arguments.device));
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
  const Problem problem = choose_problem(kernel, arguments.problem, paths);
  const std::vector<Configuration> configurations = choose_configurations(kernel, arguments);
  ProfileRuns runs(paths, choose_device(arguments.device));
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
          ->excludes("--configurations");
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
