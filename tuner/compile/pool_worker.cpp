#include "compile/pool_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/process/memory_limit.h"
#include "core/process/serve.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Loading NVRTC takes 10-30 ms, or much longer from a cold disk behind a network.
constexpr milliseconds kStartTimeout{60'000};
// A worker that closed its channel is about to exit; one that sent an invalid message may not be.
constexpr milliseconds kEndPatience{1000};
constexpr std::size_t kLastWordsBytes = 400;
// A fault that repeats is caused by the source.
constexpr int kMaxFaults = 2;
// The same limit as for measurers.
constexpr int kMaxStops = 3;
// The cause of the memory shortage may be gone after this pause.
constexpr milliseconds kPauseAfterStop{250};
// A compiler that has not used up its processor time is waiting for the machine; it gets this
// multiple of its limit.
constexpr int kSwampedFactor = 4;

double seconds(milliseconds time) { return static_cast<double>(time.count()) / 1000; }

// A worker's exit code 3 means an environment fault.
bool is_compilers_fault(const ExitStatus& status) {
  constexpr int kEnvironmentExit = 3;
  if (status.signal != 0) return is_own_fault(status.signal);
  return status.code >= 0 && status.code != kEnvironmentExit;
}

std::string last_words(WorkerProcess& process) {
  std::string text = process.stderr_tail();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (text.empty()) return "";
  if (text.size() > kLastWordsBytes) text = "..." + text.substr(text.size() - kLastWordsBytes);
  return "; its last output: " + text;
}

}  // namespace

PoolWorker::PoolWorker(std::vector<std::string> command, const WorkerLimits& limits,
                       WorkerLauncher launcher)
    : command_(std::move(command)), limits_(limits), launcher_(std::move(launcher)) {}

std::shared_ptr<WorkerProcess> PoolWorker::launch() {
  std::shared_ptr<WorkerProcess> process = launcher_(command_, limits_);
  const std::lock_guard lock(mutex_);
  // stop() may have been called while the process was starting.
  if (stopped_) return nullptr;
  process_ = process;
  return process;
}

WorkerGreeting PoolWorker::start() {
  {
    const std::lock_guard lock(mutex_);
    if (process_ != nullptr || stopped_) return greeting_;
  }
  const std::shared_ptr<WorkerProcess> process = launch();
  if (process == nullptr) return greeting_;
  nlohmann::json message;
  const auto read = process->receive(message, kStartTimeout);
  if (read == WorkerProcess::ReadResult::kMessage && message.is_object()) {
    const auto text = [&message](const char* field) {
      const auto found = message.find(field);
      return found != message.end() && found->is_string() ? found->get<std::string>() : "";
    };
    if (const auto error = reported_error(message)) {
      drop();
      throw environment_error(error->message());
    }
    if (const std::string compiler = text("compiler"); !compiler.empty()) {
      greeting_ = {text("nvrtc_version"), compiler};
      return greeting_;
    }
  }
  if (process->place_lost()) {
    place_lost_ = true;
    drop();
    return greeting_;
  }
  const bool late = read == WorkerProcess::ReadResult::kTimeout;
  const std::string ending = late ? "it said nothing for 60 s" : bury().text;
  drop();
  throw environment_error(
      fmt::format("the compile worker '{}' did not start: {}", command_[0], ending));
}

PoolWorker::Ending PoolWorker::bury() {
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard lock(mutex_);
    process = process_;
  }
  if (process == nullptr) return {"it was stopped", true};
  const auto patience = Clock::now() + kEndPatience;
  auto status = process->try_wait();
  while (!status && Clock::now() < patience) {
    std::this_thread::sleep_for(milliseconds(2));
    status = process->try_wait();
  }
  Ending ending;
  ending.text = status ? status->describe() : "it sent something that is not a message";
  ending.by_machine = status && !is_compilers_fault(*status);
  if (!status) process->kill();
  if (status && ended_out_of_memory(*status, process->stderr_tail())) {
    ending.text =
        fmt::format("it ran out of memory ({})", describe_memory_limit(limits_.private_bytes));
    ending.by_machine = true;
  }
  ending.text += last_words(*process);
  drop();
  return ending;
}

