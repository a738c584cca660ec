// One board of the report's document, which report_json.h documents.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/board/leaderboard.h"
#include "output/report/report_json.h"

namespace warpwright {

// `rows` limits `entries` and `untimed` each. The result contains neither device nor database.
[[nodiscard]] nlohmann::json report_board_json(const Leaderboard& board, const ReportSource& source,
                                               std::size_t rows, const ReportLimits& limits);

}  // namespace warpwright
