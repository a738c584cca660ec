// Rank 0's state of a worker process at another rank. Internal to nodes; other layers see a
// WorkerProcess.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/process/worker_process.h"
#include "nodes/packed_message.h"

namespace warpwright {

struct RemoteWorker {
  std::mutex mutex;  // for all below
  std::condition_variable changed;
  std::optional<long> process;       // its id there, once it has started
  std::optional<std::string> fault;  // why it was not started
  std::deque<nlohmann::json> inbox;
  bool closed = false;  // no more messages
  bool nonsense = false;
  bool killed = false;
  bool lost = false;  // with its machine
  std::optional<ExitStatus> status;
  std::string tail;
  Blobs last_parts;  // of the last message sent; its agent may request them
};

// The operations that a RemoteProcess needs from its node.
struct RemoteCalls {
  std::function<void(const nlohmann::json& order)> order;
  std::function<void(std::uint64_t worker, const PackedMessage& message)> send;
  std::function<void(std::uint64_t worker)> forget;
};

class RemoteProcess final : public WorkerProcess {
 public:
  RemoteProcess(std::uint64_t id, std::string node, std::shared_ptr<RemoteWorker> worker,
                RemoteCalls calls);
  ~RemoteProcess() override;
  RemoteProcess(const RemoteProcess&) = delete;
  RemoteProcess& operator=(const RemoteProcess&) = delete;

  // Hands the message over without confirmation; only later messages show whether the worker is
  // alive.
  [[nodiscard]] bool send(const nlohmann::json& message,
                          std::chrono::milliseconds timeout) override;
  [[nodiscard]] ReadResult receive(nlohmann::json& message,
                                   std::chrono::milliseconds timeout) override;
  [[nodiscard]] bool sent_nonsense() const override;
  void kill() override;
  [[nodiscard]] std::optional<ExitStatus> try_wait() override;
  [[nodiscard]] std::string stderr_tail() override;
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] bool place_lost() const override;

 private:
  std::uint64_t id_;
  std::string node_;
  std::shared_ptr<RemoteWorker> worker_;
  RemoteCalls calls_;
};

}  // namespace warpwright
