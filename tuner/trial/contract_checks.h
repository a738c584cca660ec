// What validation/contract_check.h finds on the problems of one kernel, looked at once for each
// problem and set of limits: configurations share both, and the check takes longer than many of
// them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "records/contract_remark.h"
#include "spec/kernel_spec.h"
#include "trial/data/problem_inputs.h"

namespace warpwright {

class ContractChecks {
 public:
  // The kernel must outlive this.
  explicit ContractChecks(const KernelSpec& kernel) : kernel_(kernel) {}

  // Limits come from `environment`.
  [[nodiscard]] const std::vector<ContractRemark>& remarks(const Environment& environment,
                                                           ProblemInputs& inputs);

 private:
  const KernelSpec& kernel_;
  std::map<std::string, std::vector<ContractRemark>> known_;  // by problem and limits
};

// Why a strict contract or sweep refuses the problem: the first of the remarks, how many more there
// are, and what to do about it.
[[nodiscard]] std::string untested_reason(const std::vector<ContractRemark>& remarks);

}  // namespace warpwright
