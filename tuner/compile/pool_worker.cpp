#include "compile/pool_worker.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/process/memory_limit.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Loading NVRTC takes 10-30 ms; a cold disk behind a network may take long.
constexpr milliseconds kStartTimeout{60'000};
// A worker that closed its channel is about to end; one that sent nonsense may not be.
constexpr milliseconds kEndPatience{1000};
constexpr std::size_t kLastWordsBytes = 400;

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
  // stop() may have come while the process was being started.
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
    if (const std::string error = text("error"); !error.empty()) {
      drop();
      throw environment_error(error);
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
  const std::string ending = late ? "it said nothing for 60 s" : bury();
  drop();
  throw environment_error(
      fmt::format("the compile worker '{}' did not start: {}", command_[0], ending));
}

std::string PoolWorker::bury() {
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard lock(mutex_);
    process = process_;
  }
  if (process == nullptr) return "it was stopped";
  const auto patience = Clock::now() + kEndPatience;
  auto status = process->try_wait();
  while (!status && Clock::now() < patience) {
    std::this_thread::sleep_for(milliseconds(2));
    status = process->try_wait();
  }
  std::string ending = status ? status->describe() : "it sent something that is not a message";
  if (!status) process->kill();
  if (status && ended_out_of_memory(*status, process->stderr_tail())) {
    ending = fmt::format("it ran out of memory ({})", describe_memory_limit(limits_.private_bytes));
  }
  ending += last_words(*process);
  drop();
  return ending;
}

void PoolWorker::drop() {
  std::shared_ptr<WorkerProcess> process;
  const std::lock_guard lock(mutex_);
  process.swap(process_);
}

std::optional<CompileResult> PoolWorker::attempt(const CompileJob& job, milliseconds timeout,
                                                 std::string& ending) {
  start();
  std::shared_ptr<WorkerProcess> process;
  {
    const std::lock_guard lock(mutex_);
    process = process_;
  }
  if (process == nullptr) return std::nullopt;
  nlohmann::json message;
  // A worker that died while it was idle shows up here just as one that dies on the job does.
  const auto read = process->send(job, timeout) ? process->receive(message, timeout)
                                                : WorkerProcess::ReadResult::kClosed;
  if (read == WorkerProcess::ReadResult::kMessage) {
    try {
      auto result = message.get<CompileResult>();
      if (result.crashed) drop();  // short of memory: its state is unknown
      return result;
    } catch (
        const nlohmann::json::exception&) {  // framed, but not an answer: the worker lost its mind
    }
  }
  if (read == WorkerProcess::ReadResult::kTimeout) {
    drop();
    CompileResult result;
    result.timed_out = true;
    result.failure = fmt::format("compiler did not finish within {} s; killed",
                                 static_cast<double>(timeout.count()) / 1000);
    return result;
  }
  if (process->place_lost()) place_lost_ = true;
  ending = bury();
  return std::nullopt;
}

std::optional<CompileResult> PoolWorker::compile(const CompileJob& job, milliseconds timeout) {
  std::string first, second;
  auto result = attempt(job, timeout, first);
  if (!result && !place_lost_) result = attempt(job, timeout, second);
  const std::lock_guard lock(mutex_);
  if (stopped_ || (!result && place_lost_)) return std::nullopt;
  if (!result) {
    result.emplace();
    result->crashed = true;
    result->failure = fmt::format("{}: the compiler died on this job, twice: {}",
                                  job.source.string(), second.empty() ? first : second);
  }
  return result;
}

void PoolWorker::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (process_ != nullptr) process_->kill();
}

}  // namespace warpwright
