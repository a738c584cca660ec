// The interface between a sweep and its compilers, and its implementation by compile workers; a
// simulation implements it with its own clock. Workers are separate processes, so that a compiler
// that crashes or hangs costs one job and nothing else. The pool looks into the cache first,
// compiles equal jobs once, and replaces workers that die.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile_cache.h"
#include "compile/compile_job.h"
#include "core/process/worker_process.h"

namespace warpwright {

// Counts jobs by how they ended; `shared` ones joined an equal job that was being compiled.
struct CompilePoolStatistics {
  std::uint64_t submitted = 0;
  std::uint64_t compiled = 0;  // the compiler gave a result, good or bad
  std::uint64_t from_cache = 0;
  std::uint64_t shared = 0;
  std::uint64_t failed =
      0;  // not ok, wherever the result came from, including timed_out and crashed
  std::uint64_t timed_out = 0;
  std::uint64_t crashed = 0;
  double busy_seconds = 0;  // spent compiling, summed over workers
};

class CompileService {
 public:
  // Called from any thread, without any lock held, once per submitted job that is not cancelled; it
  // must not throw.
  using Done = std::function<void(std::uint64_t ticket, CompileResult result)>;

  CompileService() = default;
  virtual ~CompileService() = default;
  CompileService(const CompileService&) = delete;
  CompileService& operator=(const CompileService&) = delete;

  // Never blocks. Tickets count from 1. Jobs start in the given order; spare ones only when no
  // other job waits.
  virtual std::uint64_t submit(CompileJob job, bool spare = false) = 0;
  // Drops queued jobs, which get no `done`.
  virtual void cancel_queued() = 0;
  [[nodiscard]] virtual int workers() const = 0;
  [[nodiscard]] virtual std::string nvrtc_version() const = 0;
  [[nodiscard]] virtual CompilePoolStatistics statistics() const = 0;
};

// A machine with compilers.
struct CompilePlace {
  std::string name;  // used in messages
  WorkerLauncher start;
  int workers = 1;
  std::uint64_t worker_private_bytes = 0;
};

struct CompilePoolOptions {
  int workers = 0;                             // 0: one per core
  std::chrono::milliseconds timeout{120'000};  // processor time per job
  std::vector<std::string> worker_command;  // program and arguments; it runs compile_worker_main()
  std::filesystem::path cache_folder;       // empty: no cache
  std::uint64_t cache_cap_bytes = kDefaultCacheLimit;
  std::uint64_t worker_private_bytes = 0;  // memory limit for each worker; 0: none
  // Places to compile at instead of this machine with `workers` and `worker_private_bytes`. Jobs of
  // a place that is lost are compiled at another; once all are lost, nothing is compiled any more.
  std::vector<CompilePlace> places = {};
};

class CompilePool : public CompileService {
 public:
  // Starts the first worker and asks it for the NVRTC version; the others start when there is
  // something to compile. `done` is called from the pool's threads, without any lock held, once per
  // submitted job that is not cancelled; it must not throw. If there are several places, the first
  // worker of each is started, and all must have the same compiler. Throws Error (environment) if
  // they do not, if no worker can be started, or if NVRTC is missing.
  CompilePool(CompilePoolOptions options, Done done);
  // Cancels queued jobs and kills the workers, whose jobs get no `done`. Must not be called from
  // `done`.
  ~CompilePool() override;

  std::uint64_t submit(CompileJob job, bool spare = false) override;
  void cancel_queued() override;
  // The number of jobs that were submitted and not cancelled, and whose `done` has not returned.
  [[nodiscard]] std::size_t outstanding() const;
  [[nodiscard]] int workers() const override;
  [[nodiscard]] std::string nvrtc_version() const override;
  [[nodiscard]] CompilePoolStatistics statistics() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The main function of a compile worker process, which exchanges frames on stdin and stdout
// (core/process/frame.h). Returns the exit code.
int compile_worker_main();

}  // namespace warpwright
