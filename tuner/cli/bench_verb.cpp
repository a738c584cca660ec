// Implements `warpwright bench`: runs the best configurations under Google Benchmark, or with
// --graph compares kernels in sequence with the sum of their times.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/graph/graph_measurer.h"
#include "bench/graph/graph_report.h"
#include "bench/run_benchmarks.h"
#include "bench/selection.h"
#include "cli/device_claim.h"
#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "provenance/source_commit.h"
#include "provenance/trial_key.h"
#include "records/device_info.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

struct GraphBenchRequest {
  std::filesystem::path graph;
  std::string database;  // empty: the default database, if it exists
  DeviceInfo device;
};

// Prints the report. Returns the exit code: 0 if all results were correct, 1 if a run was wrong or
// failed.
[[nodiscard]] int bench_graph(const GraphBenchRequest& request, const Paths& paths,
                              const GlobalOptions& global) {
  const GraphSpec graph = read_graph(request.graph);
  const GraphPlans plans = plan_graph(graph, paths, request.device, request.database);
  for (const std::string& note : plans.notes)
    print_message(global, fmt::format("warpwright: {}\n", note));
  GraphReport report;
  report.graph = graph.name;
  report.summary = graph.summary;
  report.model = graph.model;
  report.device_id = request.device.id;
  report.device_name = request.device.name;
  report.fingerprint = request.device.fingerprint();
  report.modelled = !request.device.has_clock;
  report.database = plans.database;
  const std::unique_ptr<GraphMeasurer> measurer = make_graph_measurer(paths, request.device);
  bool all_right = true;
  for (const GraphPlan& plan : plans.plans) {
    report.runs.push_back({&plan, measurer->run(plan)});
    judge_steps(plan, request.device, plans.peaks, report.runs.back().result);
    all_right = all_right && report.runs.back().ok();
  }
  if (global.json) {
    print_json(graph_json(report));
  } else {
    print_text(global, graph_text(report, text_screen()));
  }
  return all_right ? 0 : 1;
}

constexpr const char* kBenchExample =
    "Examples:\n"
    "  warpwright bench                               the best of everything tuned on this device\n"
    "  warpwright bench softmax_topk --benchmark_filter=V:50257 --benchmark_repetitions=5\n"
    "  warpwright bench gated_activation --problem \"rows=128 d=14336\" \\\n"
    "    --configuration \"THREADS=512\"\n"
    "  warpwright bench attention_prefill --version V0..V4      named versions instead of the "
    "best\n"
    "  warpwright bench --benchmark_out=new.json && compare.py benchmarks old.json new.json\n"
    "  warpwright bench --graph configs/graphs/llama-3-8b-layer.yaml\n"
    "Every option of Google Benchmark is taken, as --benchmark_NAME=VALUE; --json is\n"
    "--benchmark_format=json. A sample is one cold launch (L2 evicted, an empty kernel's time\n"
    "subtracted), so a benchmark takes a multiple of --benchmark_min_time.\n"
    "--graph runs kernels in sequence, outputs feeding inputs, as one CUDA graph, and compares it\n"
    "with the sum of its kernels (configs/graphs/README.md); on an emulated device, step by step.\n"
    "Exit code 0 when all were timed, 1 when one was wrong or failed, 2 on bad input.\n";

struct BenchArguments {
  DeviceClaim claim;
  std::vector<std::string> words;  // kernels, and Google's options after --
  std::string database;
  std::string device = "auto";
  std::vector<std::string> configurations;
  std::vector<std::string> problems;
  std::vector<std::string> versions, overrides;
  std::string graph;
  Outputs outputs;
};

// Separates kernels from Google's options, on whichever side of `--` they are.
void sort_words(const std::vector<std::string>& words, std::vector<std::string>& kernels,
                std::vector<std::string>& options) {
  for (const std::string& word : words) {
    if (is_google_flag(word)) {
      options.push_back(word);
    } else if (word.starts_with("-")) {
      throw user_error(fmt::format(
          "unexpected argument '{}'; Google Benchmark's options begin with --benchmark_, ours are "
          "in `warpwright bench --help`",
          word));
    } else {
      kernels.push_back(word);
    }
  }
}

