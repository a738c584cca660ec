// The model's order against the measured one, as text. The JSON with all counters is in
// cli/rank_model.h.
#pragma once

#include <string>
#include <vector>

#include "analysis/compare/model_ranking.h"
#include "core/screen.h"

namespace warpwright {

// A row per problem, a summary, and the meaning of the columns. Lines fit 100 columns, except for
// longer single words. Ends in a newline.
[[nodiscard]] std::string model_ranking_text(const std::vector<ModelRanking>& rankings,
                                             const Screen& screen = {});

}  // namespace warpwright
