// Values of the report's document: short numbers, nulls for unknown values, columns as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "records/records.h"

namespace warpwright {

// Six significant digits: more than any measurement has, and a third of the bytes of a double. null
// if the value is not finite.
[[nodiscard]] nlohmann::json short_number(double value);
[[nodiscard]] nlohmann::json short_number(const std::optional<double>& value);

// Shortens every real number within a value.
[[nodiscard]] nlohmann::json short_numbers(nlohmann::json value);

template <class T>
[[nodiscard]] nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

// The whole content of the column; {} if it is not known. Throws an Error (user) that names the row
// and column.
template <class T>
[[nodiscard]] nlohmann::json document_of(const Stored<T>& stored) {
  return stored.known() ? stored.document() : nlohmann::json::object();
}

// The first bytes of a text, followed by "…"; never cuts a character in half.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes);

// At most `limit` of 0..count-1, ascending: the first half of them are consecutive, since those are
// the best, and the others evenly spaced up to the last.
[[nodiscard]] std::vector<std::size_t> best_and_spread(std::size_t count, std::size_t limit);
// At most `limit` of 0..count-1, ascending and evenly spaced.
[[nodiscard]] std::vector<std::size_t> spread(std::size_t count, std::size_t limit);

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
