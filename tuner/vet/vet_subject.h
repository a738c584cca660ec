// Which parts of a contract are vetted: the variants, cases, parameters and sizes that are named.
#pragma once

#include <string>
#include <vector>

#include "core/expr/value.h"
#include "records/configuration.h"
#include "vet/vet.h"

namespace warpwright {

// NAME=VALUE of --set.
struct Assignment {
  std::string name;
  Value value;
};
// Throws Error (user) on anything else.
[[nodiscard]] Assignment read_assignment(const std::string& text);

// Keeps only the variant and the case that are asked for, and sets problem sizes. A contract
// without cases gets one with its defaults. Throws Error (user).
void narrow_subject(const VetOptions& options, KernelSpec& kernel);

// One per variant: defaults, except for what is overridden. Throws Error (user) on names that are
// neither a parameter nor a size.
[[nodiscard]] std::vector<Configuration> configurations_of(
    const KernelSpec& kernel, const std::vector<std::string>& overrides);

}  // namespace warpwright
