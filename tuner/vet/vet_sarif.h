// Writes a report as SARIF 2.1.0 (OASIS), which code hosts and editors show at the lines: a rule
// for every kind of finding, a result for every finding with its other side as a related location,
// and undecided cases as notifications of the tool.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "vet/vet_report.h"

namespace warpwright {

// `version` is the version of this program. Relative paths are relative to the folder that vet ran
// in, which SARIF calls %SRCROOT%.
[[nodiscard]] nlohmann::ordered_json vet_sarif(const VetReport& report, const std::string& version);

}  // namespace warpwright
