// One board of the report's document; report_json.h says what it holds.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/board/leaderboard.h"
#include "output/report/report_json.h"

namespace warpwright {

// `rows` bounds `entries` and `untimed` each. Neither device nor database is in it.
[[nodiscard]] nlohmann::json report_board_json(const Leaderboard& board, const ReportSource& source,
                                               std::size_t rows, const ReportLimits& limits);

}  // namespace warpwright
