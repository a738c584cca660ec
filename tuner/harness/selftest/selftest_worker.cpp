#include "harness/selftest/selftest_worker.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "compile/compile_cache.h"
#include "compile/nvrtc.h"
#include "core/cache_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/notices.h"
#include "core/process/serve.h"
#include "core/process/subprocess.h"
#include "device/registry/device_registry.h"
#include "harness/selftest/coverage.h"
#include "harness/selftest/gate_runs.h"
#include "harness/selftest/ranking_section.h"
#include "harness/selftest/timers.h"

namespace warpwright {
namespace {

constexpr std::chrono::minutes kPatience{10};

// Compiles in this process, through the cache that sweeps use.
class CachedCompiler {
 public:
  explicit CachedCompiler(const std::filesystem::path& cache)
      : nvrtc_(require_toolchain()), cache_(cache, cache_limit_bytes()) {}

  CompileResult operator()(const CompileJob& job) const {
    const std::string key = cache_.key(job, nvrtc_.identity());
    if (std::optional<CompileResult> found = cache_.find(key)) return std::move(*found);
    CompileResult result = nvrtc_.compile(job);
    result.key = key;
    result.nvrtc_version = nvrtc_.version();
    cache_.store(key, result);
    return result;
  }
  [[nodiscard]] std::string version() const { return nvrtc_.version(); }

 private:
  Nvrtc nvrtc_;
  CompileCache cache_;
};

nlohmann::json carry_out(const nlohmann::json& message) {
  const auto setup = message.at("setup").get<HarnessSetup>();
  const nlohmann::json& task = message.at("task");
  const auto compiler = std::make_shared<CachedCompiler>(compile_cache_folder());
  if (task.at("do") == "identify") return {{"nvrtc", compiler->version()}};
  const std::unique_ptr<Device> device = open_device(setup.device);
  const Bench bench{*device, setup, [compiler](const CompileJob& job) { return (*compiler)(job); }};
  return do_task(bench, task);
}

}  // namespace

HarnessSetup make_harness_setup(const Paths& paths, const std::string& device) {
  HarnessSetup setup;
  setup.device = device;
  setup.common_headers = paths.common_headers();
  setup.cache_folder = reference_cache_folder();
  for (const char* kernel : {"harness_spin", "harness_stream"})
    setup.kernels[kernel] = {find_kernel_file(paths, kernel), paths.built_reference(kernel)};
  return setup;
}

nlohmann::json do_task(const Bench& bench, const nlohmann::json& task) {
  const std::string what = task.at("do").get<std::string>();
  if (what == "timer") {
    std::optional<std::int64_t> size;
    if (task.contains("size")) size = task.at("size").get<std::int64_t>();
    return report_timer(bench, task.at("kernel").get<std::string>(),
                        task.at("target_us").get<double>(), size);
  }
  if (what == "coverage") return measure_coverage(bench, task.at("measurements").get<int>());
  if (what == "gate") {
    return run_gate(bench, task.at("kernel").get<std::string>(), task.at("runs").get<int>(),
                    task.at("slower_permille").get<int>());
  }
  WARPWRIGHT_CHECK(what == "races", "every task of the selftest is known");
  return run_races(bench, task.at("races").get<int>(), task.at("slower_permille").get<int>());
}

nlohmann::json ask_selftest_worker(const std::vector<std::string>& command,
                                   const HarnessSetup& setup, const nlohmann::json& task) {
  const std::string what = task.at("do").get<std::string>();
  Subprocess worker(command);
  nlohmann::json reply;
  const auto result = worker.send({{"setup", setup}, {"task", task}})
                          ? worker.receive(reply, kPatience)
                          : Subprocess::ReadResult::kClosed;
  if (result == Subprocess::ReadResult::kTimeout) {
    worker.kill();
    throw environment_error(
        fmt::format("the process for '{}' gave no answer within {} min", what, kPatience.count()));
  }
  if (result == Subprocess::ReadResult::kClosed) {
    const std::string end = worker.wait().describe();
    throw environment_error(
        fmt::format("the process for '{}' died: {}: {}", what, end, worker.stderr_tail()));
  }
  hear_notices(reply);
  if (const auto error = reported_error(reply)) throw *error;
  return reply.at("result");
}

int selftest_worker_main() {
  WorkerChannel channel;
  return serve(channel, Serving::kOneMessage, [](nlohmann::json& message) -> nlohmann::json {
    return {{"result", carry_out(message)}};
  });
}

}  // namespace warpwright
