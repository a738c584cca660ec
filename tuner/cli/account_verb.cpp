// Implements `warpwright account`: what every variant of a kernel moves and calculates on one
// problem, by the emulator's counts and by the contract's formulas, and how long that takes at the
// ceilings of named GPUs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bench/account.h"
#include "bench/bench_case.h"
#include "cli/account_text.h"
#include "cli/option_checks.h"
#include "cli/print.h"
#include "cli/profile_runs.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "provenance/trial_key.h"
#include "spec/accounting.h"
#include "spec/gpu_file.h"
#include "trial/launch/launch_plan.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kAccountExample =
    "Examples:\n"
    "  warpwright account softmax_topk                          all variants, with their defaults\n"
    "  warpwright account softmax_topk --at a100 --at rtx5090 --problem \"rows=8 V=2000 K=10\"\n"
    "  warpwright account softmax_topk --formulas --problem \"rows=8192 V=50257 K=10\"\n"
    "  warpwright account attention_prefill --version V0..V4\n"
    "  warpwright account softmax_topk threshold --set CAPACITY=2048 --json\n"
    "Runs on the emulator, so it needs no GPU. A launch counts as moving each byte once, and as\n"
    "leaving nothing in caches for the next; \"traffic x\" is that traffic over the bytes that "
    "must\n"
    "move at least, \"asked for x\" is the same of all requests of warps. \"special\" counts "
    "results\n"
    "of the special-function units: exponentials, reciprocals, square roots. Every block is run,\n"
    "so problems should be small: --formulas shows the contract's `accounting`, for any size and\n"
    "without a run. Exit code 0, 1 when a variant failed to run, 2 on bad input.\n";

struct AccountArguments {
  std::string kernel, variant, problem;
  std::vector<std::string> overrides, versions, gpus;
  std::string device = "emu:sm_90a";
  std::uint64_t seed = 1;
  bool formulas = false;
};

Problem accounted_problem(const KernelSpec& kernel, const std::string& text, const Paths& paths) {
  if (std::optional<Problem> found = find_profiled_problem(kernel, text, paths)) return *found;
  if (kernel.cases.empty()) return profiled_problem(kernel, text, paths);
  return complete_problem(kernel, kernel.cases.front().problem, {kernel.file.string(), 0, 0});
}

// The baseline's defaults come first if anything is compared with them.
std::vector<Account> chosen_accounts(const KernelSpec& kernel, const AccountArguments& arguments,
                                     const GlobalOptions& global) {
  std::vector<Account> chosen;
  const auto add = [&](const std::string& title, Configuration configuration) {
    Account account;
    account.title = title;
    account.configuration = std::move(configuration);
    chosen.push_back(std::move(account));
  };
  if (!arguments.versions.empty()) {
    for (const ChosenVersion& version : bench_versions(kernel, join(arguments.versions, ","),
                                                       assignment_words(arguments.overrides))) {
      if (!version.change.empty())
        print_message(global, fmt::format("warpwright: {}\n", version.change));
      add(version.title, {version.variant, version.values});
    }
  } else if (!arguments.variant.empty()) {
    Configuration configuration =
        configure_variant(kernel, arguments.variant, join(arguments.overrides, " "));
    add(arguments.variant, std::move(configuration));
  } else {
    if (!arguments.overrides.empty())
      throw user_error(
          fmt::format("--set \"{}\": expected a VARIANT or --version, whose parameters it changes",
                      join(arguments.overrides, " ")));
    for (const VariantSpec& variant : kernel.variants)
      add(variant.name, default_configuration(kernel, variant));
  }
  if (kernel.baseline.empty()) return chosen;
  const Configuration baseline =
      default_configuration(kernel, *kernel.find_variant(kernel.baseline));
  auto found = std::find_if(chosen.begin(), chosen.end(), [&](const Account& account) {
    return account.configuration == baseline;
  });
  if (found == chosen.end()) {
    add(kernel.baseline, baseline);
    std::rotate(chosen.begin(), chosen.end() - 1, chosen.end());
    found = chosen.begin();
  }
  found->baseline = true;
  return chosen;
}

void add_formulas(AccountSheet& sheet, const KernelSpec& kernel, const Problem& problem,
                  const DeviceInfo& device) {
  for (const VariantAccounting& formulas : read_accounting(kernel)) {
    for (Account& account : sheet.accounts) {
      if (account.refused || account.configuration.variant != formulas.variant) continue;
      account.formula = formula_amounts(
          formulas, trial_environment(kernel, account.configuration, problem, device),
          kernel.work.arithmetic);
      for (const AccountingKey& key : kAccountingKeys)
        if (const std::optional<Expr>& formula = formulas.*key.member)
          account.formulas[key.name] = std::string(trim(formula->text()));
    }
  }
}

