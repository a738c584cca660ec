// Selects the parts of a contract to vet by the given variants, cases, parameters and sizes.
#pragma once

#include <string>
#include <vector>

#include "core/expr/value.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "vet/vet_options.h"

namespace warpwright {

// The NAME=VALUE argument of --set.
struct Assignment {
  std::string name;
  Value value;
};
// Throws Error (user) on anything else.
[[nodiscard]] Assignment read_assignment(const std::string& text);

// Keeps only the requested variant and case, and sets problem sizes. A contract without cases gets
// one case with its defaults. Throws Error (user).
void narrow_subject(const VetOptions& options, KernelSpec& kernel);

// Returns one configuration per variant: the defaults with the overrides applied. Throws Error
// (user) on names that are neither parameters nor sizes.
[[nodiscard]] std::vector<Configuration> configurations_of(
    const KernelSpec& kernel, const std::vector<std::string>& overrides);

}  // namespace warpwright
