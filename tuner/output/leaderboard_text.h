// Leaderboards as people read them and as machines do. A number says what it is: measured or
// modelled, cold, its interval.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/leaderboard.h"

namespace warpwright {

struct LeaderboardTextOptions {
  std::size_t top = 20;  // entries shown per board; 0 is all
  bool show_failures = true;
  bool colour = false;
};
// Header lines, the ranked table, the best of each variant, what is not ranked and why. Ends in a
// newline.
[[nodiscard]] std::string leaderboard_text(const Leaderboard& board,
                                           const LeaderboardTextOptions& options);

// {"leaderboards":[{"kernel","problem":{...},"problem_text","device":{"id","name","driver"},
//   "modelled","protocol","contract_hash","trials","stale","outdated",
//   "entries":[{"rank","tied_with_best","speed_vs_best","configuration":{...},
//     "configuration_text","variant","median_us","ci_low_us","ci_high_us","floor_us","modelled",
//     "protocol","gb_per_s","gflop_per_s","registers","shared_bytes","spill_bytes","status",
//     "contract_hash","trial","compile_seconds","validate_seconds","measure_seconds"}...],
//   "failures":[{"status","cause","example","example_configuration","count"}...]}...]}
// What is not known is null.
[[nodiscard]] nlohmann::json leaderboards_json(const std::vector<Leaderboard>& boards);

}  // namespace warpwright
