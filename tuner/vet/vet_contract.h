// VetContract joins the contract checks (trial/validation/contract_check.h) of a contract's cases.
// The author of a case may want an input not to matter in it, so a remark stands only when no case
// refutes it. A single case, chosen with --case, shows nothing.
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

  // Whether a run should check the contract. The first run of each case should, because variants
  // share the contract.
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
