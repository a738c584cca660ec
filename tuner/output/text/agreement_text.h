// How far two contenders agree, as people read it and as machines do. They are A and B, as in
// output/text/comparison_text.h.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/compare/agreement.h"
#include "core/screen.h"

namespace warpwright {

// Who is held against whom; a table per kernel, problems down; what its columns mean; what only one
// of them has. Lines fit 100 columns but for single words that do not. Ends in a newline.
[[nodiscard]] std::string agreement_text(const Agreement& agreement, const Screen& screen = {});

// {"contenders":[{"letter","name","source","device":{"id","name","driver"},"trials"}...],
//  "boards":[{"kernel","problem","problem_text","protocols":[...],"times":["measured"...],
//    "timed":[...],"pruned":[...],"timed_in_both","tau_b","known_in_both","tau_b_with_pruned",
//    "tie_sets":"equal|overlapping|disjoint","tied":[...],"tied_in_both","winners":[...],
//    "same_winner","winner_elsewhere":[{"how":"timed|pruned|not_timed","cost"}...]}...],
//  "alone":[{"contender":index,"kernel","problem_text","protocol"}...]}
// What has no value is null; everything in pairs is in the order of the contenders.
[[nodiscard]] nlohmann::json agreement_json(const Agreement& agreement);

}  // namespace warpwright
