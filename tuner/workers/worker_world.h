// Workers for callers that wait for them: a compile pool for one thread, the jobs of one case at a
// time, and compilers and measurers as one service for verbs. All jobs or requests are submitted at
// once, and the answers are returned in their order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_pool.h"
#include "core/error.h"
#include "terminal/progress.h"
#include "workers/measure_pool.h"
#include "workers/measure_worker.h"
#include "workers/worker_recipe.h"

namespace warpwright {

// For callers that cannot represent an unknown result. Throws Error (environment) with the first
// failure that the machine caused.
void refuse_what_the_machine_stopped(const std::vector<CompileResult>& results);

class BlockingCompiler {
 public:
  // Throws Error (environment) when there is no compiler.
  explicit BlockingCompiler(CompilePoolOptions options);
  // Returns the results in the order of the jobs. Throws Error (environment) when the machine
  // stopped one of them.
  [[nodiscard]] std::vector<CompileResult> compile(std::vector<CompileJob> jobs);
  [[nodiscard]] std::string nvrtc_version() const { return pool_.nvrtc_version(); }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::uint64_t, CompileResult> done_;  // by ticket
  CompilePool pool_;                             // last: its threads write the above
};

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