BenchContext make_context(const Paths& paths, const DeviceInfo& device,
                          const BenchSelection& selection, const GoogleFlags& flags) {
  const std::string commit = source_commit(paths.home);
  BenchContext context = {
      {"warpwright", version_text()},
      {"commit", commit.empty() ? "unknown" : commit},
      {"device", device.id},
      {"device_name", device.name},
      {"driver", device.driver},
      {"fingerprint", device.fingerprint()},
      {"validation", kTrialProtocol},
      {"protocol", device.has_clock ? "measured cold, cold-graph-3 unless the label says otherwise"
                                    : "modelled from counters, model-1; not measured"},
      {"database", selection.database.empty() ? "none" : selection.database}};
  if (!flags.list) context["nvrtc"] = ask_nvrtc_version(paths);
  return context;
}

DeviceInfo one_device(const std::string& wanted) {
  std::vector<DeviceInfo> devices = select_devices(query_devices(), wanted);
  if (devices.size() == 1) return std::move(devices.front());
  throw user_error(fmt::format("--device {}: got {} devices, expected one; run bench for each",
                               wanted, devices.size()));
}

// A graph has its own kernels, problems and configurations, and no benchmarks.
int run_graph(BenchArguments& arguments, const std::vector<std::string>& words,
              const GlobalOptions& global) {
  const std::string other = !words.empty()                      ? words.front()
                            : !arguments.configurations.empty() ? "--configuration"
                            : !arguments.problems.empty()       ? "--problem"
                            : !arguments.versions.empty()       ? "--version"
                            : !arguments.overrides.empty()      ? "--set"
                                                                : "";
  if (!other.empty()) {
    throw user_error(
        fmt::format("--graph {}: got {} as well, expected none; the file says what runs",
                    arguments.graph, other));
  }
  const Paths paths = find_paths(global.kernel_roots());
  const DeviceInfo device = one_device(arguments.device);
  arguments.claim.take({device}, global);
  return bench_graph({config_file(arguments.graph, global), arguments.database, device}, paths,
                     global);
}

int run(BenchArguments& arguments, const std::vector<std::string>& rest,
        const GlobalOptions& global) {
  BenchRequest request;
  std::vector<std::string> options = {};
  std::vector<std::string> words = arguments.words;
  words.insert(words.end(), rest.begin(), rest.end());
  if (!arguments.graph.empty()) return run_graph(arguments, words, global);
  sort_words(words, request.kernels, options);
  const GoogleFlags flags = check_google_flags(options, global.json);
  Outputs& outputs = arguments.outputs;
  outputs.reads(std::filesystem::path(arguments.database));
  if (!flags.out.empty()) outputs.require(flags.out, kBenchOutput);
  request.database = arguments.database;
  request.configurations = arguments.configurations;
  request.problems = arguments.problems;
  request.versions = join(arguments.versions, ",");
  request.overrides = assignment_words(arguments.overrides);
  const Paths paths = find_paths(global.kernel_roots());
  const DeviceInfo device = one_device(arguments.device);
  const BenchSelection selection = select_bench_cases(request, paths, device);
  for (const std::string& note : selection.notes)
    print_message(global, fmt::format("warpwright: {}\n", note));
  if (!flags.list) arguments.claim.take({device}, global);
  const std::unique_ptr<BenchMeasurer> measurer = make_worker_measurer(paths, device);
  const BenchResult result =
      run_benchmarks(selection.cases, flags, make_context(paths, device, selection, flags),
                     *measurer, selection.peaks);
  if (result.error) throw *result.error;
  return result.failed > 0 ? 1 : 0;
}

}  // namespace

void add_bench_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("bench", "Time the best configurations under Google Benchmark");
  auto arguments = std::make_shared<BenchArguments>();
  verb->add_option("kernels", arguments->words,
                   "Kernels; those with results of this device when none is given")
      ->type_name("KERNEL");
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_option("--device", arguments->device, "auto, cuda:0 or emu:sm_90a; one")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--configuration", arguments->configurations,
                   "Also this one: \"variant=threshold THREADS=256\"; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  verb->add_option("--problem", arguments->problems,
                   "This problem: \"rows=8192 V=50257 K=10\"; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  add_version_option(*verb, arguments->versions, "These named versions instead of the best");
  verb->add_option("--set", arguments->overrides,
                   "Change a parameter of the versions: \"STAGES=3\"; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--graph", arguments->graph,
                   "Kernels in sequence instead, as in configs/graphs/")
      ->type_name("FILE.yaml");
  arguments->claim.add_option(*verb);
  verb->allow_extras();
  arguments->outputs.add_option(*verb);
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kBenchExample);
  verb->callback([arguments, context, verb] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global, rest = verb->remaining()] {
      return run(*arguments, rest, global);
    };
  });
}

}  // namespace warpwright
