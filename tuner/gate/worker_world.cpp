#include "gate/worker_world.h"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>

#include "compile/compile_pool.h"
#include "core/memory_limit.h"
#include "run/measure_pool.h"
#include "run/worker_setup.h"

namespace warpwright {
namespace {

// Collects what pools give from their threads, and waits for all of it.
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

class WorkerWorld {
 public:
  WorkerWorld(const DeviceInfo& device, const Paths& paths, const WorkerWorldOptions& options,
              Progress& progress)
      : paths_(paths), progress_(progress), compiled_(progress) {
    sweep_.seed = options.seed;
    sweep_.compile_workers = options.compile_workers;
    sweep_.emulator_slots = options.emulator_workers;
    sweep_.screening = false;
    plan_.devices = {device};
    counts_ = worker_counts(sweep_, plan_);
    memory_ = worker_memory(available_memory_bytes(), counts_.total,
                            std::getenv("WARPWRIGHT_MEMORY_LIMIT"));
    compilers_ =
        std::make_unique<CompilePool>(compile_pool_options(sweep_, paths, counts_, memory_),
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
    return results;
  }

  std::vector<GateAnswer> ask(const KernelSpec& kernel,
                              std::vector<std::shared_ptr<const MeasureRequest>> requests) {
    plan_.kernel = kernel;
    Collector<GateAnswer> answers(progress_);
    answers.expect(requests.size(), "checking " + kernel.name);
    // A pool of its own for every call: its processes are fresh.
    MeasurePool pool(
        measure_pool_options(sweep_, paths_, plan_, plan_.devices.front(), counts_, memory_),
        [&](std::uint64_t ticket, Outcome outcome, std::optional<Error> error) {
          answers.give(ticket, {std::move(outcome), std::move(error)});
        });
    for (std::size_t i = 0; i < requests.size(); ++i) pool.submit(i, std::move(requests[i]));
    if (requests.empty()) return {};
    std::vector<GateAnswer> results;
    for (auto& [ticket, answer] : answers.wait()) results.push_back(std::move(answer));
    return results;
  }

 private:
  const Paths& paths_;
  Progress& progress_;
  SweepOptions sweep_;
  SweepPlan plan_;
  WorkerCounts counts_;
  WorkerMemory memory_;
  Collector<CompileResult> compiled_;
  std::unique_ptr<CompilePool> compilers_;  // gives into the above: it must end first
};

}  // namespace

GateWorld make_worker_world(const DeviceInfo& device, const Paths& paths,
                            const WorkerWorldOptions& options, Progress& progress) {
  const auto workers = std::make_shared<WorkerWorld>(device, paths, options, progress);
  GateWorld world;
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
