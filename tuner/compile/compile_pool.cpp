#include "compile/compile_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "compile/compiler_log.h"
#include "compile/include_scan.h"
#include "compile/pool_worker.h"
#include "core/error.h"
#include "core/usable_cores.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

struct QueuedJob {
  std::uint64_t ticket = 0;
  CompileJob job;
  // Set if compiling began at a place that was then lost: the key is in flight already.
  std::string key = {};
};

}  // namespace

struct CompilePool::Impl {
  CompilePoolOptions options;
  Done done;
  std::optional<CompileCache> cache;
  WorkerGreeting greeting;
  std::vector<std::unique_ptr<PoolWorker>> workers;

  mutable std::mutex
      mutex;  // for everything below; never held while compiling, hashing or calling done
  std::condition_variable wake;
  std::deque<QueuedJob> queue;
  std::deque<QueuedJob> spare;  // taken only by workers that have nothing else to do
  // Keys that are being compiled, with the tickets that wait for the result.
  std::map<std::string, std::vector<std::uint64_t>> in_flight;
  std::uint64_t last_ticket = 0;
  std::size_t outstanding = 0;
  bool stopping = false;
  CompilePoolStatistics statistics;

  std::vector<std::thread> threads;

  void serve(PoolWorker& worker);
  // Returns after the result is delivered, or when the pool is stopping.
  void answer(PoolWorker& worker, QueuedJob queued);
  [[nodiscard]] std::optional<CompileResult> compile(PoolWorker& worker, const CompileJob& job,
                                                     const std::string& key);
  void deliver(const std::vector<std::uint64_t>& tickets, CompileResult result);
  void start_workers(const CompilePlace& place);
  void greet();
  // Drops jobs that no worker has taken. The caller holds the mutex.
  void drop(std::deque<QueuedJob>& jobs);
};

void CompilePool::Impl::serve(PoolWorker& worker) {
  for (;;) {
    QueuedJob queued;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [this] { return stopping || !queue.empty() || !spare.empty(); });
      if (stopping) return;
      std::deque<QueuedJob>& next = queue.empty() ? spare : queue;
      queued = std::move(next.front());
      next.pop_front();
    }
    answer(worker, std::move(queued));
    if (worker.place_lost()) return;
  }
}

void CompilePool::Impl::answer(PoolWorker& worker, QueuedJob queued) {
  std::string key = queued.key;
  const bool begun = !key.empty();
  try {
    // From here on the job carries its texts, so that the hashed text is the compiled text.
    if (!begun) queued.job.files = collect_sources(queued.job);
    if (!begun) key = compile_key(queued.job, greeting.compiler);
  } catch (const std::exception& error) {
    CompileResult result;
    result.nvrtc_version = greeting.nvrtc_version;
    const auto* known = dynamic_cast<const Error*>(&error);
    result.failure = known != nullptr ? known->message() : error.what();
    result.by_machine = known == nullptr || known->fault() != Fault::kUser;
    return deliver({queued.ticket}, std::move(result));
  }
  if (!begun) {
    const std::lock_guard lock(mutex);
    const auto [entry, first] = in_flight.try_emplace(key);
    entry->second.push_back(queued.ticket);
    if (!first) {
      ++statistics.shared;
      return;  // the worker compiling it answers for us
    }
  }
  std::optional<CompileResult> result = compile(worker, queued.job, key);
  if (!result) {
    if (!worker.place_lost()) return;
    {
      const std::lock_guard lock(mutex);
      queued.key = key;
      queue.push_front(std::move(queued));
    }
    wake.notify_one();
    return;
  }
  // Applied after the cache, whose entries hold no promises: their places in files move with edits.
  if (!result->ok)
    result->failure += broken_assertion(result->log, queued.job.promises, queued.job.files);
  std::vector<std::uint64_t> tickets;
  {
    const std::lock_guard lock(mutex);
    tickets = std::move(in_flight.extract(key).mapped());
  }
  deliver(tickets, *std::move(result));
}

std::optional<CompileResult> CompilePool::Impl::compile(PoolWorker& worker, const CompileJob& job,
                                                        const std::string& key) {
  if (cache) {
    if (auto found = cache->find(key)) return found;
  }
  const auto begin = Clock::now();
  std::optional<CompileResult> result = worker.compile(job, options.timeout);
  if (!result) return std::nullopt;
  result->key = key;
  result->nvrtc_version = greeting.nvrtc_version;
  const std::chrono::duration<double> elapsed = Clock::now() - begin;
  {
    const std::lock_guard lock(mutex);
    statistics.busy_seconds += elapsed.count();
  }
  if (cache) cache->store(key, *result);
  return result;
}

