// Importance and landscape of a board as JSON, which `show --json` adds to a leaderboard.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/insight/heat_map.h"
#include "analysis/insight/importance.h"
#include "analysis/insight/landscape.h"

namespace warpwright {

// {"modelled","imported","configurations","pruned","variant_share":null or share,
//  "variants":[{"variant","configurations","pruned","best":T,"slowest_over_best","why_not":null or
//    text,"r_squared","parameters":[{"name","main_share","permutation",
//      "values":[{"value","configurations","pruned","best":T,"median":T}...]}...],
//    "interactions":[{"first","second","share"}...],"higher_share"}...]}
// with T = {"us","at_least"}: a bound where at_least is true.
[[nodiscard]] nlohmann::json importance_json(const Importance& importance);

// {"modelled","imported","configurations","pruned","failed","noisy","best_us",
//  "near_best":[{"within","configurations","at_most"}...],
//  "quantiles":[{"fraction","slowdown","at_least"}...],
//  "bins":[{"low","high","timed","pruned"}...],
//  "local_minima":{"minima","good","isolated","mean_neighbours","descents_to_good"},
//  "good_within","budget":[{"trials","expected_slowdown","good_chance","nothing_chance"}...],
//  "trials_for_good"}
[[nodiscard]] nlohmann::json landscape_json(const Landscape& landscape);

// {"variant","x","y","modelled","x_values","y_values","cells":[[{"configurations","pruned",
//   "failed","best":null or T,"median":null or T}...]...]}: a list per y value.
[[nodiscard]] nlohmann::json heat_map_json(const HeatMap& map);

}  // namespace warpwright
