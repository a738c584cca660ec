// What a sweep asks of whoever compiles for it: the compile pool (compile/compile_pool.h), or a
// simulation of one on a clock of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "compile/compile_job.h"

namespace warpwright {

// Jobs by how they ended; `shared` ones joined an equal job that was being compiled.
struct CompilePoolStatistics {
  std::uint64_t submitted = 0;
  std::uint64_t compiled = 0;  // the compiler gave an answer, good or bad
  std::uint64_t from_cache = 0;
  std::uint64_t shared = 0;
  std::uint64_t failed =
      0;  // not ok, wherever the answer came from; timed_out and crashed count too
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

  // Never blocks. Tickets count from 1. Jobs are taken in the order given; spare ones only where no
  // other waits.
  virtual std::uint64_t submit(CompileJob job, bool spare = false) = 0;
  // Drops queued jobs; those get no `done`.
  virtual void cancel_queued() = 0;
  [[nodiscard]] virtual int workers() const = 0;
  [[nodiscard]] virtual std::string nvrtc_version() const = 0;
  [[nodiscard]] virtual CompilePoolStatistics statistics() const = 0;
};

}  // namespace warpwright
