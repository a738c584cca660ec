// Starts a program as a worker process. Internal to core; others use Subprocess.
// Only async-signal-safe calls run between fork and exec, so any thread of a multithreaded parent
// may start workers.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "core/process/subprocess.h"

namespace warpwright {

// A descriptor that is closed on destruction.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) : value_(value) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, -1);
    }
    return *this;
  }
  [[nodiscard]] int get() const { return value_; }
  void reset();

 private:
  int value_ = -1;
};

struct SpawnedWorker {
  pid_t pid = -1;
  FileDescriptor to_worker;    // a socket, so that a write to a dead worker raises no SIGPIPE
  FileDescriptor from_worker;  // does not block
  FileDescriptor worker_stderr;
};

// Returns once the program has started. The worker is killed when the calling *thread* ends, so
// call this from a thread that lives on. Throws Error (environment) with the reason if the program
// cannot be started.
[[nodiscard]] SpawnedWorker spawn_worker(std::vector<std::string> arguments,
                                         const WorkerLimits& limits,
                                         const std::vector<std::string>& extra_environment);

}  // namespace warpwright
