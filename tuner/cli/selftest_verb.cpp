// Implements `warpwright selftest`: shows what the harness proves about its own numbers, on the
// available GPU.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/device_claim.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/files.h"
#include "harness/selftest/selftest.h"
#include "harness/selftest/selftest_worker.h"
#include "terminal/progress.h"

namespace warpwright {
namespace {

constexpr const char* kSelftestExample =
    "Examples:\n"
    "  warpwright selftest                          everything\n"
    "  warpwright selftest --only bias,cv,wall      how true and how steady single times are\n"
    "  warpwright selftest --quick --json           a look, for machines\n"
    "  warpwright selftest --report-one spin --target-us 50\n"
    "Exit code 0 when every target is met, 1 when one is not, 2 on a device without a clock.\n"
    "Sections: bias, cv, wall, coverage, aa, slowdown, ranking, tau, picks, faults.\n";

struct SelftestArguments {
  DeviceClaim claim;
  std::string device = "auto";
  std::string only;
  int processes = 0;  // 0: the default count
  bool quick = false;
  bool quiet = false;
  std::string save;
  std::string report_one;
  double target_us = 50;
  std::int64_t size = 0;  // 0: the target's default
  Outputs outputs;
};

SelftestOptions options_of(const SelftestArguments& arguments) {
  SelftestOptions options;
  if (!arguments.only.empty()) options.sections = parse_sections(arguments.only);
  if (arguments.quick) options.counts = quick_counts();
  if (arguments.processes > 0) options.counts.processes = arguments.processes;
  options.quick = arguments.quick;
  options.version = version_text();
  return options;
}

int report_one(const SelftestArguments& arguments, const Workers& workers) {
  nlohmann::json task = {
      {"do", "timer"}, {"kernel", arguments.report_one}, {"target_us", arguments.target_us}};
  if (arguments.size > 0) task["size"] = arguments.size;
  print_json(workers.ask(task), -1);
  return 0;
}

int run(SelftestArguments& arguments, const GlobalOptions& global) {
  const SelftestOptions options = options_of(arguments);
  const Paths paths = find_paths(global.kernel_roots());
  if (!arguments.save.empty()) arguments.outputs.require(arguments.save, kSelftestOutput);
  const DeviceInfo device = provable_device(query_devices(), arguments.device);
  arguments.claim.take({device}, global);
  const HarnessSetup setup = make_harness_setup(paths, device.id);

  Progress progress(stderr_progress("selftest", arguments.quiet || !arguments.report_one.empty()));
  progress.set_total(planned_steps(options));
  std::size_t step = 0;
  Workers workers;
  workers.step = [&](const std::string& note) { progress.update(step++, note); };
  workers.ask = [&](const nlohmann::json& task) {
    return ask_selftest_worker({paths.program.string(), "worker", "selftest"}, setup, task);
  };
  if (!arguments.report_one.empty()) return report_one(arguments, workers);

  const SpaceTruth truth(paths.home / "configs" / "harness_spin.yaml",
                         setup.kernels.at("harness_spin").file, device);
  SelftestReport report;
  try {
    report = run_selftest(options, device, workers, sweep_runner(paths, device.id), truth);
  } catch (const Interrupted&) {
    progress.finish();
    print_error("warpwright: interrupted; a selftest that is not finished proves nothing\n");
    return 130;
  }
  progress.update(step, "done");
  progress.finish();
  const std::string json = selftest_json(report).dump(2) + "\n";
  if (!arguments.save.empty()) write_output(arguments.save, json);
  if (global.json) {
    print_json_text(json);
  } else {
    print_text(global, selftest_text(report, text_screen()));
  }
  return report.met() == report.targets() ? 0 : 1;
}

}  // namespace

void add_selftest_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "selftest", "Test on this GPU how accurate, steady and fast the harness's own numbers are");
  auto arguments = std::make_shared<SelftestArguments>();
  verb->add_option("--device", arguments->device, "auto or cuda:0; one with a clock")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--only", arguments->only, "These sections, with commas")->type_name("SECTIONS");
  verb->add_option("--processes", arguments->processes,
                   "Fresh processes for each size of bias, cv and wall [20]")
      ->check(CLI::Range(2, 1000));
  verb->add_option("--save", arguments->save,
                   "Also write the JSON, with all raw numbers, to a file")
      ->type_name("FILE");
  verb->add_flag("--quick", arguments->quick, "Fewer repetitions: a look, not a proof");
  CLI::Option* one = verb->add_option("--report-one", arguments->report_one,
                                      "Time one kernel, spin or stream, in one fresh process and "
                                      "print one line of JSON; for scripts/record/compare_timers");
  one->check(CLI::IsMember({"spin", "stream"}));
  verb->add_option("--target-us", arguments->target_us,
                   "Approximate time that --report-one should take")
      ->check(CLI::Range(1.0, 1e6))
      ->needs(one)
      ->capture_default_str();
  verb->add_option("--size", arguments->size,
                   "Exact number of steps of spin or rows of stream for --report-one")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{2'000'000'000}))
      ->needs(one);
  arguments->claim.add_option(*verb);
  verb->add_flag("--quiet", arguments->quiet, "No progress on stderr");
  arguments->outputs.add_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kSelftestExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
