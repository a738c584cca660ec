// The agreement of two contenders as JSON. They are A and B, as in output/text/comparison_text.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/compare/agreement.h"

namespace warpwright {

// {"contenders":[{"letter","name","source","device":{"id","name","driver"},"trials"}...],
// "boards":[{"kernel","problem","problem_text","protocols":[...],"times":["measured"...],
//    "timed":[...],"pruned":[...],"timed_in_both","tau_b","known_in_both","tau_b_with_pruned",
//    "tie_sets":"equal|overlapping|disjoint","tied":[...],"tied_in_both","winners":[...],
//    "same_winner","winner_elsewhere":[{"how":"timed|pruned|not_timed","cost"}...]}...],
//  "alone":[{"contender":index,"kernel","problem_text","protocol"}...]}
// Missing values are null; all pairs are in the order of the contenders.
[[nodiscard]] nlohmann::json agreement_json(const Agreement& agreement);

}  // namespace warpwright
