// The interface of a worker process, wherever it runs: on this machine (Subprocess) or on another
// one (nodes/remote_process.h). Frames travel in both directions, in order. A worker may end at any
// moment, and so may its machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

struct WorkerLimits {
  std::uint64_t private_bytes = 0;  // of private writable memory (RLIMIT_DATA); 0: unlimited
};

// How a worker ended: exit code, or the signal that killed it.
struct ExitStatus {
  int code = 0;
  int signal = 0;
  [[nodiscard]] std::string describe()
      const;  // "exit code 3", "killed by signal 11 (Segmentation fault)"
};

// Returns true if the signal is raised by a fault of the program itself. All other signals come
// from outside: from the kernel when memory is short (SIGKILL), from time or file limits, from a
// disk that cannot provide a page (SIGBUS), or from users.
[[nodiscard]] bool is_own_fault(int signal);

// Used by one thread, except for kill().
class WorkerProcess {
 public:
  virtual ~WorkerProcess() = default;  // kills

  // Returns false if the worker has exited or did not accept the message in time; a negative
  // timeout waits without limit.
  [[nodiscard]] virtual bool send(const nlohmann::json& message,
                                  std::chrono::milliseconds timeout) = 0;

  enum class ReadResult { kMessage, kTimeout, kClosed };
  // Waits at most `timeout` for one whole frame; a negative timeout waits without limit. A
  // malformed frame counts as closed.
  [[nodiscard]] virtual ReadResult receive(nlohmann::json& message,
                                           std::chrono::milliseconds timeout) = 0;
  // Returns true if the channel was closed because of a malformed frame; the worker may be alive.
  [[nodiscard]] virtual bool sent_nonsense() const = 0;

  // Kills the worker and all processes that it started. Only this member may be called from another
  // thread, at any time.
  virtual void kill() = 0;
  [[nodiscard]] virtual std::optional<ExitStatus> try_wait() = 0;
  // The processor time it has used so far; nullopt if that is unknown or the worker has ended.
  [[nodiscard]] virtual std::optional<std::chrono::milliseconds> processor_time() {
    return std::nullopt;
  }
  // The tail of the worker's stderr; complete once the worker has been waited for.
  [[nodiscard]] virtual std::string stderr_tail() = 0;

  // "process 4711", "process 4711 on node7".
  [[nodiscard]] virtual std::string name() const = 0;
  // Returns true if the worker's machine is lost: how the worker ended then says nothing about its
  // work, and no other worker can be started there.
  [[nodiscard]] virtual bool place_lost() const { return false; }
};

// Starts a worker at one place. Throws Error (environment) if it cannot be started; if the place is
// lost, the result records that.
using WorkerLauncher = std::function<std::shared_ptr<WorkerProcess>(
    const std::vector<std::string>& command, const WorkerLimits& limits)>;

// Starts workers on this machine.
[[nodiscard]] std::shared_ptr<WorkerProcess> launch_here(const std::vector<std::string>& command,
                                                         const WorkerLimits& limits);

}  // namespace warpwright
