#include "nodes/hosted_worker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

// How often a quiet worker is checked: a grandchild may hold its pipes open after its end.
constexpr milliseconds kLifeInterval{500};
constexpr milliseconds kEndInterval{2};

}  // namespace

HostedWorker::HostedWorker(std::uint64_t id, std::vector<std::string> command,
                           const WorkerLimits& limits, Report report)
    : id_(id), report_(std::move(report)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  WARPWRIGHT_CHECK(wake_ >= 0, "an eventfd can be made");
  thread_ = std::thread([this, command = std::move(command), limits]() mutable {
    serve(std::move(command), limits);
    done_ = true;
  });
}

HostedWorker::~HostedWorker() {
  drop();
  thread_.join();
  ::close(wake_);
}

void HostedWorker::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t put = ::write(wake_, &one, sizeof(one));
}

void HostedWorker::tell(nlohmann::json report) {
  if (dropped_) return;
  report["worker"] = id_;
  report_(std::move(report));
}

void HostedWorker::send(nlohmann::json message) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(message));
  }
  wake();
}

void HostedWorker::kill() {
  const std::lock_guard lock(mutex_);
  killed_ = true;
  if (process_) process_->kill();
}

void HostedWorker::drop() {
  dropped_ = true;
  kill();
  wake();
}

bool HostedWorker::take(nlohmann::json& message) {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return false;
  message = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

void HostedWorker::serve(std::vector<std::string> command, const WorkerLimits& limits) {
  std::shared_ptr<Subprocess> process;
  try {
    process = std::make_shared<Subprocess>(std::move(command), limits);
  } catch (const Error& error) {
    return tell({{"is", "started"}, {"fault", error.message()}});
  }
  {
    const std::lock_guard lock(mutex_);
    process_ = process;
    if (killed_) process->kill();
  }
  tell({{"is", "started"}, {"process", process->pid()}});
  relay(*process);
  bury(*process);
  const std::lock_guard lock(mutex_);
  process_.reset();
}

// A message that is too large for a frame ends the worker, as it would have ended its sender here.
void HostedWorker::hand_over(Subprocess& process, const nlohmann::json& message) {
  try {
    static_cast<void>(process.send(message));
  } catch (const Error& error) {
    refused_ = error.message();
    process.kill();
  }
}

void HostedWorker::relay(Subprocess& process) {
  nlohmann::json message;
  while (!dropped_) {
    pollfd events[2] = {{process.read_descriptor(), POLLIN, 0}, {wake_, POLLIN, 0}};
    const int ready = ::poll(events, 2, static_cast<int>(kLifeInterval.count()));
    if (events[1].revents != 0) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_, &ignored, sizeof(ignored));
    }
    // A worker that is gone may have left answers, which are read below.
    while (take(message)) hand_over(process, message);
    if (ready < 0 || (ready > 0 && events[0].revents == 0)) continue;
    const milliseconds patience = ready == 0 ? milliseconds(1) : milliseconds(-1);
    const auto read = process.receive(message, patience);
    if (read == Subprocess::ReadResult::kClosed) return;
    if (read == Subprocess::ReadResult::kMessage)
      tell({{"is", "frame"}, {"message", std::move(message)}});
  }
}

void HostedWorker::bury(Subprocess& process) {
  const bool nonsense = process.sent_nonsense();
  auto status = process.try_wait();
  if (!status) tell({{"is", "closed"}, {"nonsense", nonsense}, {"tail", process.stderr_tail()}});
  while (!status && !dropped_) {
    std::this_thread::sleep_for(kEndInterval);
    status = process.try_wait();
  }
  if (!status) return;
  if (nonsense) tell({{"is", "closed"}, {"nonsense", true}, {"tail", ""}});
  tell({{"is", "gone"},
        {"code", status->code},
        {"signal", status->signal},
        {"tail", process.stderr_tail() + refused_}});
}

}  // namespace warpwright
