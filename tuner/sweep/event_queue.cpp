#include "sweep/event_queue.h"

#include <utility>

namespace warpwright {

void EventQueue::post(SweepEvent event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    ++posted_;
  }
  wake_.notify_one();
}

void EventQueue::post_and_wait(SweepEvent event) {
  std::unique_lock lock(mutex_);
  events_.push_back(std::move(event));
  const std::uint64_t number = ++posted_;
  wake_.notify_one();
  if (std::this_thread::get_id() == handler_) return;
  handled_some_.wait(lock, [&] { return handled_ >= number || !listening_; });
}

void EventQueue::handle(std::chrono::milliseconds patience,
                        const std::function<void(SweepEvent)>& handler) {
  std::deque<SweepEvent> batch;
  {
    std::unique_lock lock(mutex_);
    handler_ = std::this_thread::get_id();
    wake_.wait_for(lock, patience, [this] { return !events_.empty(); });
    batch.swap(events_);
  }
  for (SweepEvent& event : batch) {
    handler(std::move(event));
    const std::lock_guard lock(mutex_);
    ++handled_;
  }
  handled_some_.notify_all();
}

void EventQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    listening_ = false;
  }
  handled_some_.notify_all();
}

}  // namespace warpwright
