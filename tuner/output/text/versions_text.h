// Named versions of a sweep beside each other, as people read them and as machines do.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/compare/version_table.h"
#include "core/screen.h"

namespace warpwright {

// The sizes that all problems share; a table with versions down and problems across, then the best
// of the versions' variants, the best of all and what it gains, and peers; the configurations of
// the bests. Lines fit 100 columns but for single words that do not. Ends in a newline.
[[nodiscard]] std::string versions_text(const VersionTable& table, const Screen& screen = {});

// {"versions":[{"sweep","kernel","device":{"id","name"},"protocol","modelled",
//    "problems":[{"problem","problem_text"}...],"variants",
//    "rows":[{"name","cells":[null or {"median_us","ci_low_us","ci_high_us","tied_with_best",
//      "configuration_text","status"}...]}...],
//    "best_of_variants":[...],"best_of_all":[...],"gain":[...],"peers":[{"name","cells"}...]}...]}
// A cell has a status instead of times where there are none; what was not tried is null.
[[nodiscard]] nlohmann::json versions_json(const std::vector<VersionTable>& tables);

}  // namespace warpwright
