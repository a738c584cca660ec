// Implements `warpwright describe`: runs one configuration on the emulator and shows what it did:
// arrays, roles of warps, barriers, asynchronous copies, shared memory, phases.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "cli/describe_text.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/profile_runs.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "spec/added_options.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

constexpr const char* kDescribeExample =
    "Examples:\n"
    "  warpwright describe rmsnorm_residual block_row\n"
    "  warpwright describe attention_prefill tma --problem "
    "\"heads=1,kv_heads=1,q_len=64,kv_len=256\"\n"
    "  warpwright describe softmax_topk threshold --set THREADS=128 --json\n"
    "Runs on the emulator, so it needs no GPU, and shows only what was observed there. Without\n"
    "VARIANT it is the contract's baseline, or its first variant; parameters that --set does not\n"
    "name keep their defaults. Without --problem it is the one that configs/KERNEL.yaml has for\n"
    "emulated devices, or the contract's first case. Nothing is validated: `warpwright sweep` "
    "does\n"
    "that.\n";

struct DescribeArguments {
  std::string kernel;
  std::string variant;
  std::vector<std::string> parameters;
  std::string problem;
  std::string device = "emu:sm_90a";
  std::uint64_t seed = 1;
  AddedArguments added;
};

Problem described_problem(const KernelSpec& kernel, const std::string& text, const Paths& paths) {
  if (std::optional<Problem> found = find_profiled_problem(kernel, text, paths)) return *found;
  if (kernel.cases.empty()) return profiled_problem(kernel, text, paths);
  return complete_problem(kernel, kernel.cases.front().problem, {kernel.file.string(), 0, 0});
}

int describe(const DescribeArguments& arguments, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  const KernelSpec kernel =
      with_added(read_kernel(find_kernel_file(paths, arguments.kernel)), arguments.added.parse());
  const Configuration configuration =
      configure_variant(kernel, arguments.variant, join(arguments.parameters, " "));
  const Problem problem = described_problem(kernel, arguments.problem, paths);
  const DeviceInfo device = emulated_device(arguments.device, "describe observes");
  if (const std::optional<Error> broken = constraint_error(kernel, configuration, problem, device))
    throw Error(*broken);
  ProfileRuns runs(paths, device);
  ProfileOptions options;
  options.count_lines = false;
  options.observe = true;
  const DescriptionHeading heading{kernel.name, kernel.summary, describe_problem(kernel, problem),
                                   device.id, device.name};
  int code = 0;
  runs.each(kernel, problem, {configuration}, arguments.seed, options,
            [&](const Configuration& described, const Profile& profile) {
              if (profile.status != Status::kOk) code = 1;
              if (global.json) {
                print_json(description_json(heading, described, profile), 1);
              } else {
                print_text(global, description_text(heading, described, profile, text_screen()));
              }
            });
  return code;
}

}  // namespace

void add_describe_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "describe", "A diagram of a kernel, drawn from a run on the emulator, without a GPU");
  auto arguments = std::make_shared<DescribeArguments>();
  verb->add_option("kernel", arguments->kernel, "A kernel's name")->required()->type_name("KERNEL");
  verb->add_option("variant", arguments->variant, "One of its variants")->type_name("VARIANT");
  verb->add_option("--set", arguments->parameters, "\"THREADS=256 UNROLL=2\"; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--problem", arguments->problem, "\"rows=4 V=1000 K=10\"")->type_name("TEXT");
  verb->add_option("--device", arguments->device, "An emulated one")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--seed", arguments->seed, "The seed of inputs")
      ->check(whole_number())
      ->capture_default_str();
  add_compiling_options(*verb, arguments->added);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kDescribeExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return describe(*arguments, global); };
  });
}

}  // namespace warpwright
