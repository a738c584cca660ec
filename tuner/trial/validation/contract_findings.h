// What was tried on one problem to see whether the contract tests anything
// (validation/contract_check.h). What the contract accepts there is in neither list.
#pragma once

#include <vector>

#include "records/contract_remark.h"

namespace warpwright {

struct ContractFindings {
  std::vector<ContractRemark> remarks;
  std::vector<ContractRemark> refuted;  // what does not pass and what matters, without numbers
};

// The remarks of several cases that no other case refutes, each once.
[[nodiscard]] std::vector<ContractRemark> unrefuted(const std::vector<ContractFindings>& cases);

}  // namespace warpwright
