#include "workers/measure_slot.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/notices.h"
#include "core/process/memory_limit.h"
#include "core/process/serve.h"
#include "trial/outcome_codec.h"
#include "workers/watchdog.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A worker that closed its channel is about to end, but its device may delay it.
constexpr milliseconds kEndPatience{1000};
// Longer than any driver needs that recovers at all.
constexpr milliseconds kDeparturePatience{120'000};
constexpr milliseconds kLookInterval{5};

std::string last_words_of(WorkerProcess& process) {
  constexpr std::size_t kKept = 600;
  std::string text = process.stderr_tail();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.size() <= kKept ? text : "..." + text.substr(text.size() - kKept);
}

std::string with_phase(std::string text, std::string_view phase) {
  if (const std::string_view during = describe_phase(phase); !during.empty())
    text.append(" ").append(during);
  return text;
}

std::string seconds_text(milliseconds limit) {
  return fmt::format("{} s", static_cast<double>(limit.count()) / 1000);
}

}  // namespace

MeasureSlot::MeasureSlot(MeasureSlotOptions options) : options_(std::move(options)) {}

milliseconds MeasureSlot::launch_limit(const MeasureRequest& request) const {
  return request.launch_time_limit.count() > 0 ? request.launch_time_limit
                                               : options_.setup.options.launch_time_limit;
}

void MeasureSlot::dismiss() {
  const std::lock_guard lock(mutex_);
  if (process_ == nullptr) return;
  process_->kill();
  leaving_ = std::move(process_);
  process_.reset();
  ++lost_;
}

void MeasureSlot::await_departure() {
  const auto patience = Clock::now() + kDeparturePatience;
  while (leaving_ != nullptr && !leaving_->try_wait()) {
    if (Clock::now() > patience) {
      throw environment_error(fmt::format(
          "{} measured on {}, was killed {} ago and still does not end: the driver holds "
          "it; reset the device or restart the machine, then run the same command again, it "
          "resumes",
          leaving_->name(), options_.setup.device, seconds_text(kDeparturePatience)));
    }
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
    }
    std::this_thread::sleep_for(kLookInterval);
  }
  leaving_.reset();
}

void MeasureSlot::bury(bool nonsense, MeasureAttempt& attempt) {
  nonsense = nonsense || process_->sent_nonsense();
  const auto patience = nonsense ? Clock::now() : Clock::now() + kEndPatience;
  auto status = process_->try_wait();
  while (!status && Clock::now() < patience) {
    std::this_thread::sleep_for(kLookInterval);
    status = process_->try_wait();
  }
  attempt.place_lost = process_->place_lost();
  attempt.last_words = last_words_of(*process_);
  attempt.out_of_memory = status && ended_out_of_memory(*status, attempt.last_words);
  if (attempt.out_of_memory) {
    attempt.death = with_phase("ran out of memory", attempt.phase) +
                    fmt::format(" ({})", describe_memory_limit(options_.limits.private_bytes));
  } else {
    attempt.death = with_phase(nonsense ? "sent something that is not a message"
                               : status ? status->describe()
                                        : "closed its channel",
                               attempt.phase);
  }
  dismiss();
}

bool MeasureSlot::start(MeasureAttempt& attempt) {
  await_departure();
  const auto process = options_.start(options_.worker_command, options_.limits);
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    process_ = process;
  }
  ++started_;
  trials_of_process_ = 0;
  nlohmann::json reply;
  auto result = WorkerProcess::ReadResult::kClosed;
  if (process->send({{"open", options_.setup}}, options_.patience)) {
    do {
      result = process->receive(reply, options_.patience);
      if (result == WorkerProcess::ReadResult::kMessage) hear_notices(reply);
    } while (result == WorkerProcess::ReadResult::kMessage && reply.contains("notices"));
  }
  if (result == WorkerProcess::ReadResult::kTimeout) {
    const std::string said = last_words_of(*process);
    dismiss();
    throw environment_error(fmt::format("a measuring process of {} said nothing for {}: {}",
                                        options_.setup.device, seconds_text(options_.patience),
                                        said.empty() ? "it left no message" : said));
  }
  if (result == WorkerProcess::ReadResult::kMessage && reply.is_object()) {
    if (const auto error = reported_error(reply)) {
      dismiss();
      throw *error;
    }
    if (reply.contains("ready")) return true;
  }
  bury(result == WorkerProcess::ReadResult::kMessage, attempt);
  return false;
}

