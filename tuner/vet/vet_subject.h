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

// A configuration to vet, and its name if it is a version.
struct VetConfiguration {
  Configuration configuration;
  std::string version = "";  // "V4"; "" for none
  std::string change = "";   // "V4 with STAGES=3 (V4 has 2)"; "" for none
};

// Returns the versions that the options name, else one configuration per variant: the defaults. The
// overrides are applied to each. Throws Error (user) on names that are neither parameters nor
// sizes, and as choose_versions().
[[nodiscard]] std::vector<VetConfiguration> configurations_of(const VetOptions& options,
                                                              const KernelSpec& kernel);

}  // namespace warpwright
