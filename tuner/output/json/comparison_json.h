// A comparison as JSON; output/text/comparison_text.h describes it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/compare/comparison.h"

namespace warpwright {

// {"contenders":[{"letter","name","source","device":{"id","name","arch","driver","fingerprint"},
//    "gpus":[{"id","fingerprint"}...],"times":["measured"...],"runs","versions","nvrtc","seeds",
//    "first_started_utc","last_started_utc","trials"}...], where "device" is the first of the GPUs
//  "one_device","differences":[{"what","values"}...],
//  "tallies":[{"contender":index,"against":index,"compared","faster","slower","no_difference",
//    "not_judged","geometric_mean"}...],
//  "transfers":[{"of":index,"on":index,"problems","timed","pruned","failed","unknown",
//    "geometric_mean","worst","worst_kernel","worst_problem_text"}...],
//  "portability":null or {"problems","mean","worst","worst_kernel","worst_problem_text"},
//  "problems":[{"kernel","problem","problem_text",
//    "best":[null or {"times","protocol","median_us","ci_low_us","ci_high_us","configuration_text",
//      "configuration","trial","gpu":{"id","fingerprint"},"ties","final_ranking","ranked","trials",
//      "speedup":{"verdict","against":index,"ratio","low","high","why"}}...],
//    "transfer":[[{"how","status","fraction","time_us","configuration_text","of_ties"}...]...],
//    "portability":{"platforms":[index...],"failing","open","best":null or configuration_text,
//      "configurations":[{"configuration_text","value","at_most","efficiencies":[...]}...]}}...],
//  "portfolios":[{"kernel","within","places","candidates","at_least","proved_smallest",
//    "members":[{"configuration_text","serves","worst_fraction"}...]}...],
//  "ceilings":[{"name","unit","values":[null or {...}],"ratios":[{...}]}...]} Unknown values are
// null; lists per contender are in the order of the contenders.
[[nodiscard]] nlohmann::json comparison_json(const Comparison& comparison);

}  // namespace warpwright
