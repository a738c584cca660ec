// One compile worker process from the pool's side: started when first needed, replaced when it
// dies. Internal to compile.
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

// A worker's first message.
struct WorkerGreeting {
  std::string nvrtc_version;
  std::string compiler;  // Nvrtc::identity()
};

// Used by one thread, except for stop().
class PoolWorker {
 public:
  PoolWorker(std::vector<std::string> command, const WorkerLimits& limits,
             WorkerLauncher launcher = launch_here);

  // Starts the process unless it is running. Throws Error (environment) with the worker's message.
  WorkerGreeting start();
  // Compiles in the worker. A worker that uses up the limit of processor time is killed, and the
  // result is timed_out. After a fault of its own or an invalid answer, the job is tried once more
  // with a fresh process, and then the result is crashed. A job that the machine stops (README.md)
  // is tried three times, and then the result is by_machine. nullopt after stop(), and when the
  // place of its processes is lost.
  [[nodiscard]] std::optional<CompileResult> compile(const CompileJob& job,
                                                     std::chrono::milliseconds timeout);
  // Kills the process and refuses new ones; callable from any thread.
  void stop();
  [[nodiscard]] bool place_lost() const { return place_lost_; }

 private:
  // How a process ended without giving a result.
  struct Ending {
    std::string text;         // includes its last output
    bool by_machine = false;  // unrelated to the job
  };
  // Returns nullopt when the worker died; `ending` then says how.
  [[nodiscard]] std::optional<CompileResult> attempt(const CompileJob& job,
                                                     std::chrono::milliseconds timeout,
                                                     Ending& ending);
  // Waits for the answer until the worker has used up its processor time, or far longer if the
  // machine keeps it from running; false if there is no answer by then.
  [[nodiscard]] WorkerProcess::ReadResult await(WorkerProcess& process, nlohmann::json& message,
                                                std::chrono::milliseconds timeout) const;
  [[nodiscard]] std::shared_ptr<WorkerProcess> launch();
  // Drops the process and returns how it ended.
  [[nodiscard]] Ending bury();
  void drop();
  // Waits before a retry; returns at once when the worker is stopped.
  void pause(std::chrono::milliseconds time);

  std::vector<std::string> command_;
  WorkerLimits limits_;
  WorkerLauncher launcher_;
  std::mutex mutex_;  // protects process_ and stopped_
  std::condition_variable stopping_;
  std::shared_ptr<WorkerProcess> process_;
  bool stopped_ = false;
  std::atomic<bool> place_lost_ = false;
  WorkerGreeting greeting_;
};

}  // namespace warpwright
