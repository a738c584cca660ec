#include "run/sweep_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/memory_limit.h"
#include "run/interrupt.h"
#include "run/worker_setup.h"

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kPollInterval{100};
// How long a stop waits for trials that are on a device.
constexpr std::chrono::seconds kStopPatience{5};

}  // namespace

SweepEngine::SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan,
                         Database& database, Progress& progress)
    : options_(options),
      paths_(paths),
      plan_(std::move(plan)),
      progress_(progress),
      book_(database),
      start_(Clock::now()),
      source_(plan_.boards, plan_.budget, start_),
      boards_(plan_.boards.size()),
      ranking_(plan_, book_) {}

SweepEngine::~SweepEngine() {
  {
    const std::lock_guard lock(mutex_);
    listening_ = false;
  }
  handled_some_.notify_all();
}

void SweepEngine::post(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    ++posted_;
  }
  wake_.notify_one();
}

void SweepEngine::post_and_wait(Event event) {
  std::unique_lock lock(mutex_);
  events_.push_back(std::move(event));
  const std::uint64_t number = ++posted_;
  wake_.notify_one();
  handled_some_.wait(lock, [&] { return handled_ >= number || !listening_; });
}

void SweepEngine::start_pools() {
  const WorkerCounts counts = worker_counts(options_, plan_);
  const WorkerMemory memory =
      worker_memory(available_memory_bytes(), counts.total, std::getenv("WARPWRIGHT_MEMORY_LIMIT"));
  compilers_ = std::make_unique<CompilePool>(
      compile_pool_options(options_, paths_, counts, memory),
      [this](std::uint64_t ticket, CompileResult result) {
        post({Event::Kind::kCompiled, ticket, std::move(result), {}, {}});
      });
  std::size_t slots = 0;
  for (const DeviceInfo& device : plan_.devices) {
    MeasurePoolOptions measure =
        measure_pool_options(options_, paths_, plan_, device, counts, memory);
    slots += static_cast<std::size_t>(measure.slots);
    measurers_.push_back(std::make_unique<MeasurePool>(
        std::move(measure),
        [this](std::uint64_t ticket, Outcome outcome, std::optional<Error> error) {
          const bool costly = outcome.worker_lost || outcome.status == Status::kTimeout;
          Event event{Event::Kind::kMeasured, ticket, {}, std::move(outcome), std::move(error)};
          costly ? post_and_wait(std::move(event)) : post(std::move(event));
        }));
  }
  ahead_ = 3 * static_cast<std::size_t>(compilers_->workers()) + 2 * slots;
}

SweepSummary SweepEngine::run() {
  start_pools();
  book_.open(options_, plan_, compilers_->nvrtc_version());
  summary_.ended = "complete";
  progress_.set_total(source_.planned());
  const auto stored_so_far = [this] {
    return fmt::format(
        "{} trials of this sweep are stored in {}; the same command goes on from there",
        summary_.trials, book_.path().string());
  };
  try {
    work_until_done();
    progress_.finish();
    summarise();
    book_.close(error_ ? "failed" : summary_.ended);
  } catch (Error& error) {
    progress_.finish();
    throw error.add_context(stored_so_far());
  }
  if (error_) throw error_->add_context(stored_so_far());
  return std::move(summary_);
}

void SweepEngine::work_until_done() {
  const InterruptGuard interrupts;
  std::optional<Clock::time_point> give_up;
  ask_ahead();
  advance_boards();
  while (!tasks_.empty()) {
    std::deque<Event> batch;
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kPollInterval, [this] { return !events_.empty(); });
      batch.swap(events_);
    }
    for (Event& event : batch) {
      handle(std::move(event));
      const std::lock_guard lock(mutex_);
      ++handled_;
    }
    handled_some_.notify_all();
    if (InterruptGuard::requested() && !give_up) {
      stop_asking("interrupted");
      give_up = Clock::now() + kStopPatience;
      progress_.say(
          "stopping: waiting for the trials on the device; press Ctrl-C again to leave them");
    }
    if (error_ && !give_up && stopping_) give_up = Clock::now() + kStopPatience;
    if (give_up && Clock::now() > *give_up) break;
    ask_ahead();
    advance_boards();
  }
  if (source_.cut_short() && !stopping_) summary_.ended = "budget";
}

void SweepEngine::summarise() {
  const CompilePoolStatistics compile = compilers_->statistics();
  summary_.compile_busy_seconds = compile.busy_seconds;
  summary_.compile_workers = compilers_->workers();
  summary_.compiled = compile.compiled;
  summary_.compile_cache_hits = compile.from_cache;
  for (const auto& pool : measurers_) {
    const MeasurePool::Statistics measure = pool->statistics();
    summary_.measure_busy_seconds = std::max(summary_.measure_busy_seconds, measure.busy_seconds);
    summary_.measurers_lost += measure.workers_lost;
    summary_.retried += measure.retried;
  }
  summary_.wall_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  summary_.run = book_.run();
  summary_.kernel = plan_.kernel;
  summary_.database = book_.path();
  for (const PlannedBoard& board : plan_.boards) summary_.boards.push_back(board.summary);
  summary_.skipped = plan_.skipped;
}

void SweepEngine::stop_asking(const std::string& ended) {
  summary_.ended = ended;
  stopping_ = true;
  compilers_->cancel_queued();
  // What was not on a device is dropped; trials being measured stay in tasks_ until their event
  // comes.
  for (const auto& pool : measurers_)
    for (const std::uint64_t dropped : pool->cancel_queued()) tasks_.erase(dropped);
  std::erase_if(
      tasks_, [](const auto& entry) { return entry.second.compiling > 0 || entry.second.waiting; });
  std::erase_if(tickets_,
                [this](const auto& entry) { return !tasks_.contains(entry.second.first); });
}

void SweepEngine::ask_ahead() {
  while (!stopping_ && tasks_.size() < ahead_) {
    const std::optional<TrialSource::Question> question = source_.next();
    if (!question) return;
    start_task(*question);
  }
}

void SweepEngine::handle(Event event) {
  if (event.kind == Event::Kind::kCompiled) {
    on_compiled(event.ticket, std::move(event.compiled));
    return;
  }
  if (!tasks_.contains(event.ticket)) return;
  if (event.error) {
    fail(event.ticket, *event.error);
  } else if (!tasks_.at(event.ticket).finalists.empty()) {
    ranking_finished(event.ticket, event.outcome);
  } else {
    finish(event.ticket, std::move(event.outcome));
  }
}

}  // namespace warpwright
