// Simulates ranks within one process: each has a link, whose messages can be delayed.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "nodes/node_link.h"

namespace warpwright::testing {

class FakeNetwork {
 public:
  explicit FakeNetwork(int ranks) : queues_(static_cast<std::size_t>(ranks)) {}

  // Delays messages from the rank until let_go().
  void hold(int rank) {
    const std::lock_guard lock(mutex_);
    held_.insert(rank);
  }
  void let_go(int rank) {
    const std::lock_guard lock(mutex_);
    held_.erase(rank);
    for (auto& [to, message] : late_[rank]) queues_[to].push_back(std::move(message));
    late_.erase(rank);
    arrived_.notify_all();
  }
  // Reports a rank as lost, as a link does that cannot send to it.
  void tell_lost(int to, int rank) {
    const std::lock_guard lock(mutex_);
    queues_[static_cast<std::size_t>(to)].push_back({rank, "", true});
    arrived_.notify_all();
  }
  // Returns the size of the largest message sent to the rank since the last call.
  [[nodiscard]] std::size_t largest_to(int rank) {
    const std::lock_guard lock(mutex_);
    const std::size_t largest = largest_[rank];
    largest_[rank] = 0;
    return largest;
  }

 private:
  friend class FakeLink;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::deque<NodeMessage>> queues_;
  std::set<int> held_;
  std::map<int, std::vector<std::pair<std::size_t, NodeMessage>>> late_;
  std::map<int, std::size_t> largest_;
};

class FakeLink final : public NodeLink {
 public:
  FakeLink(std::shared_ptr<FakeNetwork> network, int rank)
      : network_(std::move(network)), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return static_cast<int>(network_->queues_.size()); }
  void send(int to, std::string bytes) override {
    const std::lock_guard lock(network_->mutex_);
    network_->largest_[to] = std::max(network_->largest_[to], bytes.size());
    const auto queue = static_cast<std::size_t>(to);
    NodeMessage message{rank_, std::move(bytes)};
    if (network_->held_.contains(rank_)) {
      network_->late_[rank_].emplace_back(queue, std::move(message));
    } else {
      network_->queues_[queue].push_back(std::move(message));
      network_->arrived_.notify_all();
    }
  }
  void abandon(int) override {}
  std::optional<NodeMessage> receive(std::chrono::milliseconds timeout) override {
    std::unique_lock lock(network_->mutex_);
    std::deque<NodeMessage>& queue = network_->queues_[static_cast<std::size_t>(rank_)];
    if (!network_->arrived_.wait_for(lock, timeout, [&] { return !queue.empty(); }))
      return std::nullopt;
    NodeMessage message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

 private:
  std::shared_ptr<FakeNetwork> network_;
  int rank_;
};

}  // namespace warpwright::testing
