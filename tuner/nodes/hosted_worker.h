// A worker process that an agent runs for rank 0. A thread of its own relays frames both ways, and
// its end is reported with its last output.
//
// Reports: {"is": "started", "process": 4711} or {"is": "started", "fault": "..."}; {"is": "frame",
// "message": {...}}; {"is": "closed", "nonsense": false, "tail": "..."} when nothing more comes;
// {"is": "gone", "code": 0, "signal": 9, "tail": "..."} when it has ended. All have "worker".
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "core/process/subprocess.h"

namespace warpwright {

class HostedWorker {
 public:
  using Report = std::function<void(nlohmann::json report)>;  // from the worker's thread

  HostedWorker(std::uint64_t id, std::vector<std::string> command, const WorkerLimits& limits,
               Report report);
  ~HostedWorker();  // kills the process and waits
  HostedWorker(const HostedWorker&) = delete;
  HostedWorker& operator=(const HostedWorker&) = delete;

  // None of these waits.
  void send(nlohmann::json message);
  void kill();
  // Kills the process and reports nothing more.
  void drop();
  // Returns whether it was dropped and is gone, so that destroying it takes no time.
  [[nodiscard]] bool done() const { return done_; }

 private:
  void serve(std::vector<std::string> command, const WorkerLimits& limits);
  void relay(Subprocess& process);
  void hand_over(Subprocess& process, const nlohmann::json& message);
  void bury(Subprocess& process);
  void wake() const;
  [[nodiscard]] bool take(nlohmann::json& message);
  void tell(nlohmann::json report);

  std::uint64_t id_;
  Report report_;
  int wake_ = -1;  // an eventfd
  std::mutex mutex_;
  std::deque<nlohmann::json> queue_;
  std::shared_ptr<Subprocess> process_;
  bool killed_ = false;
  std::string refused_;  // why a message could not be sent; used by the thread
  std::atomic<bool> dropped_ = false;
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

}  // namespace warpwright