// Runs those that the constraints allow. Returns false if one of them failed.
bool count(AccountSheet& sheet, const KernelSpec& kernel, const Problem& problem, ProfileRuns& runs,
           std::uint64_t seed) {
  std::vector<Account*> counted;
  std::vector<Configuration> configurations;
  for (Account& account : sheet.accounts) {
    if (account.refused) continue;
    counted.push_back(&account);
    configurations.push_back(account.configuration);
  }
  ProfileOptions options;
  options.count_lines = false;
  options.observe = true;
  bool all = true;
  std::size_t at = 0;
  runs.each(kernel, problem, configurations, seed, options,
            [&](const Configuration&, const Profile& profile) {
              Account& account = *counted[at++];
              if (profile.status == Status::kOk) {
                account.counted = counted_amounts(profile);
              } else {
                account.failed = profile.reason;
                all = false;
              }
            });
  return all;
}

int account(const AccountArguments& arguments, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  const KernelSpec kernel = read_kernel(find_kernel_file(paths, arguments.kernel));
  const Problem problem = accounted_problem(kernel, arguments.problem, paths);
  const DeviceInfo device = emulated_device(arguments.device, "account counts");
  AccountSheet sheet;
  sheet.kernel = kernel.name;
  sheet.summary = kernel.summary;
  sheet.problem = describe_problem(kernel, problem);
  sheet.device = device.id;
  for (const std::string& gpu : arguments.gpus)
    sheet.gpus.push_back(find_gpu(gpu, paths.home / "configs" / "gpus"));
  sheet.accounts = chosen_accounts(kernel, arguments, global);
  for (Account& account : sheet.accounts) {
    account.sources = variant_hash(kernel, *kernel.find_variant(account.configuration.variant),
                                   {kernel.folder, paths.common_headers()});
    account.refused = constraint_error(kernel, account.configuration, problem, device);
  }
  const Environment environment =
      trial_environment(kernel, sheet.accounts.front().configuration, problem, device);
  sheet.compulsory_bytes = kernel.work.bytes.evaluate_real(environment);
  sheet.flops = kernel.work.flops.evaluate_real(environment);
  sheet.counted = !arguments.formulas;
  add_formulas(sheet, kernel, problem, device);
  bool all = true;
  if (sheet.counted) {
    ProfileRuns runs(paths, device);
    all = count(sheet, kernel, problem, runs, arguments.seed);
  }
  if (global.json) {
    print_json(account_json(sheet), 1);
  } else {
    print_text(global, account_text(sheet, text_screen()));
  }
  return all ? 0 : 1;
}

}  // namespace

void add_account_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "account", "Bytes, operations and times at a GPU's ceilings of all variants, without a GPU");
  auto arguments = std::make_shared<AccountArguments>();
  verb->add_option("kernel", arguments->kernel, "A kernel's name")->required()->type_name("KERNEL");
  CLI::Option* variant =
      verb->add_option("variant", arguments->variant, "Only this variant, and the baseline")
          ->type_name("VARIANT");
  verb->add_option("--set", arguments->overrides,
                   "Change a parameter of VARIANT or of the versions: \"THREADS=128\"; may be "
                   "repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_version_option(*verb, arguments->versions, "These named versions, and the baseline");
  variant->excludes("--version");
  verb->add_option("--problem", arguments->problem, "\"rows=4 V=1000 K=10\"")->type_name("TEXT");
  verb->add_option("--at", arguments->gpus,
                   "Times at the ceilings of this GPU of configs/gpus, or of a file like theirs; "
                   "may be repeated")
      ->type_name("GPU")
      ->allow_extra_args(false)
      ->default_str("h200");
  verb->add_flag("--formulas", arguments->formulas,
                 "Only the contract's formulas, for problems of any size");
  verb->add_option("--device", arguments->device, "An emulated one")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--seed", arguments->seed, "The seed of inputs")
      ->check(whole_number())
      ->capture_default_str();
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kAccountExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    if (arguments->gpus.empty()) arguments->gpus = {"h200"};
    context.action = [arguments, &global] { return account(*arguments, global); };
  });
}

}  // namespace warpwright
