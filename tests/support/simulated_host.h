// A sweep's host in which nothing is compiled or measured: on a clock that jumps from one event to
// the next, both take the recorded times, on any number of compilers and GPUs. The engine is the
// real one, in its one thread, with its database; its own time is measured and passes on that clock
// too, so that time spent waiting for the engine shows.
//
// Time of the engine is CPU time of its thread, and in commits also the time for which it sleeps;
// time spent waiting for a core is not counted. Nothing is charged for networks and worker
// processes beyond `loading_seconds`.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "support/recorded_trials.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"

namespace warpwright::testing {

struct SimulationOptions {
  int compile_workers = 1;        // of all nodes together
  bool compiled_before = false;   // every code is in the compile cache
  double cached_seconds = 0.002;  // a compiler worker's, for what the cache holds
  double loading_seconds = 0;     // of every trial, beyond what is recorded
  double ranking_factor = 2;      // a ranking takes, of the limit of its rounds
  bool charges_engine = true;     // false: the engine's own time is not counted
};

// How a quantity went over virtual time.
class Level {
 public:
  void set(double now_s, double value) {
    area_ += value_ * (now_s - since_s_);
    since_s_ = now_s;
    value_ = value;
    highest_ = std::max(highest_, value);
  }
  [[nodiscard]] double highest() const { return highest_; }
  [[nodiscard]] double area(double now_s) const { return area_ + value_ * (now_s - since_s_); }

 private:
  double value_ = 0, since_s_ = 0, area_ = 0, highest_ = 0;
};

struct SimulationFigures {
  double makespan_s = 0;    // from the host's first moment until its last event
  double gpu_busy_s = 0;    // of all GPUs
  double gpu_trials_s = 0;  // of that, trials that answer a question: no inputs, guests, rankings
  std::uint64_t measured = 0;  // requests that GPUs took, rankings included
  double compiler_busy_s = 0;
  double engine_s = 0;                       // busy
  std::map<EngineWork, double> engine_of_s;  // of that, by kind; the rest is book-keeping
  std::uint64_t commits = 0;
  double to_compile = 0, to_measure = 0;  // waiting, in the mean
  double most_to_compile = 0, most_to_measure = 0;
};

class SimulatedHost : public SweepHost {
 public:
  // `recorded` must outlive this; the plan is read here. Its boards are found in the recording by
  // what they were called before they were repeated (repeated_boards.h).
  SimulatedHost(const SweepPlan& plan, const RecordedTrials& recorded, SimulationOptions options);
  ~SimulatedHost() override;

  [[nodiscard]] Clock::time_point now() const override;
  [[nodiscard]] std::chrono::milliseconds before_waiting(
      std::chrono::milliseconds patience) override;
  [[nodiscard]] std::unique_ptr<CompileService> start_compilers(CompilePoolOptions options,
                                                                CompileService::Done done) override;
  [[nodiscard]] std::unique_ptr<MeasureService> start_measurers(MeasurePoolOptions options,
                                                                MeasureService::Done done) override;
  [[nodiscard]] std::unique_ptr<ReferenceAhead> start_references(const MeasurePoolOptions&,
                                                                 const DeviceInfo&) override {
    return nullptr;
  }
  void enter(EngineWork work) override;
  void leave() override;

  [[nodiscard]] SimulationFigures figures() const;

 private:
  struct World;
  class Compilers;
  class Measurers;
  std::unique_ptr<World> world_;
};

}  // namespace warpwright::testing
