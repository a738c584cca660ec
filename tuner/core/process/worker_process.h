// A worker process as those that ask it see it, wherever it runs: here (Subprocess) or on another
// machine (nodes/remote_process.h). Frames go both ways, in order; a worker may end at any moment,
// and so may its machine.
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
  std::uint64_t private_bytes = 0;  // of private writable memory (RLIMIT_DATA); 0 is none
};

// How a worker ended: exit code, or the signal that killed it.
struct ExitStatus {
  int code = 0;
  int signal = 0;
  [[nodiscard]] std::string describe()
      const;  // "exit code 3", "killed by signal 11 (Segmentation fault)"
};

// Whether a program's own fault raises the signal. All others come from outside: from the kernel
// that is short of memory (SIGKILL), from limits of time or of files, from a disk that gave no page
// (SIGBUS), from people.
[[nodiscard]] bool is_own_fault(int signal);

// Used by one thread, except for kill().
class WorkerProcess {
 public:
  virtual ~WorkerProcess() = default;  // kills

  // False when the worker is gone, or did not take the message in time; a negative timeout waits
  // without limit.
  [[nodiscard]] virtual bool send(const nlohmann::json& message,
                                  std::chrono::milliseconds timeout) = 0;

  enum class ReadResult { kMessage, kTimeout, kClosed };
  // Waits at most `timeout` for one whole frame; a negative timeout waits without limit. A
  // malformed frame counts as closed.
  [[nodiscard]] virtual ReadResult receive(nlohmann::json& message,
                                           std::chrono::milliseconds timeout) = 0;
  // The channel is closed because a frame was malformed; the worker may be alive.
  [[nodiscard]] virtual bool sent_nonsense() const = 0;

  // Ends the worker and all it started. The one member that another thread may call at any time.
  virtual void kill() = 0;
  [[nodiscard]] virtual std::optional<ExitStatus> try_wait() = 0;
  // What it has used of processors so far; nullopt when that is not known, or it has ended.
  [[nodiscard]] virtual std::optional<std::chrono::milliseconds> processor_time() {
    return std::nullopt;
  }
  // What the worker wrote to stderr last; complete once the worker has been waited for.
  [[nodiscard]] virtual std::string stderr_tail() = 0;

  // "process 4711", "process 4711 on node7".
  [[nodiscard]] virtual std::string name() const = 0;
  // The machine that it was on is gone: how it ended says nothing about what it was doing, and no
  // other can be started there.
  [[nodiscard]] virtual bool place_lost() const { return false; }
};

// Starts a worker at one place. Throws Error (environment) when it cannot be started; where the
// place is lost, the result says so.
using WorkerLauncher = std::function<std::shared_ptr<WorkerProcess>(
    const std::vector<std::string>& command, const WorkerLimits& limits)>;

// On this machine.
[[nodiscard]] std::shared_ptr<WorkerProcess> launch_here(const std::vector<std::string>& command,
                                                         const WorkerLimits& limits);

}  // namespace warpwright
