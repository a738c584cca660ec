// Worker processes: start a program, exchange framed messages with it over its stdin and stdout,
// and learn how it ended. A frame is a 4-byte little-endian length, followed by that number of
// bytes of CBOR. Frames over 1 GiB are rejected. A worker dies with its parent (PR_SET_PDEATHSIG,
// and end of file on its stdin), so a killed orchestrator leaves nothing running. A worker has its
// own process group and ignores SIGINT: on Ctrl-C the orchestrator decides what happens to it. It
// inherits only its three standard descriptors and writes no core files. When the machine runs out
// of memory, the kernel kills workers first (oom_score_adj 1000), never the orchestrator.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/process/worker_process.h"

namespace warpwright {

class Subprocess final : public WorkerProcess {
 public:
  // Starts `arguments[0]` and keeps the last 64 KiB of its stderr. Throws Error (environment).
  // Extra variables have the form "NAME=value".
  Subprocess(std::vector<std::string> arguments, const WorkerLimits& limits = {},
             std::vector<std::string> extra_environment = {});
  ~Subprocess() override;  // kills and reaps
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  [[nodiscard]] pid_t pid() const;
  // The descriptor to poll() for readable messages.
  [[nodiscard]] int read_descriptor() const;

  [[nodiscard]] bool send(
      const nlohmann::json& message,
      std::chrono::milliseconds timeout = std::chrono::milliseconds(-1)) override;
  [[nodiscard]] ReadResult receive(nlohmann::json& message,
                                   std::chrono::milliseconds timeout) override;
  [[nodiscard]] bool sent_nonsense() const override;

  // Sends SIGKILL to the worker's process group.
  void kill() override;
  [[nodiscard]] std::optional<ExitStatus> try_wait() override;
  ExitStatus wait();
  [[nodiscard]] std::optional<std::chrono::milliseconds> processor_time() override;
  [[nodiscard]] std::string stderr_tail() override;
  [[nodiscard]] std::string name() const override;

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
  // Returns false at end of file: the parent has exited or closed the channel.
  [[nodiscard]] bool receive(nlohmann::json& message);
  void send(const nlohmann::json& message);  // thread-safe

 private:
  int in_ = -1;
  int out_ = -1;
};

}  // namespace warpwright
