// Compile workers are separate processes, so that a compiler that crashes or hangs costs one job
// and nothing else. The pool looks into the cache first, compiles equal jobs once, and replaces
// workers that die.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile_cache.h"
#include "compile/compile_job.h"
#include "compile/compile_service.h"
#include "core/process/worker_process.h"

namespace warpwright {

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
