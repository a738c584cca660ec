// What a selection needs of a kernel's contract, as plain facts for analysis/ and output/.
#pragma once

#include "analysis/selection_model.h"
#include "spec/kernel_spec.h"

namespace warpwright {

[[nodiscard]] ContractFacts contract_facts(const KernelSpec& kernel);

}  // namespace warpwright
