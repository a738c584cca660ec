// A board's goal and an entry's values for it, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// {"objectives":[{"name","maximize"}],"metrics":["..."],"requirements":["..."]}; null if the board
// has no goal.
[[nodiscard]] nlohmann::json goal_json(const Leaderboard& board);
// {"value","low","high","why"}: the value, or null and the reason.
[[nodiscard]] nlohmann::json metric_json(const MetricValue& value);
// {"objectives":[metric_json()...],"metrics":{"name":metric_json()},"on_front"}, for a board with a
// goal.
[[nodiscard]] nlohmann::json entry_goal_json(const Leaderboard& board,
                                             const LeaderboardEntry& entry);

}  // namespace warpwright
