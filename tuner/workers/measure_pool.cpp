#include "workers/measure_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include "core/words.h"
#include "workers/measure_queue.h"
#include "workers/watchdog.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// The number of workers in a row that may die before taking a trial; then the environment is
// blamed.
constexpr int kFalseStarts = 3;

// Three deaths are blamed on the trial, no matter how the workers were killed.
Outcome quarantined(const std::vector<std::string>& deaths, const MeasureAttempt& last) {
  Outcome outcome;
  outcome.status = Status::kCrashed;
  outcome.reason =
      fmt::format("{} measuring processes died on this trial, which is quarantined: {}",
                  deaths.size(), join(deaths, "; "));
  if (!last.last_words.empty()) outcome.reason += "; the last one said: " + last.last_words;
  outcome.reason += "; --fresh tries it again";
  outcome.worker_lost = true;
  note_workers_lost(outcome, static_cast<int>(deaths.size()));
  return outcome;
}

Outcome out_of_memory(const MeasureAttempt& attempt) {
  Outcome outcome;
  outcome.status = Status::kCrashed;
  outcome.reason = attempt.death;
  outcome.worker_lost = true;
  note_workers_lost(outcome, 1);
  return outcome;
}

}  // namespace

struct MeasurePool::Impl {
  Done done;
  std::filesystem::path kernel_file;  // for messages
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::optional<MeasureQueue> queue;
  bool stopping = false;
  bool awake = false;
  std::vector<std::string> device_ids;
  std::vector<std::size_t> device_of;  // by slot
  std::vector<double> busy_seconds;
  std::uint64_t retried = 0;
  std::vector<std::unique_ptr<MeasureSlot>> slots;
  std::vector<std::thread> threads;

  // nullopt when the pool ends.
  std::optional<MeasureQueue::Item> take(std::size_t device) {
    std::unique_lock lock(mutex);
    std::optional<MeasureQueue::Item> item;
    wake.wait(lock, [&] {
      if (!stopping) item = queue->take(device);
      return stopping || item;
    });
    return item;
  }

  // Returns whether there is time to start a worker before its first request.
  bool woken_early() {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return stopping || awake || !queue->empty(); });
    return awake && queue->empty() && !stopping;
  }

  // A trial that lost its machine is not at fault: another device takes it, unless it named this
  // one. Returns false when no device can take it.
  bool give_back(MeasureQueue::Item& item, std::size_t device) {
    const std::lock_guard lock(mutex);
    queue->lose(device);
    wake.notify_all();
    if (item.place.device == device || queue->all_lost()) return false;
    queue->push_front(std::move(item));
    ++retried;
    return true;
  }
  [[nodiscard]] bool is_lost(std::size_t device) const {
    const std::lock_guard lock(mutex);
    return queue->is_lost(device);
  }

  [[nodiscard]] bool ended() const {
    const std::lock_guard lock(mutex);
    return stopping;
  }

  // nullopt when the pool ends meanwhile, or the slot's machine is lost.
  std::optional<Outcome> measure(MeasureSlot& slot, const MeasureRequest& request) {
    std::vector<std::string> deaths;
    std::vector<std::string> false_starts;
    bool in_contract = true;  // every death so far
    for (;;) {
      MeasureAttempt attempt = slot.attempt(request);
      if (attempt.outcome) {
        if (attempt.outcome->worker_lost)
          note_workers_lost(*attempt.outcome, static_cast<int>(deaths.size()) + 1);
        return std::move(attempt.outcome);
      }
      if (ended() || attempt.place_lost) return std::nullopt;
      if (!attempt.taken) {
        false_starts.push_back(attempt.death);
        if (false_starts.size() >= kFalseStarts) {
          throw environment_error(fmt::format(
              "{} measuring processes died before they took a trial: {}{}", false_starts.size(),
              join(false_starts, "; "),
              attempt.last_words.empty() ? "" : "; the last one said: " + attempt.last_words));
        }
        continue;
      }
      // Earlier trials may leave a worker little memory; a trial that does not fit into a fresh
      // worker is too large.
      if (attempt.out_of_memory && attempt.first) return out_of_memory(attempt);
      deaths.push_back(attempt.death);
      in_contract = in_contract && is_contract_phase(attempt.phase);
      if (deaths.size() < static_cast<std::size_t>(kLossesToQuarantine)) {
        const std::lock_guard lock(mutex);
        ++retried;
        continue;
      }
      if (in_contract) {
        throw user_error(
            {kernel_file.string()},
            fmt::format(
                "{} measuring processes died before any kernel ran: {}{}; fix reference.cpp or "
                "choose a smaller problem",
                deaths.size(), join(deaths, "; "),
                attempt.last_words.empty() ? "" : "; the last one said: " + attempt.last_words));
      }
      return quarantined(deaths, attempt);
    }
  }

  [[nodiscard]] Error gone(std::size_t device) const {
    return environment_error(
        fmt::format("{} is gone with the machine that it was in, and no other can take its place",
                    device_ids[device]));
  }

  void serve(std::size_t index) {
    MeasureSlot& slot = *slots[index];
    std::optional<Error> at_start;
    const std::size_t device = device_of[index];
    // One worker per device is enough at first, because each would build the reference.
    const bool is_first = index == 0 || device_of[index - 1] != device;
    if (is_first && woken_early()) {
      try {
        slot.prepare();
      } catch (const Error& caught) {
        at_start = caught;
      }
    }
    while (std::optional<MeasureQueue::Item> item = take(device)) {
      const Clock::time_point begin = Clock::now();
      std::optional<Outcome> outcome;
      std::optional<Error> error;
      try {
        if (at_start) throw Error(*std::exchange(at_start, std::nullopt));
        if (!is_lost(device)) outcome = measure(slot, *item->request);
      } catch (const Error& caught) {
        error = caught;
      }
      {
        const std::lock_guard lock(mutex);
        if (stopping) return;
        busy_seconds[index] += std::chrono::duration<double>(Clock::now() - begin).count();
      }
      const bool is_answered = outcome || error;
      if (!is_answered && give_back(*item, device)) continue;
      if (!is_answered) error = gone(device);
      item->request.reset();
      done(item->ticket,
           {std::move(outcome).value_or(Outcome()), std::move(error), device, !is_answered});
    }
  }
};

