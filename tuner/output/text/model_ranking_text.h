// The model's order against the measured one, as people read it. The JSON that keeps all counters
// is that of cli/rank_model.h.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/model_ranking.h"
#include "core/screen.h"

namespace warpwright {

// A row per problem, a summary, and what the columns mean. Lines fit 100 columns but for single
// words that do not. Ends in a newline.
[[nodiscard]] std::string model_ranking_text(const std::vector<ModelRanking>& rankings,
                                             const Screen& screen = {});

}  // namespace warpwright
