// A launch comment as the launch contract that it stands for, in YAML, so that everything that runs
// contracts runs it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "vet/comments/launch_comment.h"
#include "vet/comments/parameter_types.h"

namespace warpwright {

// The variant's name there: that of the kernels.
[[nodiscard]] std::string name_of(const LaunchComment& comment);
// The case's: "line 12".
[[nodiscard]] std::string case_of(const LaunchComment& comment);

// `parameters` of every kernel by its entry. Throws Error (user) at the place of what does not fit
// the kernel.
[[nodiscard]] std::string contract_of(
    const LaunchComment& comment, const std::filesystem::path& source,
    const std::map<std::string, std::vector<ParameterType>>& parameters);

}  // namespace warpwright
