// One compile worker process as the pool sees it: started when first needed, replaced when it dies.
// Internal to compile.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
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
  // Compiles in the worker. One that uses its processors for as long as the limit says is killed,
  // and the result is timed_out. One that dies of a fault of its own, or that answers nonsense, is
  // tried once more with a fresh process, and then the result is crashed. What the machine stops
  // (README.md) is tried three times, and then the result is by_machine. nullopt after stop(), and
  // where the place of its processes is lost.
  [[nodiscard]] std::optional<CompileResult> compile(const CompileJob& job,
                                                     std::chrono::milliseconds timeout);
  // Kills the process and refuses new ones; from any thread.
  void stop();
  [[nodiscard]] bool place_lost() const { return place_lost_; }

 private:
  // How a process ended that gave no result.
  struct Ending {
    std::string text;         // with the last that it wrote
    bool by_machine = false;  // whatever it was doing has nothing to do with it
  };
  // nullopt when the worker died; `ending` then says how.
  [[nodiscard]] std::optional<CompileResult> attempt(const CompileJob& job,
                                                     std::chrono::milliseconds timeout,
                                                     Ending& ending);
  // Waits for the answer until the worker has used the time, or far longer where the machine does
  // not let it; false when it has not come by then.
  [[nodiscard]] WorkerProcess::ReadResult await(WorkerProcess& process, nlohmann::json& message,
                                                std::chrono::milliseconds timeout) const;
  [[nodiscard]] std::shared_ptr<WorkerProcess> launch();
  // Drops the process.
  [[nodiscard]] Ending bury();
  void drop();
  // Before another try; at once when the worker is stopped.
  void pause(std::chrono::milliseconds time);

  std::vector<std::string> command_;
  WorkerLimits limits_;
  WorkerLauncher launcher_;
  std::mutex mutex_;  // for process_ and stopped_
  std::condition_variable stopping_;
  std::shared_ptr<WorkerProcess> process_;
  bool stopped_ = false;
  std::atomic<bool> place_lost_ = false;
  WorkerGreeting greeting_;
};

}  // namespace warpwright
