// Compilers and measurers as one service for verbs: all jobs or requests are submitted at once, and
// the answers are returned in their order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/progress.h"
#include "workers/measure_pool.h"
#include "workers/measure_worker.h"
#include "workers/worker_recipe.h"

namespace warpwright {

// The interface of compilers and measurers to a verb; tests replace it with a stub.
struct WorkerWorld {
  DeviceInfo device;
  std::string nvrtc;
  // All jobs at once; results in their order.
  std::function<std::vector<CompileResult>(std::vector<CompileJob> jobs)> compile;
  // Requests about one kernel, in fresh worker processes; answers in their order.
  std::function<std::vector<MeasureAnswer>(
      const KernelSpec& kernel, std::vector<std::shared_ptr<const MeasureRequest>> requests)>
      ask;
  std::function<void(const std::string& step)> step = [](const std::string&) {};
};

// `paths` and `progress` must outlive the result, which answers one call at a time. The compile
// workers start with it. Throws Error (environment) when they cannot.
[[nodiscard]] WorkerWorld make_worker_world(const DeviceInfo& device, const Paths& paths,
                                            const WorkerOptions& options, Progress& progress);

}  // namespace warpwright
