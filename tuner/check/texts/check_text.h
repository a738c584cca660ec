// What a check found, for people: a table with one line per entry, then every finding with its
// place. And as JSON for machines, with everything that was found.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/check_report.h"
#include "core/screen.h"

namespace warpwright {

[[nodiscard]] std::string check_text(const CheckReport& report, bool colour,
                                     const Screen& screen = {});

// {"check": {...}, "entries": [...]}; schema in tuner/check/README.md.
[[nodiscard]] nlohmann::json check_json(const CheckReport& report, bool allow_inconclusive);

// "2 REGRESSION, 5 OK, 3 SAME": the most severe first.
[[nodiscard]] std::string gate_counts(const CheckReport& report);

// "+2.31 %, 12.1 -> 12.4 us", "global_load_sectors 1,250 -> 2,500 (+100 %) and 3 more", "": what
// changed, in short.
[[nodiscard]] std::string check_change(const CheckEntry& entry);

}  // namespace warpwright
