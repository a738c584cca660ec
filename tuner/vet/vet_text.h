// What the checkers found, as a compiler prints it: `file:line: hazard: shared race: ...`, the
// other side as a note, and the fix. And as JSON for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "vet/vet_report.h"

namespace warpwright {

[[nodiscard]] std::string vet_text(const VetReport& report, bool colour);

// What was left out, each once: a body of what is gone as a whole is not among them.
[[nodiscard]] std::vector<LeftOut> told_left_out(const VetReport& report);
// "the body of 'run'", "the header 'vector'", "'table'".
[[nodiscard]] std::string describe(const LeftOut& one);

// {"vet": {...}, "hazards": [...], "failures": [...], "exclusions": [...]}.
[[nodiscard]] nlohmann::json vet_json(const VetReport& report);

}  // namespace warpwright
