// What the checkers found, as a compiler prints it: `file:line: hazard: shared race: ...`, the
// other side as a note, and the fix. And as JSON for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "vet/vet_report.h"

namespace warpwright {

[[nodiscard]] std::string vet_text(const VetReport& report, bool colour);

// {"vet": {...}, "hazards": [...], "failures": [...], "exclusions": [...]}.
[[nodiscard]] nlohmann::json vet_json(const VetReport& report);

}  // namespace warpwright
