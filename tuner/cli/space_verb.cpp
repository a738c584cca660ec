// Implements `warpwright space`: counts, lists, samples and checksums a search space without
// running anything.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/words.h"
#include "space/search_space.h"
#include "spec/versions.h"
#include "sweep/sweep_plan.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kSpaceExample =
    "Examples:\n"
    "  warpwright space configs/softmax_topk.yaml                  counts per problem\n"
    "  warpwright space configs/softmax_topk.yaml --sample 5 --seed 7\n"
    "  warpwright space convolution.yaml --checksum                a bare space: parameters and "
    "constraints only\n"
    "The checksums are over the set of valid configurations, each as its values in order: SHA-256 "
    "of the sorted\n"
    "lines `v1,...,vn`, and the sum of FNV-1a-style 64-bit hashes over the values.\n";

struct SpaceArguments {
  std::string config;
  std::string device = "auto";
  bool count = false;  // the default; accepted so that scripts can be explicit
  bool list = false;
  bool checksum = false;
  std::uint64_t sample = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> overrides;
};

struct NamedSpace {
  std::string problem_text;  // empty for a bare space
  std::string device;
  std::unique_ptr<SearchSpace> space;
  double seconds = 0;
};

struct Checksum {
  std::string sha256;
  std::uint64_t fnv64_sum = 0;
  bool integers = true;
};

Checksum checksum_of(const SearchSpace& space) {
  Checksum result;
  std::vector<std::string> lines;
  lines.reserve(space.count());
  std::map<std::string, std::vector<SearchSpace::Axis>> axes;
  for (const std::string& variant : space.variants()) axes[variant] = space.axes(variant);
  space.for_each([&](const Configuration& configuration) {
    std::string line;
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const SearchSpace::Axis& axis : axes.at(configuration.variant)) {
      const Value& value = configuration.values.at(axis.name);
      if (!line.empty()) line += ',';
      line += value.to_string();
      result.integers = result.integers && value.is_integer();
      if (result.integers)
        hash = (hash ^ static_cast<std::uint64_t>(value.as_integer())) * 0x100000001b3u;
    }
    lines.push_back(line + '\n');
    result.fnv64_sum += hash;
    return true;
  });
  std::sort(lines.begin(), lines.end());
  Sha256 sha;
  for (const std::string& line : lines) sha.raw(line);
  result.sha256 = sha.hex();
  return result;
}

