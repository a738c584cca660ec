// Whether a contract tests anything: which results that compute nothing pass for a problem's
// outputs, and which inputs do not matter to them. What passes is decided by the rule that judges
// kernels (validation/validate.h), on the units that kernels are judged on.
//   zeros_pass, mean_passes: zeros, or the mean of the expected values in every element
//   other_seed_passes: what is expected for the inputs of the other seed
//   input_copy_passes: an input of as many elements, converted; of an in-out argument its own
//     content, which is what a kernel leaves that does nothing
//   constant_along_axis: each element replaced by the first one of its line along an axis
//   input_unused: what is expected with another seed's content of that input, on a few units
//     (validation/input_use.h)
// A loose tolerance makes many of them pass, and the first ones stand for what follows from them:
// no axis is remarked on where the mean passes, and where the other seed's result passes, an input
// is only when no expected value changes at all.
#pragma once

#include "spec/kernel_spec.h"
#include "trial/data/problem_data.h"
#include "trial/validation/contract_findings.h"

namespace warpwright {

// A case may be made so that an output is the same everywhere. That says nothing about the
// contract, so such outputs of cases are left out.
enum class CheckedProblem { kOfSweep, kCase };

// On one problem. Limits come from `environment`; `other` is the problem with the inputs of another
// seed, null where there is none: then only zeros, means, copies and axes are tried. Empty without
// a reference. Throws Error (user) as the evaluation of limits does.
[[nodiscard]] ContractFindings check_contract(const KernelSpec& kernel,
                                              const Environment& environment,
                                              const ProblemData& first, const ProblemData* other,
                                              CheckedProblem problem = CheckedProblem::kOfSweep);

}  // namespace warpwright
