#include "run/worker_setup.h"

#include <algorithm>
#include <thread>

#include "core/files.h"
#include "core/memory_limit.h"
#include "run/watchdog.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kGib = 1ull << 30;
constexpr std::uint64_t kUsualNeed = 4 * kGib;

int cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace

WorkerMemory worker_memory(std::optional<std::uint64_t> available, int workers,
                           const char* setting) {
  if (setting != nullptr && *setting != '\0') {
    const std::uint64_t bytes = parse_memory_limit(setting, "WARPWRIGHT_MEMORY_LIMIT");
    return {bytes, bytes, bytes};
  }
  if (!available) return {};
  const std::uint64_t usable = *available / 10 * 9;
  const std::uint64_t share = usable / static_cast<std::uint64_t>(std::max(1, workers));
  const std::uint64_t one = std::max({share, std::min(kUsualNeed, *available / 2), kGib});
  return {one, one, std::max(usable, kGib)};
}

WorkerCounts worker_counts(const SweepOptions& options, const SweepPlan& plan) {
  WorkerCounts counts;
  counts.compilers = options.compile_workers > 0 ? options.compile_workers : cores();
  counts.emulators = options.emulator_slots > 0 ? options.emulator_slots : cores();
  counts.total = counts.compilers;
  // An emulated device is deterministic, so several processes may share it; a GPU times one trial
  // at a time.
  for (const DeviceInfo& device : plan.devices)
    counts.total += device.has_clock ? 1 : counts.emulators;
  return counts;
}

CompilePoolOptions compile_pool_options(const SweepOptions& options, const Paths& paths,
                                        const WorkerCounts& counts, const WorkerMemory& memory) {
  CompilePoolOptions compile;
  compile.workers = counts.compilers;
  compile.worker_command = {paths.program.string(), "worker", "compile"};
  compile.worker_private_bytes = memory.compile;
  if (options.use_compile_cache) compile.cache_folder = cache_root() / "compile";
  return compile;
}

MeasurePoolOptions measure_pool_options(const SweepOptions& options, const Paths& paths,
                                        const SweepPlan& plan, const DeviceInfo& device,
                                        const WorkerCounts& counts, const WorkerMemory& memory) {
  MeasurePoolOptions measure;
  measure.setup.device = device.id;
  measure.setup.kernel_file = plan.kernel.file;
  measure.setup.launch_contract = plan.kernel.launch_only;
  TrialOptions& trial = measure.setup.options;
  trial.seed = options.seed;
  trial.screening = options.screening;
  trial.launch_time_limit = launch_time_limit(device, std::nullopt);
  trial.reference_library = paths.built_reference(plan.kernel.name);
  // A folder from outside may bear the name of a kernel in the tree; its reference is its own.
  if (plan.kernel.folder.parent_path() != paths.home / "kernels") trial.reference_library.clear();
  trial.reference_include = paths.common_headers();
  trial.cache_folder = cache_root() / "reference";
  measure.worker_command = {paths.program.string(), "worker", "measure"};
  measure.limits.private_bytes = device.has_clock ? memory.gpu : memory.emulate;
  if (!device.has_clock) measure.slots = counts.emulators;
  return measure;
}

void strip_for(const DeviceInfo& device, CompileResult& compiled) {
  const bool keeps_lines = compiled.ptx.find("evict_last") != std::string::npos;
  if (!device.has_clock) {
    compiled.cubin.clear();
  } else if (!keeps_lines) {
    compiled.ptx.clear();
  }
  compiled.log.clear();
}

}  // namespace warpwright
