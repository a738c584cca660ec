#include "core/process/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <ctime>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/process/frame.h"
#include "core/process/spawn.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kStderrTailBytes = 64u << 10;
// How often a wait checks that the worker is still alive: a grandchild may hold the pipes open
// after the worker's end.
constexpr milliseconds kLifeCheckInterval{500};
// A killed process that is blocked in a driver call may be slow to die; the wait is bounded.
constexpr milliseconds kReapPatience{5000};
constexpr milliseconds kStderrPatience{1000};

class Deadline {
 public:
  explicit Deadline(milliseconds timeout)
      : endless_(timeout.count() < 0), end_(Clock::now() + std::max(timeout, milliseconds(0))) {}
  [[nodiscard]] bool passed() const { return !endless_ && Clock::now() >= end_; }
  // The timeout for poll(): the remaining time, rounded up, but at most the interval of the life
  // check.
  [[nodiscard]] int slice() const {
    if (endless_) return static_cast<int>(kLifeCheckInterval.count());
    const auto left = std::chrono::ceil<milliseconds>(end_ - Clock::now());
    return static_cast<int>(std::clamp(left, milliseconds(0), kLifeCheckInterval).count());
  }

 private:
  bool endless_;
  Clock::time_point end_;
};

}  // namespace

std::string ExitStatus::describe() const {
  if (signal == 0) return fmt::format("exit code {}", code);
  const char* name = ::strsignal(signal);
  return fmt::format("killed by signal {} ({})", signal, name != nullptr ? name : "unknown");
}

bool is_own_fault(int signal) {
  return signal == SIGSEGV || signal == SIGABRT || signal == SIGILL || signal == SIGFPE ||
         signal == SIGTRAP;
}

struct Subprocess::Impl {
  SpawnedWorker worker;
  FrameReader reader;
  bool broken = false;    // the channel is closed, or a frame was malformed or cut short
  bool nonsense = false;  // a frame was malformed

  std::mutex status_mutex;
  std::optional<ExitStatus>
      status;  // set once, when the worker is reaped; its pid is invalid from then on

  std::mutex tail_mutex;
  std::condition_variable tail_ended;
  std::string tail;
  bool tail_complete = false;

  FileDescriptor stop{::eventfd(0, EFD_CLOEXEC)};
  // Starts the worker and collects its stderr. This thread lives as long as the object, because the
  // kernel kills the worker when the thread that started it ends, and because a full stderr pipe
  // would block the worker while no caller is receiving.
  std::thread keeper;

  void keep(std::promise<void>& started, std::vector<std::string> arguments,
            const WorkerLimits& limits, const std::vector<std::string>& environment);
  void collect_stderr();
  [[nodiscard]] bool exited() const;
  std::optional<ExitStatus> reap();
};

void Subprocess::Impl::keep(std::promise<void>& started, std::vector<std::string> arguments,
                            const WorkerLimits& limits,
                            const std::vector<std::string>& environment) {
  // Leave the signals of the program to its other threads.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
  try {
    worker = spawn_worker(std::move(arguments), limits, environment);
  } catch (...) {
    started.set_exception(std::current_exception());
    return;
  }
  started.set_value();
  collect_stderr();
  {
    const std::lock_guard lock(tail_mutex);
    tail_complete = true;
  }
  tail_ended.notify_all();
  pollfd stopped{stop.get(), POLLIN, 0};
  while (::poll(&stopped, 1, -1) < 0 && errno == EINTR) {
  }
}

