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
#include "core/process/subprocess.h"

namespace warpwright {

// What a worker says about itself when it starts.
struct WorkerGreeting {
  std::string nvrtc_version;
  std::string compiler;  // Nvrtc::identity()
};

// Used by one thread, except for stop().
class PoolWorker {
 public:
  PoolWorker(std::vector<std::string> command, const WorkerLimits& limits);

  // Starts the process unless it is running. Throws Error (environment) with what the worker said.
  WorkerGreeting start();
  // Compiles in the worker. A worker that hangs is killed and the result is timed_out; one that
  // dies, or that answers nonsense, is tried once more with a fresh process, and then the result is
  // crashed. Throws Error (environment) when no process can be started. nullopt after stop().
  [[nodiscard]] std::optional<CompileResult> compile(const CompileJob& job,
                                                     std::chrono::milliseconds timeout);
  // Kills the process and refuses new ones; from any thread.
  void stop();

 private:
  // nullopt when the worker died; `ending` then says how.
  [[nodiscard]] std::optional<CompileResult> attempt(const CompileJob& job,
                                                     std::chrono::milliseconds timeout,
                                                     std::string& ending);
  [[nodiscard]] std::shared_ptr<Subprocess> launch();
  // How the process ended, and the last it wrote; drops it.
  [[nodiscard]] std::string bury();
  void drop();

  std::vector<std::string> command_;
  WorkerLimits limits_;
  std::mutex mutex_;  // for process_ and stopped_
  std::shared_ptr<Subprocess> process_;
  bool stopped_ = false;
  WorkerGreeting greeting_;
};

}  // namespace warpwright
