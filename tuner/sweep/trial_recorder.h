// Stores the outcomes of trials in the database. Trials that arrive together are one transaction,
// so that many answering GPUs cause fewer disk accesses.
//
// Invariant: nothing follows from a trial before it is committed; then everything that follows
// happens in the order in which the trials arrived.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "sweep/run_records.h"
#include "sweep/stored_trials.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/task_table.h"

namespace warpwright {

class TrialRecorder {
 public:
  // Receives the trial that was stored, or in `known` the one that another sweep had stored before,
  // whose result stands; then nothing was added.
  using Stored = std::function<void(const TrialTask& task, const TrialRecord& trial,
                                    const std::optional<KnownTrial>& known)>;

  // All arguments must outlive this. If `fresh`, no stored result stands.
  TrialRecorder(const SweepPlan& plan, bool fresh, const StoredTrials& stored, RunRecords& records,
                SweepHost& host, Stored on_stored)
      : plan_(plan),
        fresh_(fresh),
        stored_(stored),
        records_(records),
        host_(host),
        on_stored_(std::move(on_stored)) {}

  // Between these calls, trials are collected in one transaction. end() commits.
  void begin() { collecting_ = true; }
  void end();

  // Stores the outcome of a task on the task's device.
  void store(const TrialTask& task, const Outcome& outcome);
  // Runs the consequence now or, while trials are collected, after their commit.
  void then(std::function<void()> consequence);
  // Commits what was collected, and what follows from it.
  void commit();
  // Returns the number of consequences that wait for a commit.
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  const SweepPlan& plan_;
  const bool fresh_;
  const StoredTrials& stored_;
  RunRecords& records_;
  SweepHost& host_;
  Stored on_stored_;
  bool collecting_ = false;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace warpwright
