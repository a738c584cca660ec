#include "workers/worker_recipe.h"

#include <algorithm>
#include <cstdlib>

#include "core/cache_folder.h"
#include "core/process/memory_limit.h"
#include "core/usable_cores.h"
#include "trial/reference/reference.h"
#include "workers/watchdog.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kGib = 1ull << 30;
constexpr std::uint64_t kUsualNeed = 4 * kGib;

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

HazardPolicy usual_hazards(const Paths& paths, const KernelSpec& kernel) {
  return paths.is_own(kernel.folder) ? HazardPolicy::kReject : HazardPolicy::kWarn;
}

WorkerRecipe::WorkerRecipe(const Paths& paths, const std::vector<DeviceInfo>& devices,
                           const WorkerOptions& options)
    : paths_(paths),
      options_(options),
      compilers_(options.compile_workers > 0 ? options.compile_workers : usable_cores()),
      emulators_(options.emulator_workers > 0 ? options.emulator_workers : usable_cores()) {
  int total = compilers_;
  // An emulated device is deterministic, so several processes may share it; a GPU times one trial
  // at a time.
  for (const DeviceInfo& device : devices) total += device.has_clock ? 1 : emulators_;
  memory_ = worker_memory(available_memory_bytes(), total, std::getenv("WARPWRIGHT_MEMORY_LIMIT"));
  prune_cache_now_and_then(cache_limit_);
}

CompilePoolOptions WorkerRecipe::compilers() const {
  CompilePoolOptions compile;
  compile.workers = compilers_;
  compile.worker_command = {paths_.program.string(), "worker", "compile"};
  compile.worker_private_bytes = memory_.compile;
  compile.cache_cap_bytes = cache_limit_;
  if (options_.use_compile_cache) compile.cache_folder = compile_cache_folder();
  return compile;
}

WorkerMemory WorkerRecipe::memory_of(const WorkerNode& node,
                                     const std::vector<DeviceInfo>& devices) const {
  int total = options_.compile_workers > 0 ? options_.compile_workers : node.cores;
  for (const DeviceInfo& device : devices)
    total += device.has_clock                ? 1
             : options_.emulator_workers > 0 ? options_.emulator_workers
                                             : node.cores;
  return worker_memory(node.available_memory, total, node.memory_setting.c_str());
}

CompilePoolOptions WorkerRecipe::compilers(
    const std::vector<WorkerNode>& nodes,
    const std::vector<std::vector<DeviceInfo>>& devices) const {
  CompilePoolOptions compile = compilers();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const WorkerNode& node = nodes[i];
    compile.places.push_back({node.name, node.start,
                              options_.compile_workers > 0 ? options_.compile_workers : node.cores,
                              memory_of(node, devices[i]).compile});
  }
  return compile;
}

MeasureDevice WorkerRecipe::measurer(const WorkerNode& node, const std::vector<DeviceInfo>& devices,
                                     const DeviceInfo& device) const {
  const WorkerMemory memory = memory_of(node, devices);
  MeasureDevice place{device.id, 1, node.start, {memory.gpu}};
  if (device.has_clock) return place;
  place.slots = options_.emulator_workers > 0 ? options_.emulator_workers : node.cores;
  place.limits.private_bytes = memory.emulate;
  return place;
}

MeasurePoolOptions WorkerRecipe::measurers(const KernelSpec& kernel,
                                           const DeviceInfo& device) const {
  MeasurePoolOptions measure;
  measure.setup.device = device.id;
  measure.setup.kernel_file = kernel.file;
  measure.setup.launch_contract = kernel.launch_only;
  TrialOptions& trial = measure.setup.options;
  trial.seed = options_.seed;
  trial.screening = options_.screening;
  trial.launch_time_limit = launch_time_limit(device, std::nullopt);
  trial.reference_library = paths_.built_reference(kernel.name);
  // A folder outside the tree may have the name of a kernel in the tree, but has its own reference.
  if (!paths_.is_own(kernel.folder)) trial.reference_library.clear();
  trial.strict = options_.strict;
  trial.hazards = options_.hazards.value_or(usual_hazards(paths_, kernel));
  trial.reference_include = paths_.common_headers();
  trial.cache_folder = reference_cache_folder();
  measure.setup.texts = contract_texts(kernel, trial.reference_include);
  measure.worker_command = {paths_.program.string(), "worker", "measure"};
  measure.limits.private_bytes = device.has_clock ? memory_.gpu : memory_.emulate;
  if (!device.has_clock) measure.slots = emulators_;
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
