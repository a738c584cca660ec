// Prints a report in the style of a compiler: `file:line: hazard: shared race: ...`, the other side
// as a note, and the fix. Also writes it as JSON for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "vet/vet_report.h"

namespace warpwright {

[[nodiscard]] std::string vet_text(const VetReport& report, bool colour);

// Returns "store of 4 bytes by thread (3,0,0) of block (0,0,0)".
[[nodiscard]] std::string who(const FindingSide& side);

// Returns each piece of code that was left out once: a body is omitted if its whole declaration is
// gone.
[[nodiscard]] std::vector<LeftOut> told_left_out(const VetReport& report);
// Returns "the body of 'run'", "the header 'vector'" or "'table'".
[[nodiscard]] std::string describe(const LeftOut& one);

// An element of "hazards".
[[nodiscard]] nlohmann::json hazard_json(const VetHazard& hazard);

// The format is {"vet": {...}, "hazards": [...], "failures": [...], "exclusions": [...]}.
[[nodiscard]] nlohmann::json vet_json(const VetReport& report);

}  // namespace warpwright
