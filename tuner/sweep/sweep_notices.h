// Reports to the user other than the results of a sweep: sources that were edited while it runs,
// inputs that are not stored with the results, and what the contract leaves untested.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "provenance/source_watch.h"
#include "records/contract_remark.h"
#include "sweep/contract_watch.h"
#include "sweep/sweep_plan.h"
#include "terminal/progress.h"

namespace warpwright {

class SweepNotices {
 public:
  // All arguments must outlive this.
  SweepNotices(const SweepPlan& plan, ContractWatch& contracts, Progress& progress)
      : plan_(plan),
        contracts_(contracts),
        progress_(progress),
        edits_(plan.kernel, plan.include_folders) {}

  // Reports sources that have been edited since the last call.
  void report_edits();
  // Reports the inputs of which only a hash is stored.
  void report_large_inputs();
  // Stores the remarks that came with a trial, and reports those that are new for the problem.
  void report_remarks(std::size_t board, const std::string& variant,
                      const std::vector<ContractRemark>& remarks);

 private:
  const SweepPlan& plan_;
  ContractWatch& contracts_;
  Progress& progress_;
  SourceWatch edits_;
};

}  // namespace warpwright
