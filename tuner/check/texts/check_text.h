// Prints a check for people: a table with one line per entry, then every finding with its place.
// Also writes it as JSON for machines, with all findings.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/check_report.h"
#include "terminal/screen.h"

namespace warpwright {

[[nodiscard]] std::string check_text(const CheckReport& report, bool colour,
                                     const Screen& screen = {});

// The format is {"check": {...}, "entries": [...]}; tuner/check/README.md has the schema.
[[nodiscard]] nlohmann::json check_json(const CheckReport& report, bool allow_inconclusive);

// An example is "2 REGRESSION, 5 OK, 3 SAME", with the most severe state first.
[[nodiscard]] std::string gate_counts(const CheckReport& report);

// Summarises the change: "+2.31 %, 12.1 -> 12.4 us", "global_load_sectors 1,250 -> 2,500 (+100 %)
// and 3 more", or "".
[[nodiscard]] std::string check_change(const CheckEntry& entry);

}  // namespace warpwright