void PoolWorker::drop() {
  std::shared_ptr<WorkerProcess> process;
  const std::lock_guard lock(mutex_);
  process.swap(process_);
}

void PoolWorker::pause(milliseconds time) {
  std::unique_lock lock(mutex_);
  stopping_.wait_for(lock, time, [this] { return stopped_; });
}

WorkerProcess::ReadResult PoolWorker::await(WorkerProcess& process, nlohmann::json& message,
                                            milliseconds timeout) const {
  const std::optional<milliseconds> before = process.processor_time();
  milliseconds waited{0};
  for (milliseconds next = timeout;;) {
    const auto read = process.receive(message, next);
    waited += next;
    if (read != WorkerProcess::ReadResult::kTimeout || waited >= kSwampedFactor * timeout)
      return read;
    const std::optional<milliseconds> now = process.processor_time();
    if (!before || !now) return read;
    const milliseconds used = *now - *before;
    if (used >= timeout) return read;
    next = std::min(std::max(timeout - used, milliseconds(10)), kSwampedFactor * timeout - waited);
  }
}

std::optional<CompileResult> PoolWorker::attempt(const CompileJob& job, milliseconds timeout,
                                                 Ending& ending) {
  try {
    start();
  } catch (const Error& error) {
    ending = {error.message(), true};
    return std::nullopt;
  }
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard lock(mutex_);
    process = process_;
  }
  if (process == nullptr) return std::nullopt;
  const std::optional<milliseconds> before = process->processor_time();
  nlohmann::json message;
  // A worker that died while idle is detected here in the same way as one that dies on the job.
  const auto read = process->send(job, timeout) ? await(*process, message, timeout)
                                                : WorkerProcess::ReadResult::kClosed;
  if (read == WorkerProcess::ReadResult::kMessage) {
    try {
      auto result = message.get<CompileResult>();
      if (result.crashed) drop();  // short of memory, so its state is unknown
      return result;
    } catch (const nlohmann::json::exception&) {  // framed, but not a valid answer
    }
  }
  if (read == WorkerProcess::ReadResult::kTimeout) {
    const std::optional<milliseconds> now = process->processor_time();
    drop();
    CompileResult result;
    result.timed_out = true;
    result.by_machine = !before || !now || *now - *before < timeout;
    result.failure = fmt::format("compiler did not finish within {} s; killed", seconds(timeout));
    if (result.by_machine) {
      result.failure = fmt::format(
          "{}: the compiler did not finish, and the machine did not give it the {} s "
          "that it may have; killed",
          job.source.string(), seconds(timeout));
    }
    return result;
  }
  if (process->place_lost()) place_lost_ = true;
  ending = bury();
  if (read == WorkerProcess::ReadResult::kMessage)
    if (const auto error = reported_error(message)) ending.text += "; it said: " + error->message();
  return std::nullopt;
}

std::optional<CompileResult> PoolWorker::compile(const CompileJob& job, milliseconds timeout) {
  int faults = 0;  // caused by the compiler
  int stops = 0;   // caused by the machine
  for (;;) {
    Ending ending;
    std::optional<CompileResult> result = attempt(job, timeout, ending);
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return std::nullopt;
    }
    if (result) return result;
    if (place_lost_) return std::nullopt;
    ++(ending.by_machine ? stops : faults);
    if (faults == kMaxFaults) {
      result.emplace();
      result->crashed = true;
      result->failure = fmt::format("{}: the compiler died on this job, twice: {}",
                                    job.source.string(), ending.text);
      return result;
    }
    if (stops == kMaxStops) {
      result.emplace();
      result->crashed = result->by_machine = true;
      result->failure = fmt::format(
          "{}: the machine stopped the compiler {} times, which says nothing about "
          "the source; the last time: {}",
          job.source.string(), stops, ending.text);
      return result;
    }
    if (ending.by_machine) pause(kPauseAfterStop * stops);
  }
}

void PoolWorker::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (process_ != nullptr) process_->kill();
  stopping_.notify_all();
}

}  // namespace warpwright
