// What a regression gate found, for people: a table with one line an entry, then every finding with
// its place. And as JSON for machines, with everything that was found.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/gate_report.h"

namespace warpwright {

[[nodiscard]] std::string gate_text(const GateReport& report, bool colour);

// {"check": {...}, "entries": [...]}; schema in tuner/gate/README.md.
[[nodiscard]] nlohmann::json gate_json(const GateReport& report, bool allow_inconclusive);

// "2 REGRESSION, 5 OK, 3 SAME": the gravest first.
[[nodiscard]] std::string gate_counts(const GateReport& report);

// "+2.31 %, 12.1 -> 12.4 us", "global_load_sectors 1,250 -> 2,500 (+100 %) and 3 more", "": what
// changed, in short.
[[nodiscard]] std::string gate_change(const GateEntry& entry);

}  // namespace warpwright
