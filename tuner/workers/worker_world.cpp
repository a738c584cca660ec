#include "workers/worker_world.h"

#include <fmt/format.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include "compile/compile_pool.h"
#include "core/error.h"
#include "workers/measure_pool.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// Collects the results that pools deliver from their threads, and waits for all of them.
template <typename Result>
class Collector {
 public:
  explicit Collector(Progress& progress) : progress_(progress) {}

  void expect(std::size_t count, std::string what) {
    const std::lock_guard lock(mutex_);
    left_ = count;
    total_ = count;
    what_ = std::move(what);
    results_.clear();
    progress_.set_total(count);
  }
  void give(std::uint64_t ticket, Result result) {
    const std::lock_guard lock(mutex_);
    results_.insert_or_assign(ticket, std::move(result));
    if (left_ > 0) --left_;
    progress_.update(total_ - left_, what_);
    all_.notify_all();
  }
  void say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    progress_.say(line);
  }
  std::map<std::uint64_t, Result> wait() {
    std::unique_lock lock(mutex_);
    all_.wait(lock, [&] { return left_ == 0; });
    return std::move(results_);
  }

 private:
  Progress& progress_;
  std::mutex mutex_;
  std::condition_variable all_;
  std::map<std::uint64_t, Result> results_;
  std::size_t left_ = 0, total_ = 0;
  std::string what_;
};

// Callers here want a time for every correct configuration, not only for those that may win.
WorkerOptions without_screening(WorkerOptions options) {
  options.screening = false;
  return options;
}

class Workers {
 public:
  Workers(const DeviceInfo& device, const Paths& paths, const WorkerOptions& options,
          Progress& progress)
      : device_(device),
        recipe_(paths, {device}, without_screening(options)),
        progress_(progress),
        compiled_(progress) {
    compilers_ = std::make_unique<CompilePool>(recipe_.compilers(),
                                               [this](std::uint64_t ticket, CompileResult result) {
                                                 compiled_.give(ticket, std::move(result));
                                               });
  }

  [[nodiscard]] std::string nvrtc() const { return compilers_->nvrtc_version(); }

  std::vector<CompileResult> compile(std::vector<CompileJob> jobs) {
    compiled_.expect(jobs.size(), "compiling");
    std::vector<std::uint64_t> tickets;
    for (CompileJob& job : jobs) tickets.push_back(compilers_->submit(std::move(job)));
    if (jobs.empty()) return {};
    std::map<std::uint64_t, CompileResult> given = compiled_.wait();
    std::vector<CompileResult> results;
    for (const std::uint64_t ticket : tickets) results.push_back(std::move(given.at(ticket)));
    refuse_what_the_machine_stopped(results);
    return results;
  }

  std::vector<MeasureAnswer> ask(const KernelSpec& kernel,
                                 std::vector<std::shared_ptr<const MeasureRequest>> requests) {
    Collector<MeasureAnswer> answers(progress_);
    answers.expect(requests.size(), "checking " + kernel.name);
    MeasurePoolOptions options = recipe_.measurers(kernel, device_);
    options.on_waiting = [&](const std::string& line) { answers.say(line); };
    // Every call has a pool of its own, so that its processes are fresh.
    MeasurePool pool(std::move(options), [&](std::uint64_t ticket, MeasureAnswer answer) {
      answers.give(ticket, std::move(answer));
    });
    for (std::size_t i = 0; i < requests.size(); ++i) pool.submit(i, std::move(requests[i]));
    if (requests.empty()) return {};
    std::vector<MeasureAnswer> results;
    for (auto& [ticket, answer] : answers.wait()) results.push_back(std::move(answer));
    return results;
  }

 private:
  const DeviceInfo device_;
  const WorkerRecipe recipe_;
  Progress& progress_;
  Collector<CompileResult> compiled_;
  std::unique_ptr<CompilePool> compilers_;  // delivers into the above: it must end first
};

}  // namespace

BlockingCompiler::BlockingCompiler(CompilePoolOptions options)
    : pool_(std::move(options), [this](std::uint64_t ticket, CompileResult result) {
        const std::lock_guard lock(mutex_);
        done_[ticket] = std::move(result);
        wake_.notify_all();
      }) {}

void refuse_what_the_machine_stopped(const std::vector<CompileResult>& results) {
  for (const CompileResult& result : results)
    if (result.by_machine) throw environment_error(result.failure + "; run the same command again");
}

std::vector<CompileResult> BlockingCompiler::compile(std::vector<CompileJob> jobs) {
  std::vector<std::uint64_t> tickets;
  for (CompileJob& job : jobs) tickets.push_back(pool_.submit(std::move(job)));
  std::vector<CompileResult> results;
  std::unique_lock lock(mutex_);
  for (const std::uint64_t ticket : tickets) {
    wake_.wait(lock, [&] { return done_.contains(ticket); });
    results.push_back(std::move(done_.extract(ticket).mapped()));
  }
  lock.unlock();
  refuse_what_the_machine_stopped(results);
  return results;
}

WorkerWorld make_worker_world(const DeviceInfo& device, const Paths& paths,
                              const WorkerOptions& options, Progress& progress) {
  const auto workers = std::make_shared<Workers>(device, paths, options, progress);
  WorkerWorld world;
  world.device = device;
  world.nvrtc = workers->nvrtc();
  world.compile = [workers](std::vector<CompileJob> jobs) {
    return workers->compile(std::move(jobs));
  };
  world.ask = [workers](const KernelSpec& kernel,
                        std::vector<std::shared_ptr<const MeasureRequest>> requests) {
    return workers->ask(kernel, std::move(requests));
  };
  return world;
}

}  // namespace warpwright
