// This check determines whether a contract tests anything. It submits results that compute nothing
// for each output of a problem, and determines which inputs matter. The rule that judges kernels
// (compare/validate.h) decides whether a result passes, on the units that kernels are judged on.
//   zeros_pass, mean_passes: zeros, or the mean of the expected values in every element
//   other_seed_passes: the result that is expected for the inputs of the other seed
//   input_copy_passes: an input with the same number of elements, converted to the output's type;
//     for an in-out argument also its own content, which a kernel that does nothing leaves as it is
//   constant_along_axis: each element replaced by the first one of its line along an axis
//   input_unused: the result that is expected when one input has another seed's content, on a few
//     units (validation/input_use.h)
// A loose tolerance lets many of them pass, so the check leaves out remarks that follow from
// others: axes where the mean passes, and, where the other seed's result passes, inputs that change
// any expected value at all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "records/contract_remark.h"
#include "spec/kernel_spec.h"
#include "trial/data/problem_data.h"
#include "trial/data/problem_inputs.h"

namespace warpwright {

// The result of a contract check on one problem. Neither list holds subjects that the contract
// accepts on that problem.
struct ContractFindings {
  std::vector<ContractRemark> remarks;
  std::vector<ContractRemark> refuted;  // subjects that were tried and are tested; no numbers
};

// Returns each remark of the cases once, unless one of them refutes it.
[[nodiscard]] std::vector<ContractRemark> unrefuted(const std::vector<ContractFindings>& cases);

// The author of a case may want an output to be the same everywhere. Such an output provides no
// evidence about the contract, so the check leaves it out in cases.
enum class CheckedProblem { kOfSweep, kCase };

// Checks one problem under the limits that `environment` gives. `other` holds the problem with the
// inputs of another seed; without it (null) only zeros, means, copies and axes are tried. The
// findings are empty without a reference. Throws Error (user) when a limit cannot be evaluated.
[[nodiscard]] ContractFindings check_contract(const KernelSpec& kernel,
                                              const Environment& environment,
                                              const ProblemData& first, const ProblemData* other,
                                              CheckedProblem problem = CheckedProblem::kOfSweep);

// ContractChecks remembers the contract checks of one kernel. Each problem is checked once for each
// set of limits: configurations share both, and a check takes longer than many kernels.
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
