// The world as it is: compile workers and measuring workers of this program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/progress.h"
#include "gate/check.h"

namespace warpwright {

struct WorkerWorldOptions {
  std::uint64_t seed = 1;
  int compile_workers = 0;   // 0: one per core
  int emulator_workers = 0;  // 0: one per core
};

// `paths` and `progress` must outlive the result, which answers one call at a time. The compile
// workers start with it. Throws Error (environment) when they cannot.
[[nodiscard]] GateWorld make_worker_world(const DeviceInfo& device, const Paths& paths,
                                          const WorkerWorldOptions& options, Progress& progress);

}  // namespace warpwright
