// A comparison as text and as JSON. Contenders are A, B, C, ... in the order given; every column of
// times says whether it is measured, imported or modelled.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/compare/comparison.h"
#include "terminal/screen.h"

namespace warpwright {

struct ComparisonTextOptions {
  std::size_t top = 5;  // problems in detail, and rows of each list there; 0 is all
  bool colour = false;
  Screen screen = {};
};

// "A" to "Z", then "AA", ...
[[nodiscard]] std::string contender_letter(std::size_t index);

// The contenders and the differences between them; verdicts; the best times of every problem,
// kernel by kernel; problems in detail, the largest changes first (best configurations, their
// performance on the others, portability); portfolios; ceilings; missing results. Lines fit the
// screen, or 100 columns without one, except for longer single words. Never empty; ends in a
// newline.
[[nodiscard]] std::string comparison_text(const Comparison& comparison,
                                          const ComparisonTextOptions& options);

// {"contenders":[{"letter","name","source","device":{"id","name","arch","driver","fingerprint"},
//    "times":["measured"...],"runs","versions","nvrtc","seeds","first_started_utc",
//    "last_started_utc","trials"}...],
//  "one_device","differences":[{"what","values"}...],
//  "tallies":[{"contender":index,"against":index,"compared","faster","slower","no_difference",
//    "not_judged","geometric_mean"}...],
//  "problems":[{"kernel","problem","problem_text",
//    "best":[null or {"times","protocol","median_us","ci_low_us","ci_high_us","configuration_text",
//      "configuration","trial","ties","final_ranking","ranked","trials",
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
