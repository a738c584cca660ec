// The environment of a sweep: a clock, compile and measure services, and a place to wait for them.
// WorkerHost is the real one; tests and the simulation supply others, which run the same engine on
// a clock of their own. Used by the engine's thread alone.
#pragma once

#include <chrono>
#include <memory>

#include "compile/compile_pool.h"
#include "device/device.h"
#include "workers/measure_pool.h"
#include "workers/reference_ahead.h"

namespace warpwright {

// The kinds of work of the engine's thread, for profiling. Everything else counts as book-keeping.
enum class EngineWork {
  kStrategy,  // asking and telling the searches
  kJobs,      // making compile jobs and hashing keys
  kRecords,   // making rows, JSON included
  kLookup,    // finding trials that the database already holds
  kAdd,       // adding trials to the database
  kCommit,    // committing, once for each transaction
};

class SweepHost {
 public:
  using Clock = std::chrono::steady_clock;

  SweepHost() = default;
  virtual ~SweepHost() = default;
  SweepHost(const SweepHost&) = delete;
  SweepHost& operator=(const SweepHost&) = delete;

  // The clock for budgets, patience and durations. It never goes back.
  [[nodiscard]] virtual Clock::time_point now() const = 0;
  // Called when the engine has handled all events and is about to wait for more. Returns how long
  // it may wait, at most `patience`. Events that are posted during the call are handled next.
  [[nodiscard]] virtual std::chrono::milliseconds before_waiting(
      std::chrono::milliseconds patience) = 0;

  // The returned services end before this object does, and call `done` until then.
  [[nodiscard]] virtual std::unique_ptr<CompileService> start_compilers(
      CompilePoolOptions options, CompileService::Done done) = 0;
  [[nodiscard]] virtual std::unique_ptr<MeasureService> start_measurers(
      MeasurePoolOptions options, MeasureService::Done done) = 0;
  // Returns null when references are not computed ahead.
  [[nodiscard]] virtual std::unique_ptr<ReferenceAhead> start_references(
      const MeasurePoolOptions& options, const DeviceInfo& device) = 0;

  // The time up to the matching leave() counts as this kind of work, except for nested spans.
  virtual void enter(EngineWork) {}
  virtual void leave() {}
};

// Worker processes, the steady clock, and a thread that sleeps while it waits.
class WorkerHost : public SweepHost {
 public:
  [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }
  [[nodiscard]] std::chrono::milliseconds before_waiting(
      std::chrono::milliseconds patience) override {
    return patience;
  }
  [[nodiscard]] std::unique_ptr<CompileService> start_compilers(CompilePoolOptions options,
                                                                CompileService::Done done) override;
  [[nodiscard]] std::unique_ptr<MeasureService> start_measurers(MeasurePoolOptions options,
                                                                MeasureService::Done done) override;
  [[nodiscard]] std::unique_ptr<ReferenceAhead> start_references(const MeasurePoolOptions& options,
                                                                 const DeviceInfo& device) override;
};

// Counts the time until the end of the block as one kind of work.
class WorkSpan {
 public:
  WorkSpan(SweepHost& host, EngineWork work) : host_(host) { host_.enter(work); }
  ~WorkSpan() { host_.leave(); }
  WorkSpan(const WorkSpan&) = delete;
  WorkSpan& operator=(const WorkSpan&) = delete;

 private:
  SweepHost& host_;
};

}  // namespace warpwright