MeasurePool::MeasurePool(MeasurePoolOptions options, Done done) : impl_(std::make_unique<Impl>()) {
  impl_->done = std::move(done);
  impl_->kernel_file = options.setup.kernel_file;
  const int slots_each = std::max(1, options.slots);
  if (options.devices.empty()) options.devices = {{options.setup.device}};
  impl_->queue.emplace(options.devices.size(), options.any_order);
  const WorkerLauncher start = options.start;
  const WorkerLimits limits = options.limits;
  for (std::size_t device = 0; device < options.devices.size(); ++device) {
    const MeasureDevice& one = options.devices[device];
    impl_->device_ids.push_back(one.id);
    options.setup.device = one.id;
    options.start = one.start ? one.start : start;
    options.limits = one.start ? one.limits : limits;
    for (int slot = 0; slot < (one.slots > 0 ? one.slots : slots_each); ++slot) {
      impl_->slots.push_back(std::make_unique<MeasureSlot>(options));
      impl_->device_of.push_back(device);
    }
  }
  impl_->busy_seconds.resize(impl_->slots.size());
  for (std::size_t slot = 0; slot < impl_->slots.size(); ++slot)
    impl_->threads.emplace_back([this, slot] { impl_->serve(slot); });
}

MeasurePool::~MeasurePool() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  for (const auto& slot : impl_->slots) slot->stop();
  impl_->wake.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void MeasurePool::submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request,
                         const MeasurePlace& place) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->queue->push({ticket, std::move(request), place});
  }
  // Not every waiting thread may take the request.
  impl_->queue->devices() > 1 ? impl_->wake.notify_all() : impl_->wake.notify_one();
}

void MeasurePool::note_best(std::uint64_t turn, double best_us) {
  const std::lock_guard lock(impl_->mutex);
  impl_->queue->note_best(turn, best_us);
}

void MeasurePool::reserve(std::size_t device, std::optional<std::uint64_t> turn) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->queue->reserve(device, turn);
  }
  impl_->wake.notify_all();
}

void MeasurePool::wake() {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->awake) return;
    impl_->awake = true;
  }
  impl_->wake.notify_all();
}

std::vector<std::uint64_t> MeasurePool::cancel_queued() {
  const std::lock_guard lock(impl_->mutex);
  return impl_->queue->clear();
}

bool MeasurePool::cancel(std::uint64_t ticket) {
  const std::lock_guard lock(impl_->mutex);
  return impl_->queue->cancel(ticket);
}

MeasurePool::Statistics MeasurePool::statistics() const {
  const std::lock_guard lock(impl_->mutex);
  Statistics statistics;
  statistics.busy_of_device.resize(impl_->queue->devices());
  for (std::size_t slot = 0; slot < impl_->busy_seconds.size(); ++slot) {
    double& longest = statistics.busy_of_device[impl_->device_of[slot]];
    longest = std::max(longest, impl_->busy_seconds[slot]);
    statistics.busy_seconds = std::max(statistics.busy_seconds, longest);
  }
  for (const auto& slot : impl_->slots) {
    statistics.workers_started += slot->started();
    statistics.workers_lost += slot->lost();
  }
  statistics.retried = impl_->retried;
  return statistics;
}

}  // namespace warpwright
