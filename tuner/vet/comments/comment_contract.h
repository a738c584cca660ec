// Converts a launch comment into an equivalent launch contract in YAML, so that every consumer of
// contracts can run it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "vet/comments/parameter_types.h"
#include "vet/comments/read_launch_comments.h"

namespace warpwright {

// The name of the contract's variant, made of the kernels' names.
[[nodiscard]] std::string name_of(const LaunchComment& comment);
// The name of the contract's case, such as "line 12".
[[nodiscard]] std::string case_of(const LaunchComment& comment);

// `parameters` maps each kernel's entry to its parameter types. Throws Error (user) at the place of
// an argument that does not fit the kernel.
[[nodiscard]] std::string contract_of(
    const LaunchComment& comment, const std::filesystem::path& source,
    const std::map<std::string, std::vector<ParameterType>>& parameters);

}  // namespace warpwright
