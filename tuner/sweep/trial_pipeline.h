// Takes trials from their compile jobs to an outcome. Trials compile ahead and wait for their
// board's turn. Then each is measured, unless another sweep has stored it meanwhile, or equal code
// is known or running: equal code is measured once, and the others take its outcome. The cases of a
// configuration run once on each kind of device.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "sweep/board_measurer.h"
#include "sweep/board_turns.h"
#include "sweep/event_queue.h"
#include "sweep/shared_code.h"
#include "sweep/stored_trials.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/sweep_workers.h"
#include "sweep/task_table.h"

namespace warpwright {

class TrialPipeline {
 public:
  using TaskId = TaskTable::Id;

  // Called when a trial leaves the pipeline. Its task is no longer in the table.
  struct Ends {
    std::function<void(TaskId id, const TrialTask& task, Outcome outcome)> with_outcome;
    // Another sweep has stored it.
    std::function<void(const TrialTask& task, const KnownTrial& stored)> stored;
    // It ended with a fault of the contract or of the environment.
    std::function<void(std::size_t board, const Error& error)> with_error;
  };

  // All references must outlive this.
  TrialPipeline(const SweepPlan& plan, const StoredTrials& stored, const BoardTurns& turns,
                TaskTable& tasks, SweepWorkers& workers, BoardMeasurer& measurer, SweepHost& host,
                Ends ends);

  // Begins a trial with the compile job of its problem; the jobs of its cases are added.
  void compile(TrialTask task, CompileJob job);
  // All compile jobs of the trial have ended.
  void compiled(TaskId id);
  // A device has answered. Returns false when the trial ended without an outcome.
  bool measured(MeasuredEvent event);

  // Goes on with the trials that waited for their board's turn.
  void release_waiting();
  // Ends the trials of the configuration that wait for a compiler or a device with this outcome. A
  // trial that already runs is allowed to end.
  void end_waiting(const std::string& configuration, const Outcome& outcome);

  // The outcome of a measured trial is committed. measured_again() returns the trials that take it
  // in place of an earlier outcome; release_sharers() goes on with those that waited for it.
  [[nodiscard]] std::vector<Sharers::Sharer> measured_again(const TrialTask& task,
                                                            const Outcome& outcome);
  void release_sharers(TaskId id, const TrialTask& task, const Outcome& outcome);

  // Returns the number of trials that took the outcome of equal code.
  [[nodiscard]] std::size_t shared() const { return shared_; }
  // Returns the number of trials that a device of the plan measured.
  [[nodiscard]] std::size_t measured_on(std::size_t device) const { return measured_on_[device]; }

 private:
  void release(TaskId id);
  void release(const std::vector<TaskId>& tasks);
  [[nodiscard]] bool take_stored(TaskId id);
  [[nodiscard]] bool identify_code(TaskId id, TrialTask& task);
  void take_shared(TaskId id, TrialTask& task);
  void finish(TaskId id, Outcome outcome);
  void fail(TaskId id, const Error& error);
  void drop(TaskId id);

  const SweepPlan& plan_;
  const StoredTrials& stored_;
  const BoardTurns& turns_;
  TaskTable& tasks_;
  SweepWorkers& workers_;
  BoardMeasurer& measurer_;
  SweepHost& host_;
  const Ends ends_;
  // By case key; the findings of the checkers in those cases.
  std::map<std::string, std::vector<TrialFinding>> cases_passed_;
  SharedCode code_;
  Sharers sharers_;
  std::size_t shared_ = 0;
  std::vector<std::size_t> measured_on_;  // by device of the plan
};

}  // namespace warpwright
