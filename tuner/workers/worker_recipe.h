// Defines how workers are started: their number, commands and folders, and the memory each may use.
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

// Bytes of private memory per worker; 0 means unlimited.
struct WorkerMemory {
  std::uint64_t compile = 0;
  std::uint64_t emulate = 0;
  std::uint64_t gpu = 0;  // drivers map much that they never use
};

// Computes the memory limits of workers. One runaway worker must not take the machine down; if all
// of them run away at once, the kernel's OOM killer handles it, and takes workers first. Each
// compiler and each emulator may therefore use its share of 90 % of the available memory, but also
// up to 4 GiB or half of it (1 GiB at least) when the others need less; the limit of a GPU's
// measurer is 90 %. `setting` is WARPWRIGHT_MEMORY_LIMIT (null or empty: unset) and replaces all
// three limits. Throws Error (user) on an invalid setting.
[[nodiscard]] WorkerMemory worker_memory(std::optional<std::uint64_t> available, int workers,
                                         const char* setting);

// Options of a verb for its workers.
struct WorkerOptions {
  std::uint64_t seed = 1;    // of inputs
  int compile_workers = 0;   // 0: one per core
  int emulator_workers = 0;  // per emulated device; 0: one per core
  bool use_compile_cache = true;
  bool screening = true;                // stop measuring what cannot win
  std::optional<HazardPolicy> hazards;  // nullopt: usual_hazards() of the kernel
  bool strict = false;                  // TrialOptions::strict
};

// Returns the policy for findings of the checkers when none was given: the tree's own kernels must
// follow the rules, while kernels of users are known to work on the GPUs that they were written
// for.
[[nodiscard]] HazardPolicy usual_hazards(const Paths& paths, const KernelSpec& kernel);

// The one recipe by which every verb starts its workers. `paths` must outlive it.
class WorkerRecipe {
 public:
  // Prunes the cache unless it was pruned within the last hour. Throws Error (user) on a
  // WARPWRIGHT_MEMORY_LIMIT or WARPWRIGHT_CACHE_LIMIT that is not a limit.
  WorkerRecipe(const Paths& paths, const std::vector<DeviceInfo>& devices,
               const WorkerOptions& options = {});

  [[nodiscard]] CompilePoolOptions compilers() const;
  [[nodiscard]] MeasurePoolOptions measurers(const KernelSpec& kernel,
                                             const DeviceInfo& device) const;
  // The same on other machines: the compilers of all nodes, and one device of one node. The workers
  // of a machine share its memory; `devices` are those of the machine.
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

// Drops the code that a measuring worker does not need: each kind of device needs one of the two
// forms. For a GPU, PTX only shows whether lines are kept in L2.
void strip_for(const DeviceInfo& device, CompileResult& compiled);

}  // namespace warpwright
