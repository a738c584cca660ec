#include "run/measure_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/subprocess.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

Error error_from_frame(const nlohmann::json& frame) {
  const std::string fault = frame.at("fault").get<std::string>();
  return Error(fault == "user"          ? Fault::kUser
               : fault == "environment" ? Fault::kEnvironment
                                        : Fault::kInternal,
               frame.at("message").get<std::string>());
}

std::string last_lines(const std::string& text) {
  constexpr std::size_t kKept = 600;
  return text.size() <= kKept ? text : "..." + text.substr(text.size() - kKept);
}

}  // namespace

struct MeasurePool::Impl {
  struct Item {
    std::uint64_t ticket;
    std::shared_ptr<const MeasureRequest> request;
  };

  MeasurePoolOptions options;
  Done done;
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<Item> queue;
  bool stopping = false;
  std::vector<double> busy_seconds;
  std::uint64_t workers_started = 0;
  std::uint64_t workers_lost = 0;
  // Of running workers, so that the destructor can end a trial that is under way.
  std::vector<std::shared_ptr<Subprocess>> running;
  std::vector<std::thread> threads;

  bool take(Item& item) {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return stopping || !queue.empty(); });
    if (stopping) return false;
    item = std::move(queue.front());
    queue.pop_front();
    return true;
  }

  std::shared_ptr<Subprocess> start(int slot) {
    auto worker = std::make_shared<Subprocess>(options.worker_command);
    {
      const std::lock_guard lock(mutex);
      if (stopping) return nullptr;
      running[static_cast<std::size_t>(slot)] = worker;
      ++workers_started;
    }
    if (!worker->send({{"open", options.setup}})) {
      throw environment_error(fmt::format("a measuring worker died at its start: {}: {}",
                                          worker->wait().describe(), worker->stderr_tail()));
    }
    nlohmann::json reply;
    const auto result = worker->receive(reply, options.trial_timeout);
    if (result != Subprocess::ReadResult::kMessage) {
      if (result == Subprocess::ReadResult::kTimeout) worker->kill();
      throw environment_error(fmt::format("a measuring worker did not start: {}: {}",
                                          worker->wait().describe(),
                                          last_lines(worker->stderr_tail())));
    }
    if (reply.contains("error")) throw error_from_frame(reply["error"]);
    return worker;
  }

  // One trial on a living worker. `alive` is false when the worker must be replaced.
  Outcome measure(Subprocess& worker, const MeasureRequest& request, bool& alive) {
    Outcome outcome;
    nlohmann::json reply;
    alive = worker.send({{"trial", request}});
    const auto result =
        alive ? worker.receive(reply, options.trial_timeout) : Subprocess::ReadResult::kClosed;
    if (result == Subprocess::ReadResult::kMessage) {
      if (reply.contains("error")) throw error_from_frame(reply["error"]);
      outcome = reply.at("outcome").get<Outcome>();
      alive = !outcome.worker_lost;
      return outcome;
    }
    alive = false;
    if (result == Subprocess::ReadResult::kTimeout) {
      worker.kill();
      outcome.status = Status::kTimeout;
      outcome.reason =
          fmt::format("the measuring process gave no answer within {} s and was killed",
                      options.trial_timeout.count() / 1000);
    } else {
      outcome.status = Status::kCrashed;
      outcome.reason = fmt::format("the measuring process died: {}", worker.wait().describe());
      if (const std::string said = last_lines(worker.stderr_tail()); !said.empty()) {
        outcome.reason += "; it said: " + said;
      }
    }
    outcome.worker_lost = true;
    return outcome;
  }

  void serve(int slot) {
    std::shared_ptr<Subprocess> worker;
    Item item;
    while (take(item)) {
      const Clock::time_point begin = Clock::now();
      Outcome outcome;
      std::optional<Error> error;
      try {
        if (worker == nullptr) worker = start(slot);
        if (worker == nullptr) return;
        bool alive = true;
        outcome = measure(*worker, *item.request, alive);
        if (!alive) lose(worker);
      } catch (const Error& caught) {
        error = caught;
        lose(worker);
      }
      {
        const std::lock_guard lock(mutex);
        if (stopping) return;
        busy_seconds[static_cast<std::size_t>(slot)] +=
            std::chrono::duration<double>(Clock::now() - begin).count();
      }
      item.request.reset();
      done(item.ticket, std::move(outcome), std::move(error));
    }
  }

  void lose(std::shared_ptr<Subprocess>& worker) {
    if (worker == nullptr) return;
    worker->kill();
    worker.reset();
    const std::lock_guard lock(mutex);
    ++workers_lost;
  }
};

MeasurePool::MeasurePool(MeasurePoolOptions options, Done done) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  impl_->done = std::move(done);
  const int slots = std::max(1, impl_->options.slots);
  impl_->busy_seconds.resize(static_cast<std::size_t>(slots));
  impl_->running.resize(static_cast<std::size_t>(slots));
  for (int slot = 0; slot < slots; ++slot) {
    impl_->threads.emplace_back([this, slot] { impl_->serve(slot); });
  }
}

MeasurePool::~MeasurePool() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    for (const auto& worker : impl_->running)
      if (worker != nullptr) worker->kill();
  }
  impl_->wake.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void MeasurePool::submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->queue.push_back({ticket, std::move(request)});
  }
  impl_->wake.notify_one();
}

std::vector<std::uint64_t> MeasurePool::cancel_queued() {
  const std::lock_guard lock(impl_->mutex);
  std::vector<std::uint64_t> dropped;
  for (const Impl::Item& item : impl_->queue) dropped.push_back(item.ticket);
  impl_->queue.clear();
  return dropped;
}

MeasurePool::Statistics MeasurePool::statistics() const {
  const std::lock_guard lock(impl_->mutex);
  Statistics statistics;
  for (const double seconds : impl_->busy_seconds)
    statistics.busy_seconds = std::max(statistics.busy_seconds, seconds);
  statistics.workers_started = impl_->workers_started;
  statistics.workers_lost = impl_->workers_lost;
  return statistics;
}

}  // namespace warpwright
