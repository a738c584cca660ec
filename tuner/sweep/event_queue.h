// What the pools tell the engine, in the order in which they told it. Any thread posts; one thread
// handles.
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
#include "trial/outcome.h"

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
// The same of a model's run (sweep/model_prior.h).
struct ModelledEvent {
  std::uint64_t job = 0;
  Outcome outcome;
  std::optional<Error> error;
};
// Something that people should know now.
struct NoticeEvent {
  std::string line;
};
// A machine with workers is gone.
struct NodeLostEvent {
  std::string line;
  bool last = false;  // there is none left
};
using SweepEvent =
    std::variant<CompiledEvent, MeasuredEvent, ModelledEvent, NoticeEvent, NodeLostEvent>;

class EventQueue {
 public:
  void post(SweepEvent event);
  // As post(), but returns when the event has been handled: what it decides may concern the very
  // next trial of the calling thread. Returns at once after close(), and where the caller is the
  // thread that handles.
  void post_and_wait(SweepEvent event);

  // Waits up to `patience` for an event, then handles all that were posted until now.
  void handle(std::chrono::milliseconds patience, const std::function<void(SweepEvent)>& handler);

  // Nobody will handle events any more.
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
