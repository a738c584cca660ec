// Named versions of a sweep side by side, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/compare/version_table.h"

namespace warpwright {

// {"versions":[{"sweep","kernel","device":{"id","name"},"protocol","modelled",
//    "problems":[{"problem","problem_text"}...],"variants",
//    "rows":[{"name","cells":[null or {"median_us","ci_low_us","ci_high_us","tied_with_best",
//      "configuration_text","gflop_per_s","limit_fraction","limit_standing","status"}...]}...],
//    "best_of_variants":[...],"best_of_all":[...],"gain":[...],"order":[["V1","V0"]...],"peers":[{"name","cells"}...]}...]}
// A cell without times has a status instead; a cell that was not tried is null.
[[nodiscard]] nlohmann::json versions_json(const std::vector<VersionTable>& tables);

}  // namespace warpwright
