// ContractChecks remembers the contract checks (validation/contract_check.h) of one kernel. Each
// problem is checked once for each set of limits: configurations share both, and a check takes
// longer than many kernels.
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

  // The remarks on the problem of `inputs` under the limits that `environment` gives.
  [[nodiscard]] const std::vector<ContractRemark>& remarks(const Environment& environment,
                                                           ProblemInputs& inputs);

 private:
  const KernelSpec& kernel_;
  std::map<std::string, std::vector<ContractRemark>> known_;  // by problem and limits
};

// The reason for which a strict contract or sweep refuses a problem: the first remark, the number
// of further ones, and the fix.
[[nodiscard]] std::string untested_reason(const std::vector<ContractRemark>& remarks);

}  // namespace warpwright
