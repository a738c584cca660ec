// The result of a contract check (validation/contract_check.h) on one problem. Neither list holds
// subjects that the contract accepts on that problem.
#pragma once

#include <vector>

#include "records/contract_remark.h"

namespace warpwright {

struct ContractFindings {
  std::vector<ContractRemark> remarks;
  std::vector<ContractRemark> refuted;  // subjects that were tried and are tested; no numbers
};

// Returns each remark of the cases once, unless one of them refutes it.
[[nodiscard]] std::vector<ContractRemark> unrefuted(const std::vector<ContractFindings>& cases);

}  // namespace warpwright
