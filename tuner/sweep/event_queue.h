// The queue of events that the pools send to the engine, in the order of their arrival. Any thread
// posts; one thread handles.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "compile/compile_job.h"
#include "core/error.h"
#include "trial/launch/outcome.h"

namespace warpwright {

struct CompiledEvent {
  std::uint64_t ticket = 0;  // of the compile pool
  CompileResult result;
};
// The outcome of a task, or the Error that ended it.
struct MeasuredEvent {
  std::uint64_t task = 0;
  Outcome outcome;
  std::optional<Error> error = std::nullopt;
  std::size_t device = 0;  // of the plan
  bool device_lost = false;
};
// Returns whether the measurer lost its worker, or a launch took too long. Its thread waits for
// the decision that follows.
[[nodiscard]] inline bool costs_a_worker(const MeasuredEvent& event) {
  return event.outcome.worker_lost || event.outcome.status == Status::kTimeout;
}
// The same for the run of a model (sweep/model_prior.h).
struct ModelledEvent {
  std::uint64_t job = 0;
  Outcome outcome;
  std::optional<Error> error;
};
// A message that the user should see immediately.
struct NoticeEvent {
  std::string line;
};
// A machine with workers was lost.
struct NodeLostEvent {
  std::string line;
  bool last = false;  // no other machine is left
};
using SweepEvent =
    std::variant<CompiledEvent, MeasuredEvent, ModelledEvent, NoticeEvent, NodeLostEvent>;

class EventQueue {
 public:
  void post(SweepEvent event);
  // As post(), but returns when the event has been handled: the decision may affect the very next
  // trial of the calling thread. Returns at once after close(), and when the caller is the handling
  // thread.
  void post_and_wait(SweepEvent event);

  // Waits up to `patience` for an event, then handles all that were posted until now.
  void handle(std::chrono::milliseconds patience, const std::function<void(SweepEvent)>& handler);

  // No events will be handled from now on.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable handled_some_;
  std::deque<SweepEvent> events_;
  std::uint64_t posted_ = 0;
  std::uint64_t handled_ = 0;  // events are handled in the order posted
  bool listening_ = true;
  std::thread::id handler_;
};

}  // namespace warpwright