void MeasureSlot::silent(milliseconds limit, MeasureAttempt& attempt) {
  dismiss();
  if (is_contract_phase(attempt.phase)) {
    throw user_error(
        {options_.setup.kernel_file.string()},
        fmt::format("no answer for {} {}; choose a smaller problem or fix reference.cpp",
                    seconds_text(limit), describe_phase(attempt.phase)));
  }
  Outcome outcome;
  outcome.status = Status::kTimeout;
  outcome.reason = with_phase(
      fmt::format("the measuring process was silent for {} and was killed", seconds_text(limit)),
      attempt.phase);
  outcome.worker_lost = true;
  attempt.outcome = std::move(outcome);
}

WorkerProcess::ReadResult MeasureSlot::await(WorkerProcess& process, const std::string& phase,
                                             milliseconds limit, nlohmann::json& reply) const {
  if (!is_contract_phase(phase) || !options_.on_waiting) return process.receive(reply, limit);
  milliseconds waited{0};
  for (;;) {
    const milliseconds slice = std::min(options_.waiting_interval, limit - waited);
    const auto result = process.receive(reply, slice);
    waited += slice;
    if (result != WorkerProcess::ReadResult::kTimeout || waited >= limit) return result;
    options_.on_waiting(fmt::format("{}: waiting for {} {}; it is given up after {}",
                                    options_.setup.kernel_file.string(), seconds_text(waited),
                                    describe_phase(phase), seconds_text(limit)));
  }
}

MeasureAttempt MeasureSlot::converse(const nlohmann::json& question, milliseconds launch_limit) {
  MeasureAttempt attempt;
  const std::shared_ptr<WorkerProcess> process = process_;
  if (process->try_wait() || !process->send(question, options_.patience)) {
    bury(false, attempt);
    return attempt;
  }
  attempt.taken = true;
  bool nonsense = false;
  while (!nonsense) {
    const milliseconds limit = silence_limit(attempt.phase, launch_limit, options_.patience);
    nlohmann::json reply;
    const auto result = await(*process, attempt.phase, limit, reply);
    if (result == WorkerProcess::ReadResult::kTimeout) {
      silent(limit, attempt);
      return attempt;
    }
    if (result == WorkerProcess::ReadResult::kClosed) break;
    hear_notices(reply);
    try {
      if (reply.contains("notices")) continue;
      if (reply.contains("phase")) {
        attempt.phase = reply["phase"].get<std::string>();
        continue;
      }
      if (const auto error = reported_error(reply)) {
        dismiss();
        throw *error;
      }
      if (reply.contains("samples")) {
        attempt.samples = reply["samples"].get<TakenSamples>();
        if (attempt.samples->worker_lost) dismiss();
        return attempt;
      }
      attempt.outcome = reply.at("outcome").get<Outcome>();
    } catch (const nlohmann::json::exception&) {  // framed, but not an answer
      nonsense = true;
      continue;
    }
    if (attempt.outcome->worker_lost) dismiss();
    return attempt;
  }
  bury(nonsense, attempt);
  return attempt;
}

void MeasureSlot::prepare() {
  MeasureAttempt ignored;
  if (process_ == nullptr) static_cast<void>(start(ignored));
}

MeasureAttempt MeasureSlot::attempt(const MeasureRequest& request) {
  MeasureAttempt failed;
  if (process_ == nullptr && !start(failed)) return failed;
  const bool first = trials_of_process_++ == 0;
  kept_limit_ = launch_limit(request);
  MeasureAttempt attempt = converse({{"trial", request}}, kept_limit_);
  attempt.first = first;
  return attempt;
}

MeasureAttempt MeasureSlot::sample(int samples) {
  WARPWRIGHT_CHECK(alive(), "samples are asked of a worker that keeps a trial");
  return converse({{"sample", samples}}, kept_limit_);
}

MeasureAttempt MeasureSlot::recheck() {
  WARPWRIGHT_CHECK(alive(), "a recheck is asked of a worker that keeps a trial");
  return converse({{"recheck", true}}, kept_limit_);
}

void MeasureSlot::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  if (process_ != nullptr) process_->kill();
}

}  // namespace warpwright
