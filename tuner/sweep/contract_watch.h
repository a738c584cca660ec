// What is known of how the contract tests each problem of a sweep: stored once for each of the
// contract's variants and told once. A strict sweep refuses what is left untested, also trials that
// an earlier one stored, and does not compile what it is certain to refuse.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "records/contract_remark.h"
#include "sweep/run_book.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

class ContractWatch {
 public:
  // Both must outlive this.
  ContractWatch(const SweepPlan& plan, RunBook& book);

  // Takes in what earlier runs have found of the contract as it is. The book is open.
  void recall();

  // What a trial has found; stored when this run has not stored it. Returns the remarks that this
  // sweep has not told of the problem yet.
  [[nodiscard]] std::vector<ContractRemark> heed(std::size_t board, const std::string& variant,
                                                 const std::vector<ContractRemark>& remarks);

  // Whether the board's problem is known to be tested under whatever limits configurations of the
  // variant have.
  [[nodiscard]] bool is_tested(std::size_t board, const std::string& variant) const;
  // Why every configuration of the variant is refused; nullopt unless the plan is strict, and where
  // configurations may differ in that.
  [[nodiscard]] std::optional<std::string> refusal(std::size_t board,
                                                   const std::string& variant) const;

 private:
  using Subject = std::pair<std::string, std::string>;  // variant hash and problem
  [[nodiscard]] Subject subject(std::size_t board, const std::string& variant) const {
    return {book_.variant_hash(variant), plan_.boards[board].summary.problem_text};
  }

  const SweepPlan& plan_;
  RunBook& book_;
  const bool configurations_differ_;  // in what they compute or how far off they may be
  std::map<Subject, std::vector<ContractRemark>> known_;
  std::set<Subject> stored_;                                 // in this run
  std::map<std::string, std::vector<ContractRemark>> told_;  // by problem
};

}  // namespace warpwright
