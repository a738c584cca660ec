// Worker processes: start a program, exchange framed messages with it over its stdin and stdout,
// and know how it ended. A frame is a 4-byte little-endian length and that many bytes of CBOR.
// Frames over 1 GiB are refused. A worker dies with its parent (PR_SET_PDEATHSIG, and end of file
// on its stdin), so a killed orchestrator leaves nothing running. It has its own process group and
// ignores SIGINT: on Ctrl-C the orchestrator decides what becomes of it. A worker inherits no
// descriptors but its standard three, and writes no core files. When the machine runs out
// of memory the kernel takes workers first (oom_score_adj 1000), never the orchestrator.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
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

class Subprocess {
 public:
  // Starts `arguments[0]`; its stderr is kept (the last 64 KiB). Throws Error (environment).
  // Extra variables have the form "NAME=value".
  Subprocess(std::vector<std::string> arguments, const WorkerLimits& limits = {},
             std::vector<std::string> extra_environment = {});
  ~Subprocess();  // kills and reaps
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  [[nodiscard]] pid_t pid() const;
  // The descriptor to poll() for readable messages.
  [[nodiscard]] int read_descriptor() const;

  // False when the worker is gone, or did not take the message in time; a negative timeout waits
  // without limit.
  [[nodiscard]] bool send(const nlohmann::json& message,
                          std::chrono::milliseconds timeout = std::chrono::milliseconds(-1));

  enum class ReadResult { kMessage, kTimeout, kClosed };
  // Waits at most `timeout` for one whole frame; a negative timeout waits without limit. A
  // malformed frame counts as closed.
  [[nodiscard]] ReadResult receive(nlohmann::json& message, std::chrono::milliseconds timeout);
  // The channel is closed because a frame was malformed; the worker may be alive.
  [[nodiscard]] bool sent_nonsense() const;

  // SIGKILL to the worker's process group. The one member that another thread may call at any time.
  void kill();
  [[nodiscard]] std::optional<ExitStatus> try_wait();
  ExitStatus wait();
  // What the worker wrote to stderr last; complete once the worker has been waited for.
  [[nodiscard]] std::string stderr_tail();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The worker's side: blocking frames on stdin and stdout. The constructor moves the real stdout
// aside and points descriptor 1 at stderr, so that a library that prints cannot break the framing.
class WorkerChannel {
 public:
  WorkerChannel();
  ~WorkerChannel();
  // False at end of file: the parent is gone or closed the channel.
  [[nodiscard]] bool receive(nlohmann::json& message);
  void send(const nlohmann::json& message);

 private:
  int in_ = -1;
  int out_ = -1;
};

}  // namespace warpwright