NamedSpace timed_solve(const SpaceDefinition& definition) {
  const auto begin = std::chrono::steady_clock::now();
  NamedSpace result;
  result.space = solve_space(definition);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

std::vector<NamedSpace> solve_all(const SpaceArguments& arguments, const GlobalOptions& global) {
  SweepSpec sweep = read_sweep(config_file(arguments.config, global));
  std::vector<NamedSpace> spaces;
  if (sweep.kernel.empty()) {
    if (!arguments.overrides.empty())
      throw user_error("--set needs a sweep that names a kernel, got a bare space");
    spaces.push_back(timed_solve(define_space(sweep, nullptr, {}, {})));
    return spaces;
  }
  const KernelSpec kernel =
      read_kernel(find_kernel_file(find_paths(global.kernel_roots()), sweep.kernel));
  check_sweep(sweep, kernel);
  for (const std::string& line :
       apply_overrides(sweep, kernel, assignment_words(arguments.overrides)))
    print_message(global, fmt::format("warpwright: {}\n", line));
  for (const DeviceInfo& device : select_devices(query_devices(), arguments.device)) {
    for (const ProblemChoice& choice : sweep.problems) {
      const Problem problem = complete_problem(kernel, choice.sizes, choice.where);
      spaces.push_back(
          timed_solve(define_space(sweep, &kernel, problem, device_constants(device))));
      spaces.back().problem_text = describe_problem(kernel, problem);
      spaces.back().device = device.id;
    }
  }
  return spaces;
}

nlohmann::json configuration_json(const Configuration& configuration) {
  nlohmann::json json = {{"values", configuration.values}};
  if (!configuration.variant.empty()) json["variant"] = configuration.variant;
  return json;
}

// Calls `visit` for the configurations that --list or --sample selects.
void for_wanted(const SpaceArguments& arguments, const SearchSpace& space,
                const std::function<void(const Configuration&)>& visit) {
  if (arguments.sample > 0) {
    std::mt19937_64 generator(arguments.seed);
    for (const std::uint64_t index : space.sample(arguments.sample, generator))
      visit(space.at(index));
  } else if (arguments.list) {
    space.for_each([&](const Configuration& configuration) {
      visit(configuration);
      return true;
    });
  }
}

void print_spaces_json(const SpaceArguments& arguments, const std::vector<NamedSpace>& spaces) {
  nlohmann::json out = {{"spaces", nlohmann::json::array()}};
  for (const NamedSpace& named : spaces) {
    nlohmann::json json = {{"count", named.space->count()},
                           {"cartesian", named.space->cartesian_size()},
                           {"solve_seconds", named.seconds}};
    if (!named.problem_text.empty()) {
      json["problem_text"] = named.problem_text;
      json["device"] = named.device;
    }
    if (arguments.checksum) {
      const Checksum checksum = checksum_of(*named.space);
      json["sha256"] = checksum.sha256;
      if (checksum.integers) json["fnv64_sum"] = fmt::format("{:016x}", checksum.fnv64_sum);
    }
    if (arguments.list || arguments.sample > 0) {
      json["configurations"] = nlohmann::json::array();
      for_wanted(arguments, *named.space, [&](const Configuration& configuration) {
        json["configurations"].push_back(configuration_json(configuration));
      });
    }
    out["spaces"].push_back(std::move(json));
  }
  print_json(out);
}

void print_spaces(const SpaceArguments& arguments, const std::vector<NamedSpace>& spaces,
                  const GlobalOptions& global) {
  for (const NamedSpace& named : spaces) {
    const std::string where = named.problem_text.empty()
                                  ? ""
                                  : fmt::format("{} on {}: ", named.problem_text, named.device);
    const double cartesian = named.space->cartesian_size();
    print_text(global, fmt::format("{}{} valid of {:.6g} combinations, solved in {:.3g} s\n", where,
                                   named.space->count(), cartesian, named.seconds));
    if (arguments.checksum) {
      const Checksum checksum = checksum_of(*named.space);
      print("  sha256 {}\n", checksum.sha256);
      if (checksum.integers) print("  fnv64_sum {:016x}\n", checksum.fnv64_sum);
    }
    for_wanted(arguments, *named.space, [](const Configuration& configuration) {
      print("  {}\n", configuration.to_string());
    });
  }
}

}  // namespace

void add_space_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("space", "Count, list or sample a search space without running it");
  auto arguments = std::make_shared<SpaceArguments>();
  verb->add_option("config", arguments->config, "A sweep's YAML file, or a bare space")
      ->required()
      ->type_name("CONFIG");
  verb->add_flag("--count", arguments->count, "Counts only (the default)");
  verb->add_flag("--list", arguments->list, "Every valid configuration, in order");
  verb->add_option("--sample", arguments->sample, "N configurations drawn uniformly")
      ->type_name("N")
      ->check(whole_number(1));
  verb->add_flag("--checksum", arguments->checksum,
                 "Checksums over the set of valid configurations");
  verb->add_option("--seed", arguments->seed, "The seed of the sample")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--device", arguments->device, "Whose limits constraints use")
      ->capture_default_str();
  verb->add_option("--set", arguments->overrides,
                   "Override sizes or pin parameters: \"rows=1024 K=5\"; may be repeated")
      ->type_name("NAME=VALUE");
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kSpaceExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] {
      const std::vector<NamedSpace> spaces = solve_all(*arguments, global);
      global.json ? print_spaces_json(*arguments, spaces)
                  : print_spaces(*arguments, spaces, global);
      return 0;
    };
  });
}

}  // namespace warpwright
