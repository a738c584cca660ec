// The agreement of two contenders as text. They are A and B, as in
// output/text/comparison_text.h.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/agreement.h"
#include "terminal/screen.h"

namespace warpwright {

// Names the two contenders; then a table per kernel, problems down; the meaning of its columns;
// boards that only one of them has. Lines fit 100 columns, except for longer single words. Ends in
// a newline.
[[nodiscard]] std::string agreement_text(const Agreement& agreement, const Screen& screen = {});

// The model's order against the measured one, as text. The JSON with all counters is in
// cli/profile_verb.cpp.

// A row per problem, a summary, and the meaning of the columns. Lines fit 100 columns, except for
// longer single words. Ends in a newline.
[[nodiscard]] std::string model_ranking_text(const std::vector<ModelRanking>& rankings,
                                             const Screen& screen = {});

}  // namespace warpwright
