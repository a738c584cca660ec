// Compile workers: separate processes, so that a compiler that crashes or hangs costs one job and
// nothing else. The pool answers from the cache first, compiles equal jobs once, and replaces
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
  std::string name;  // for messages
  WorkerLauncher start;
  int workers = 1;
  std::uint64_t worker_private_bytes = 0;
};

struct CompilePoolOptions {
  int workers = 0;                             // 0: one per core
  std::chrono::milliseconds timeout{120'000};  // per job, of a processor's time
  std::vector<std::string> worker_command;  // program and arguments that run compile_worker_main()
  std::filesystem::path cache_folder;       // empty: no cache
  std::uint64_t cache_cap_bytes = kDefaultCacheLimit;
  std::uint64_t worker_private_bytes = 0;  // a limit for each worker's memory; 0: none
  // Elsewhere, instead of here with `workers` and `worker_private_bytes`. What a place that is lost
  // was compiling is compiled at another; when all are, nothing is any more.
  std::vector<CompilePlace> places = {};
};

class CompilePool : public CompileService {
 public:
  // Starts the first worker and asks it for the NVRTC version; the others start when there is
  // something to compile. `done` is called from the pool's threads, without any lock held, one call
  // per submitted job that is not cancelled; it must not throw. Of several places the first worker
  // of each is started, and all have to have one compiler. Throws Error (environment) when they
  // have not, when no worker can be started or NVRTC is missing.
  CompilePool(CompilePoolOptions options, Done done);
  // Cancels what is queued and kills the workers; what they were compiling gets no `done`. Must not
  // be called from `done`.
  ~CompilePool() override;

  std::uint64_t submit(CompileJob job, bool spare = false) override;
  void cancel_queued() override;
  // Jobs submitted, not cancelled, whose `done` has not returned.
  [[nodiscard]] std::size_t outstanding() const;
  [[nodiscard]] int workers() const override;
  [[nodiscard]] std::string nvrtc_version() const override;
  [[nodiscard]] CompilePoolStatistics statistics() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The body of a compile worker process: frames on stdin and stdout (core/process/frame.h). Returns
// the exit code.
int compile_worker_main();

}  // namespace warpwright
