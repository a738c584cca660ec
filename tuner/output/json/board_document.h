// The facts of a board as JSON, with all digits: the document from which both `show --json`
// (leaderboards_json.cpp) and the report's page (output/report/board_json.h) are made. The page
// renames, shortens and leaves out; it computes nothing that is here.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// A board as leaderboards_json() documents it, without its entries.
[[nodiscard]] nlohmann::json board_document(const Leaderboard& board);

// An entry as leaderboards_json() documents it, without "configuration" and "measurement", which
// are columns of the database: reading them throws an Error when they are damaged.
[[nodiscard]] nlohmann::json entry_document(const Leaderboard& board,
                                            const LeaderboardEntry& entry);

}  // namespace warpwright
