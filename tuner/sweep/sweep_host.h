// What a sweep has from where it runs: a clock, those who compile and measure for it, and a place
// to wait for them. WorkerHost is the world; tests and the simulation bring others, with which the
// same engine runs on a clock of their own. Used by the engine's thread alone.
#pragma once

#include <chrono>
#include <memory>

#include "compile/compile_pool.h"
#include "device/device.h"
#include "workers/measure_pool.h"
#include "workers/reference_ahead.h"

namespace warpwright {

// What the engine's thread is busy with, for those who want to know what a sweep waits for; what is
// none of these is book-keeping.
enum class EngineWork {
  kStrategy,  // asking and telling the searches
  kJobs,      // making compile jobs and hashing keys
  kRecords,   // making rows, JSON included
  kLookup,    // what the database holds already
  kAdd,       // adding to it
  kCommit,    // making that certain: once for each transaction
};

class SweepHost {
 public:
  using Clock = std::chrono::steady_clock;

  SweepHost() = default;
  virtual ~SweepHost() = default;
  SweepHost(const SweepHost&) = delete;
  SweepHost& operator=(const SweepHost&) = delete;

  // Budgets, patience and durations are measured by this. Never goes back.
  [[nodiscard]] virtual Clock::time_point now() const = 0;
  // The engine has handled what it was told, and goes to wait for more. Returns how long it may, at
  // most `patience`. What is told from in here is handled next.
  [[nodiscard]] virtual std::chrono::milliseconds before_waiting(
      std::chrono::milliseconds patience) = 0;

  // What they return ends before this does, and calls `done` until then.
  [[nodiscard]] virtual std::unique_ptr<CompileService> start_compilers(
      CompilePoolOptions options, CompileService::Done done) = 0;
  [[nodiscard]] virtual std::unique_ptr<MeasureService> start_measurers(
      MeasurePoolOptions options, MeasureService::Done done) = 0;
  // Null where nobody computes references ahead.
  [[nodiscard]] virtual std::unique_ptr<ReferenceAhead> start_references(
      const MeasurePoolOptions& options, const DeviceInfo& device) = 0;

  // From here to the matching leave() is of this kind, but for what is entered inside of it.
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

// From here to the end of the block.
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
