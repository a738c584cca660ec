// The result of a final ranking, in words, and the times of its winner.
#pragma once

#include <optional>
#include <string>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// "final ranking: 46 rounds, 12 finalists, 5 tied at 99 % confidence; ..." and the winner's times,
// one labelled line each. "" for a board without a ranking.
[[nodiscard]] std::string ranking_text(const Leaderboard& board, bool colour);

// "±0.11 %": the interval's longer side, relative, so that it reads the same at every magnitude.
// --json has both ends. "-" where there is no interval.
[[nodiscard]] std::string half_width(double median_us, const std::optional<double>& low_us,
                                     const std::optional<double>& high_us);

}  // namespace warpwright
