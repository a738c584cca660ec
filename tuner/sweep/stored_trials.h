// Finds the trials that the database already holds, from an earlier or a concurrent sweep, and
// decides whether anything is gained by measuring them again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "records/records.h"
#include "sweep/contract_watch.h"
#include "sweep/possible_times.h"
#include "sweep/run_records.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/task_table.h"

namespace warpwright {

// A trial as the database holds it, with the device of the plan that it ran on.
struct KnownTrial {
  TrialRecord trial;
  std::size_t device = 0;
};

class StoredTrials {
 public:
  // All arguments must outlive this.
  StoredTrials(const SweepOptions& options, const SweepPlan& plan, const RunRecords& records,
               const PossibleTimes& possible, const ContractWatch& contracts, SweepHost& host)
      : options_(options),
        plan_(plan),
        records_(records),
        possible_(possible),
        contracts_(contracts),
        host_(host) {}

  // Returns the key under which the task is stored when it runs on the device.
  [[nodiscard]] std::string key_on(const TrialTask& task, std::size_t device) const;

  // Returns the stored trial, of any device that the task might run on, if its result stands in
  // this sweep.
  [[nodiscard]] std::optional<KnownTrial> find(const TrialTask& task) const;
  // The same, but nothing when the sweep is to measure everything anew.
  [[nodiscard]] std::optional<KnownTrial> find_unless_fresh(const TrialTask& task) const {
    return options_.fresh ? std::nullopt : find(task);
  }

 private:
  [[nodiscard]] bool stands(std::size_t board, const KnownTrial& known) const;

  const SweepOptions& options_;
  const SweepPlan& plan_;
  const RunRecords& records_;
  const PossibleTimes& possible_;
  const ContractWatch& contracts_;
  SweepHost& host_;
};

}  // namespace warpwright
