// What the cases of a contract show together of how much it tests
// (trial/validation/contract_check.h). A case may be made so that something does not matter in it,
// and so a remark stands only if no case refutes it. One case alone shows nothing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "spec/kernel_spec.h"
#include "trial/validation/vet_schedules.h"
#include "vet/vet.h"

namespace warpwright {

class VetContract {
 public:
  // The kernel must outlive this.
  VetContract(const KernelSpec& kernel, const VetOptions& options);

  // Whether a run of the case is to look: the first, since variants share the contract.
  [[nodiscard]] bool wants(const std::string& case_name);
  void add(const VettedCase& vetted) { cases_.push_back(vetted.contract); }
  // The remarks that stand, each with its place in the contract.
  [[nodiscard]] std::vector<VetContractRemark> remarks() const;

 private:
  const KernelSpec& kernel_;
  bool looks_ = false;
  std::set<std::string> asked_;
  std::vector<ContractFindings> cases_;
};

}  // namespace warpwright
