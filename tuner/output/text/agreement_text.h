// The agreement of two contenders as text and as JSON. They are A and B, as in
// output/text/comparison_text.h.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/compare/agreement.h"
#include "terminal/screen.h"

namespace warpwright {

// Names the two contenders; then a table per kernel, problems down; the meaning of its columns;
// boards that only one of them has. Lines fit 100 columns, except for longer single words. Ends in
// a newline.
[[nodiscard]] std::string agreement_text(const Agreement& agreement, const Screen& screen = {});

// {"contenders":[{"letter","name","source","device":{"id","name","driver"},"trials"}...],
// "boards":[{"kernel","problem","problem_text","protocols":[...],"times":["measured"...],
//    "timed":[...],"pruned":[...],"timed_in_both","tau_b","known_in_both","tau_b_with_pruned",
//    "tie_sets":"equal|overlapping|disjoint","tied":[...],"tied_in_both","winners":[...],
//    "same_winner","winner_elsewhere":[{"how":"timed|pruned|not_timed","cost"}...]}...],
//  "alone":[{"contender":index,"kernel","problem_text","protocol"}...]}
// Missing values are null; all pairs are in the order of the contenders.
[[nodiscard]] nlohmann::json agreement_json(const Agreement& agreement);

// The model's order against the measured one, as text. The JSON with all counters is in
// cli/profile_verb.cpp.

// A row per problem, a summary, and the meaning of the columns. Lines fit 100 columns, except for
// longer single words. Ends in a newline.
[[nodiscard]] std::string model_ranking_text(const std::vector<ModelRanking>& rankings,
                                             const Screen& screen = {});

}  // namespace warpwright
