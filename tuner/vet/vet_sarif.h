// What the checkers found, as SARIF 2.1.0 (OASIS), which code hosts and editors show at the lines:
// a rule for every kind of finding that there is, a result for every finding with its other side as
// a related location, and what was not decided as a notification of the tool.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "vet/vet_report.h"

namespace warpwright {

// `version` is this program's. Files that are relative are so to the folder that vet ran in, which
// SARIF calls %SRCROOT%.
[[nodiscard]] nlohmann::ordered_json vet_sarif(const VetReport& report, const std::string& version);

}  // namespace warpwright
