// The interface between a sweep and its compilers: the compile pool (compile/compile_pool.h), or a
// simulation of one with its own clock.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "compile/compile_job.h"

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

}  // namespace warpwright