void CompilePool::Impl::deliver(const std::vector<std::uint64_t>& tickets, CompileResult result) {
  {
    const std::lock_guard lock(mutex);
    if (stopping) return;
    const std::uint64_t count = tickets.size();
    // The first ticket's job was compiled or found in the cache; the others were counted as shared.
    if (result.timed_out) {
      statistics.timed_out += count;
    } else if (result.crashed) {
      statistics.crashed += count;
    } else if (result.cached) {
      ++statistics.from_cache;
    } else if (!result.key.empty()) {
      ++statistics.compiled;
    }
    if (!result.ok) statistics.failed += count;
  }
  for (const std::uint64_t ticket : tickets) {
    done(ticket, result);
    const std::lock_guard lock(mutex);
    --outstanding;
  }
}

void CompilePool::Impl::start_workers(const CompilePlace& place) {
  const WorkerLimits limits{place.worker_private_bytes};
  for (int i = 0; i < place.workers; ++i) {
    workers.push_back(std::make_unique<PoolWorker>(options.worker_command, limits, place.start));
  }
}

// All places must have the same compiler: results, and their keys, must not depend on where they
// were made.
void CompilePool::Impl::greet() {
  std::vector<std::future<WorkerGreeting>> greetings;
  for (const CompilePlace& place : options.places) {
    const std::size_t first = workers.size();
    start_workers(place);
    greetings.push_back(std::async(std::launch::async,
                                   [worker = workers.at(first).get()] { return worker->start(); }));
  }
  std::string named;
  for (std::size_t i = 0; i < greetings.size(); ++i) {
    const CompilePlace& place = options.places[i];
    WorkerGreeting here;
    try {
      here = greetings[i].get();
    } catch (Error& error) {
      throw error.add_context(place.name);
    }
    if (here.compiler.empty()) continue;  // lost in the meantime
    if (named.empty()) {
      named = place.name;
      greeting = here;
    } else if (here.compiler != greeting.compiler) {
      throw environment_error(
          fmt::format("{} compiles with {}, {} with {}: their results could not be compared; "
                      "expected one NVRTC everywhere, install it or leave a machine out",
                      place.name, here.compiler, named, greeting.compiler));
    }
  }
  if (named.empty()) throw environment_error("all machines with compilers were lost at the start");
}

void CompilePool::Impl::drop(std::deque<QueuedJob>& jobs) {
  for (const QueuedJob& job : jobs) {
    // A job that was begun answers for all tickets that joined it.
    outstanding -= job.key.empty() ? 1 : in_flight.extract(job.key).mapped().size();
  }
  jobs.clear();
}

CompilePool::CompilePool(CompilePoolOptions options, Done done) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  impl_->done = std::move(done);
  const CompilePoolOptions& given = impl_->options;
  if (!given.cache_folder.empty()) impl_->cache.emplace(given.cache_folder, given.cache_cap_bytes);
  int count = given.workers;
  if (count <= 0) count = usable_cores();
  if (given.places.empty()) {
    impl_->start_workers({"", launch_here, count, given.worker_private_bytes});
    impl_->greeting = impl_->workers.front()->start();
  } else {
    impl_->greet();
  }
  for (const auto& worker : impl_->workers) {
    impl_->threads.emplace_back([impl = impl_.get(), one = worker.get()] { impl->serve(*one); });
  }
}

CompilePool::~CompilePool() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->drop(impl_->queue);
    impl_->drop(impl_->spare);
  }
  impl_->wake.notify_all();
  for (const auto& worker : impl_->workers) worker->stop();
  for (std::thread& thread : impl_->threads) thread.join();
}

std::uint64_t CompilePool::submit(CompileJob job, bool spare) {
  std::uint64_t ticket = 0;
  {
    const std::lock_guard lock(impl_->mutex);
    ticket = ++impl_->last_ticket;
    (spare ? impl_->spare : impl_->queue).push_back({ticket, std::move(job)});
    ++impl_->outstanding;
    ++impl_->statistics.submitted;
  }
  impl_->wake.notify_one();
  return ticket;
}

void CompilePool::cancel_queued() {
  const std::lock_guard lock(impl_->mutex);
  impl_->drop(impl_->queue);
  impl_->drop(impl_->spare);
}

std::size_t CompilePool::outstanding() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->outstanding;
}

int CompilePool::workers() const { return static_cast<int>(impl_->workers.size()); }

std::string CompilePool::nvrtc_version() const { return impl_->greeting.nvrtc_version; }

CompilePoolStatistics CompilePool::statistics() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->statistics;
}

}  // namespace warpwright
