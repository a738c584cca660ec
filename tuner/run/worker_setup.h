// How a sweep starts its workers: commands, folders, and the memory that each may have.
#pragma once

#include <cstdint>
#include <optional>

#include "compile/compile_pool.h"
#include "run/measure_pool.h"
#include "run/sweep_plan.h"

namespace warpwright {

// Bytes of private memory per worker; 0 is no limit.
struct WorkerMemory {
  std::uint64_t compile = 0;
  std::uint64_t emulate = 0;
  std::uint64_t gpu = 0;  // drivers map much that they never use
};

// One runaway must not take the machine down; that all of them run away at once is left to the
// kernel's OOM killer, which takes workers first. So each compiler and each emulator may have its
// share of 90 % of what is available, but also as much as 4 GiB or half of it (1 GiB at least) when
// the others want less; a GPU's measurer may have 90 %. `setting` is WARPWRIGHT_MEMORY_LIMIT (null
// or empty: unset) and replaces all three. Throws Error (user) on a setting that is no limit.
[[nodiscard]] WorkerMemory worker_memory(std::optional<std::uint64_t> available, int workers,
                                         const char* setting);

// How many processes a sweep will run.
struct WorkerCounts {
  int compilers = 1;
  int emulators = 1;  // per emulated device
  int total = 1;
};
[[nodiscard]] WorkerCounts worker_counts(const SweepOptions& options, const SweepPlan& plan);

[[nodiscard]] CompilePoolOptions compile_pool_options(const SweepOptions& options,
                                                      const Paths& paths,
                                                      const WorkerCounts& counts,
                                                      const WorkerMemory& memory);
[[nodiscard]] MeasurePoolOptions measure_pool_options(const SweepOptions& options,
                                                      const Paths& paths, const SweepPlan& plan,
                                                      const DeviceInfo& device,
                                                      const WorkerCounts& counts,
                                                      const WorkerMemory& memory);

// Drops what need not travel to a measuring worker: each kind of device needs one of the two forms
// of code. A GPU learns from PTX only whether lines are kept in L2.
void strip_for(const DeviceInfo& device, CompileResult& compiled);

}  // namespace warpwright
