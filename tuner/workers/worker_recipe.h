// How workers are started: how many, their commands and folders, and the memory each may have.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compile/compile_pool.h"
#include "core/cache_folder.h"
#include "spec/hazard_policy.h"
#include "spec/kernel_spec.h"
#include "workers/measure_pool.h"
#include "workers/paths.h"
#include "workers/worker_node.h"

namespace warpwright {

// Bytes of private memory per worker; 0 is no limit.
struct WorkerMemory {
  std::uint64_t compile = 0;
  std::uint64_t emulate = 0;
  std::uint64_t gpu = 0;  // drivers map much that they never use
};

// One runaway must not take the machine down; all of them running away at once is left to the
// kernel's OOM killer, which takes workers first. So each compiler and each emulator may have its
// share of 90 % of what is available, but also as much as 4 GiB or half of it (1 GiB at least) when
// the others need less; a GPU's measurer may have 90 %. `setting` is WARPWRIGHT_MEMORY_LIMIT (null
// or empty: unset) and replaces all three. Throws Error (user) on a setting that is no limit.
[[nodiscard]] WorkerMemory worker_memory(std::optional<std::uint64_t> available, int workers,
                                         const char* setting);

// What a verb asks of its workers.
struct WorkerOptions {
  std::uint64_t seed = 1;    // of inputs
  int compile_workers = 0;   // 0: one per core
  int emulator_workers = 0;  // per emulated device; 0: one per core
  bool use_compile_cache = true;
  bool screening = true;                // stop measuring what cannot win
  std::optional<HazardPolicy> hazards;  // nullopt: usual_hazards() of the kernel
  bool strict = false;                  // TrialOptions::strict
};

// What findings of the checkers mean when nobody says: the tree's own kernels are held to the
// rules, those of others are known to work on the GPUs that they were written for.
[[nodiscard]] HazardPolicy usual_hazards(const Paths& paths, const KernelSpec& kernel);

// The one recipe by which every verb starts its workers. `paths` must outlive it.
class WorkerRecipe {
 public:
  // Prunes the cache when nobody has done so for an hour. Throws Error (user) on a
  // WARPWRIGHT_MEMORY_LIMIT or WARPWRIGHT_CACHE_LIMIT that is not a limit.
  WorkerRecipe(const Paths& paths, const std::vector<DeviceInfo>& devices,
               const WorkerOptions& options = {});

  [[nodiscard]] CompilePoolOptions compilers() const;
  [[nodiscard]] MeasurePoolOptions measurers(const KernelSpec& kernel,
                                             const DeviceInfo& device) const;
  // The same on other machines: compilers of all of them, and a device of one. Each machine's
  // workers share its memory; `devices` are those of the machine.
  [[nodiscard]] CompilePoolOptions compilers(
      const std::vector<WorkerNode>& nodes,
      const std::vector<std::vector<DeviceInfo>>& devices) const;
  [[nodiscard]] MeasureDevice measurer(const WorkerNode& node,
                                       const std::vector<DeviceInfo>& devices,
                                       const DeviceInfo& device) const;

 private:
  [[nodiscard]] WorkerMemory memory_of(const WorkerNode& node,
                                       const std::vector<DeviceInfo>& devices) const;

  const Paths& paths_;
  WorkerOptions options_;
  int compilers_ = 1;
  int emulators_ = 1;  // per emulated device
  WorkerMemory memory_;
  std::uint64_t cache_limit_ = cache_limit_bytes();
};

// Drops what need not travel to a measuring worker: each kind of device needs one of the two forms
// of code. For a GPU, PTX only tells whether lines are kept in L2.
void strip_for(const DeviceInfo& device, CompileResult& compiled);

}  // namespace warpwright
