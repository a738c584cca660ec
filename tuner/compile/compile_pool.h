// Compile workers: separate processes, so that a compiler that crashes or hangs costs one job and nothing else.
// The pool answers from the cache first, compiles equal jobs once, and replaces workers that die.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile_cache.h"
#include "compile/compile_job.h"

namespace warpwright {

struct CompilePoolOptions {
  int workers = 0;                                // 0: one per core
  std::chrono::milliseconds timeout{120'000};     // per job
  std::vector<std::string> worker_command;        // program and arguments that run compile_worker_main()
  std::filesystem::path cache_folder;             // empty: no cache
  std::uint64_t cache_cap_bytes = 4ull << 30;
};

struct CompilePoolStatistics {
  std::uint64_t submitted = 0, compiled = 0, from_cache = 0, shared = 0, failed = 0, timed_out = 0, crashed = 0;
  double busy_seconds = 0;     // summed over workers
};

class CompilePool {
 public:
  using Done = std::function<void(std::uint64_t ticket, CompileResult result)>;

  // Starts the workers and asks the first for the NVRTC version. `done` is called from the pool's threads, one call per
  // submitted job. Throws Error (environment) when no worker can be started or NVRTC is missing.
  CompilePool(CompilePoolOptions options, Done done);
  ~CompilePool();   // cancels what is queued and kills the workers

  // Never blocks. Tickets count from 1. Jobs are taken in the order given.
  std::uint64_t submit(CompileJob job);
  // Drops queued jobs; those get no `done`.
  void cancel_queued();
  [[nodiscard]] std::size_t outstanding() const;
  [[nodiscard]] int workers() const;
  [[nodiscard]] std::string nvrtc_version() const;
  [[nodiscard]] CompilePoolStatistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The body of a compile worker process: frames on stdin and stdout (core/subprocess.h). Returns the exit code.
int compile_worker_main();

}  // namespace warpwright
