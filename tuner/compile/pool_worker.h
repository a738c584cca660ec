// One compile worker process as the pool sees it: started when first needed, replaced when it dies.
// Internal to compile.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/process/worker_process.h"

namespace warpwright {

// What a worker says about itself when it starts.
struct WorkerGreeting {
  std::string nvrtc_version;
  std::string compiler;  // Nvrtc::identity()
};

// Used by one thread, except for stop().
class PoolWorker {
 public:
  PoolWorker(std::vector<std::string> command, const WorkerLimits& limits,
             WorkerLauncher launcher = launch_here);

  // Starts the process unless it is running. Throws Error (environment) with what the worker said.
  WorkerGreeting start();
  // Compiles in the worker. A worker that hangs is killed and the result is timed_out; one that
  // dies, or that answers nonsense, is tried once more with a fresh process, and then the result is
  // crashed. Throws Error (environment) when no process can be started. nullopt after stop(), and
  // where the place of its processes is lost.
  [[nodiscard]] std::optional<CompileResult> compile(const CompileJob& job,
                                                     std::chrono::milliseconds timeout);
  // Kills the process and refuses new ones; from any thread.
  void stop();
  [[nodiscard]] bool place_lost() const { return place_lost_; }

 private:
  // nullopt when the worker died; `ending` then says how.
  [[nodiscard]] std::optional<CompileResult> attempt(const CompileJob& job,
                                                     std::chrono::milliseconds timeout,
                                                     std::string& ending);
  [[nodiscard]] std::shared_ptr<WorkerProcess> launch();
  // How the process ended, and the last it wrote; drops it.
  [[nodiscard]] std::string bury();
  void drop();

  std::vector<std::string> command_;
  WorkerLimits limits_;
  WorkerLauncher launcher_;
  std::mutex mutex_;  // for process_ and stopped_
  std::shared_ptr<WorkerProcess> process_;
  bool stopped_ = false;
  std::atomic<bool> place_lost_ = false;
  WorkerGreeting greeting_;
};

}  // namespace warpwright