void Subprocess::Impl::collect_stderr() {
  std::string piece(4096, '\0');
  for (;;) {
    pollfd events[2] = {{worker.worker_stderr.get(), POLLIN, 0}, {stop.get(), POLLIN, 0}};
    if (::poll(events, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (events[1].revents != 0) return;
    if (events[0].revents == 0) continue;
    const ssize_t got = ::read(worker.worker_stderr.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    const std::lock_guard lock(tail_mutex);
    tail.append(piece, 0, static_cast<std::size_t>(got));
    // Trim rarely, so that copying stays linear for a worker that writes a lot.
    if (tail.size() > 2 * kStderrTailBytes) tail.erase(0, tail.size() - kStderrTailBytes);
  }
}

bool Subprocess::Impl::exited() const {
  siginfo_t info{};
  const int result =
      ::waitid(P_PID, static_cast<id_t>(worker.pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return (result < 0 && errno == ECHILD) || (result == 0 && info.si_pid != 0);
}

std::optional<ExitStatus> Subprocess::Impl::reap() {
  const std::lock_guard lock(status_mutex);
  if (status || !exited()) return status;
  // Also kill the processes that the worker started. Until the worker is reaped, no other process
  // group can get its id.
  ::kill(-worker.pid, SIGKILL);
  int raw = 0;
  pid_t waited = -1;
  do {
    waited = ::waitpid(worker.pid, &raw, 0);
  } while (waited < 0 && errno == EINTR);
  status.emplace();
  if (waited < 0) {
    status->code = -1;  // the program ignores SIGCHLD, and the kernel forgot how the worker ended
  } else if (WIFSIGNALED(raw)) {
    status->signal = WTERMSIG(raw);
  } else {
    status->code = WEXITSTATUS(raw);
  }
  return status;
}

Subprocess::Subprocess(std::vector<std::string> arguments, const WorkerLimits& limits,
                       std::vector<std::string> extra_environment)
    : impl_(std::make_unique<Impl>()) {
  std::promise<void> started;
  impl_->keeper = std::thread([this, &started, &limits, &arguments, &extra_environment] {
    impl_->keep(started, std::move(arguments), limits, extra_environment);
  });
  try {
    started.get_future().get();
  } catch (...) {
    impl_->keeper.join();
    throw;
  }
}

Subprocess::~Subprocess() {
  kill();
  const Deadline deadline(kReapPatience);
  while (!impl_->reap() && !deadline.passed()) std::this_thread::sleep_for(milliseconds(1));
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t put = ::write(impl_->stop.get(), &one, sizeof(one));
  impl_->keeper.join();
}

pid_t Subprocess::pid() const { return impl_->worker.pid; }

int Subprocess::read_descriptor() const { return impl_->worker.from_worker.get(); }

bool Subprocess::send(const nlohmann::json& message, milliseconds timeout) {
  const std::string frame = encode_frame(message);
  const Deadline deadline(timeout);
  const int descriptor = impl_->worker.to_worker.get();
  for (std::size_t sent = 0; sent < frame.size() && !impl_->broken;) {
    const ssize_t put =
        ::send(descriptor, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put > 0) {
      sent += static_cast<std::size_t>(put);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd writable{descriptor, POLLOUT, 0};
      if (::poll(&writable, 1, deadline.slice()) > 0) continue;
      if (deadline.passed() || impl_->exited()) impl_->broken = true;
    } else if (errno != EINTR) {
      return false;  // messages sent before the worker died can still be received
    }
  }
  return !impl_->broken;
}

Subprocess::ReadResult Subprocess::receive(nlohmann::json& message, milliseconds timeout) {
  const Deadline deadline(timeout);
  const int descriptor = read_descriptor();
  std::string piece;
  bool last_look = false;
  while (!impl_->broken) {
    piece.resize(impl_->reader.wanted());
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got > 0) {
      const auto state =
          impl_->reader.add(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
      if (state == FrameReader::State::kIncomplete && deadline.passed()) break;
      if (state == FrameReader::State::kIncomplete) continue;
      auto received = state == FrameReader::State::kComplete ? impl_->reader.take() : std::nullopt;
      if (!received) {
        impl_->broken = impl_->nonsense = true;
        break;
      }
      message = std::move(*received);
      return ReadResult::kMessage;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK) || last_look) {
      impl_->broken = true;
      break;
    }
    if (deadline.passed()) break;
    pollfd readable{descriptor, POLLIN, 0};
    // A worker that has exited may have left a last message in the pipe: read once more before
    // giving up.
    if (::poll(&readable, 1, deadline.slice()) == 0) last_look = impl_->exited();
  }
  return impl_->broken ? ReadResult::kClosed : ReadResult::kTimeout;
}

std::string Subprocess::name() const { return fmt::format("process {}", pid()); }

bool Subprocess::sent_nonsense() const { return impl_->nonsense; }

void Subprocess::kill() {
  const std::lock_guard lock(impl_->status_mutex);
  if (!impl_->status) ::kill(-impl_->worker.pid, SIGKILL);
}

std::shared_ptr<WorkerProcess> launch_here(const std::vector<std::string>& command,
                                           const WorkerLimits& limits) {
  return std::make_shared<Subprocess>(command, limits);
}

std::optional<ExitStatus> Subprocess::try_wait() { return impl_->reap(); }

ExitStatus Subprocess::wait() {
  for (;;) {
    if (const auto status = impl_->reap()) return *status;
    siginfo_t info{};
    // Wait without reaping and without the lock: kill() must be able to proceed from another
    // thread.
    ::waitid(P_PID, static_cast<id_t>(impl_->worker.pid), &info, WEXITED | WNOWAIT);
  }
}

std::optional<milliseconds> Subprocess::processor_time() {
  const std::lock_guard lock(impl_->status_mutex);  // the pid cannot be reused meanwhile
  if (impl_->status) return std::nullopt;
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(impl_->worker.pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0)
    return std::nullopt;
  return std::chrono::duration_cast<milliseconds>(std::chrono::seconds(used.tv_sec) +
                                                  std::chrono::nanoseconds(used.tv_nsec));
}

std::string Subprocess::stderr_tail() {
  std::unique_lock lock(impl_->tail_mutex);
  bool reaped = false;
  {
    const std::lock_guard status_lock(impl_->status_mutex);
    reaped = impl_->status.has_value();
  }
  if (reaped) {
    impl_->tail_ended.wait_for(lock, kStderrPatience, [this] { return impl_->tail_complete; });
  }
  const std::size_t begin = impl_->tail.size() - std::min(impl_->tail.size(), kStderrTailBytes);
  return impl_->tail.substr(begin);
}

namespace {

int duplicate(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) {
    throw environment_error(fmt::format(
        "descriptor {} is not open: this program is a worker and is started by warpwright itself",
        descriptor));
  }
  return copy;
}

}  // namespace

WorkerChannel::WorkerChannel() : in_(duplicate(STDIN_FILENO)), out_(duplicate(STDOUT_FILENO)) {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  // Nothing else may consume part of a frame.
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
}

WorkerChannel::~WorkerChannel() {
  ::close(in_);
  ::close(out_);
}

bool WorkerChannel::receive(nlohmann::json& message) {
  FrameReader frame;
  std::string piece;
  for (auto state = FrameReader::State::kIncomplete; state != FrameReader::State::kComplete;) {
    piece.resize(frame.wanted());
    const ssize_t got = ::read(in_, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;  // a frame truncated by the end of the parent is not a message
    state = frame.add(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    if (state == FrameReader::State::kMalformed) return false;
  }
  auto received = frame.take();
  if (!received) return false;
  message = std::move(*received);
  return true;
}

void WorkerChannel::send(const nlohmann::json& message) {
  static std::mutex one_at_a_time;  // a process has one channel
  const std::string frame = encode_frame(message);
  const std::lock_guard lock(one_at_a_time);
  for (std::size_t sent = 0; sent < frame.size();) {
    const ssize_t put = ::write(out_, frame.data() + sent, frame.size() - sent);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw environment_error("the process that started this worker is gone");
    sent += static_cast<std::size_t>(put);
  }
}

}  // namespace warpwright
