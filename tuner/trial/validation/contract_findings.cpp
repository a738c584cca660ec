#include "trial/validation/contract_findings.h"

#include <algorithm>

namespace warpwright {

std::vector<ContractRemark> unrefuted(const std::vector<ContractFindings>& cases) {
  std::vector<ContractRemark> standing;
  for (const ContractFindings& one : cases) add_remarks(standing, one.remarks);
  std::erase_if(standing, [&](const ContractRemark& remark) {
    return std::any_of(cases.begin(), cases.end(), [&](const ContractFindings& one) {
      return std::any_of(one.refuted.begin(), one.refuted.end(),
                         [&](const ContractRemark& other) { return same_subject(other, remark); });
    });
  });
  return standing;
}

}  // namespace warpwright
