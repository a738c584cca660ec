#include "nodes/remote_worker.h"

#include <fmt/format.h>

#include <utility>

namespace warpwright {

RemoteProcess::RemoteProcess(std::uint64_t id, std::string node,
                             std::shared_ptr<RemoteWorker> worker, RemoteCalls calls)
    : id_(id), node_(std::move(node)), worker_(std::move(worker)), calls_(std::move(calls)) {}

RemoteProcess::~RemoteProcess() {
  calls_.order({{"do", "drop"}, {"worker", id_}});
  calls_.forget(id_);
}

bool RemoteProcess::send(const nlohmann::json& message, std::chrono::milliseconds) {
  PackedMessage packed = pack_message(message);
  {
    const std::lock_guard lock(worker_->mutex);
    if (worker_->lost || worker_->killed || worker_->closed) return false;
    worker_->last_parts = packed.blobs;
  }
  calls_.send(id_, packed);
  return true;
}

WorkerProcess::ReadResult RemoteProcess::receive(nlohmann::json& message,
                                                 std::chrono::milliseconds timeout) {
  std::unique_lock lock(worker_->mutex);
  const auto something = [this] {
    return !worker_->inbox.empty() || worker_->closed || worker_->killed || worker_->lost;
  };
  if (timeout.count() < 0) {
    worker_->changed.wait(lock, something);
  } else if (!worker_->changed.wait_for(lock, timeout, something)) {
    return ReadResult::kTimeout;
  }
  // Messages that it sent before it ended still count.
  if (worker_->inbox.empty()) return ReadResult::kClosed;
  message = std::move(worker_->inbox.front());
  worker_->inbox.pop_front();
  return ReadResult::kMessage;
}

bool RemoteProcess::sent_nonsense() const {
  const std::lock_guard lock(worker_->mutex);
  return worker_->nonsense;
}

void RemoteProcess::kill() {
  {
    const std::lock_guard lock(worker_->mutex);
    if (worker_->killed) return;
    worker_->killed = true;
  }
  worker_->changed.notify_all();
  calls_.order({{"do", "kill"}, {"worker", id_}});
}

std::optional<ExitStatus> RemoteProcess::try_wait() {
  const std::lock_guard lock(worker_->mutex);
  if (worker_->lost && !worker_->status) return ExitStatus{-1, 0};
  return worker_->status;
}

std::string RemoteProcess::stderr_tail() {
  const std::lock_guard lock(worker_->mutex);
  return worker_->tail;
}

std::string RemoteProcess::name() const {
  const std::lock_guard lock(worker_->mutex);
  return fmt::format("process {} of {}", worker_->process.value_or(0), node_);
}

bool RemoteProcess::place_lost() const {
  const std::lock_guard lock(worker_->mutex);
  return worker_->lost;
}

}  // namespace warpwright
