// ContractWatch keeps track of how well the contract of a sweep tests each problem. It stores this
// once for each of the contract's variants and reports each remark once. A strict sweep refuses
// problems that are left untested, also for trials that an earlier sweep stored, and does not
// compile a configuration that it is certain to refuse.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "records/contract_remark.h"
#include "sweep/run_records.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

class ContractWatch {
 public:
  // Both must outlive this.
  ContractWatch(const SweepPlan& plan, RunRecords& records);

  // Reads the findings of earlier runs about the contract's present text. The run must have been
  // opened.
  void recall();

  // Takes the remarks that came with a trial and stores those that this run has not stored. Returns
  // the remarks that this sweep has not reported for the problem yet.
  [[nodiscard]] std::vector<ContractRemark> record(std::size_t board, const std::string& variant,
                                                   const std::vector<ContractRemark>& remarks);

  // Returns whether the board's problem is known to be tested, under the limits of every
  // configuration of the variant.
  [[nodiscard]] bool is_tested(std::size_t board, const std::string& variant) const;
  // Returns the reason why every configuration of the variant is refused; nullopt when the plan is
  // not strict, or when the answer may differ between configurations.
  [[nodiscard]] std::optional<std::string> refusal(std::size_t board,
                                                   const std::string& variant) const;

 private:
  using Subject = std::pair<std::string, std::string>;  // variant hash and problem
  [[nodiscard]] Subject subject(std::size_t board, const std::string& variant) const {
    return {records_.variant_hash(variant), plan_.boards[board].summary.problem_text};
  }

  const SweepPlan& plan_;
  RunRecords& records_;
  const bool configurations_differ_;  // in what they compute or how far off they may be
  std::map<Subject, std::vector<ContractRemark>> known_;
  std::set<Subject> stored_;                                 // in this run
  std::map<std::string, std::vector<ContractRemark>> told_;  // by problem
};

}  // namespace warpwright
