// Leaderboards as text and as JSON. Every number is labelled: measured or modelled, cold, its
// interval.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "terminal/screen.h"

namespace warpwright {

// "pruned: 143 configurations, each at least 1.25x the best", and the same for noisy ones. "" if
// there are none.
[[nodiscard]] std::string untimed_text(const Leaderboard& board);

struct FailuresTextOptions {
  bool colour = false;
  bool whole = false;                // every cause and every line of a reason
  std::string command_options = "";  // appended to the trial's number: " --db x.db"
};
// Failures by cause, the constraints that would exclude them from the space if the data show any,
// and how to run one alone. "" if there are none.
[[nodiscard]] std::string failures_text(const Leaderboard& board,
                                        const FailuresTextOptions& options);

struct LeaderboardTextOptions {
  std::size_t top = 20;  // entries shown per board; 0 is all
  bool show_ranking = true;
  bool show_failures = true;
  bool whole_failures = false;  // every cause, and every line of a reason
  bool front_only = false;      // with several objectives, only the entries on the front
  bool colour = false;
  std::string command_options = "";  // options for suggested commands: " --db x.db"
  Screen screen = {};
};
// Header lines, the final ranking and its winner's times, the ranked table, the best of each
// variant, pruned and noisy configurations, failures with reasons. A ranked winner's time is always
// its headline's. Ends in a newline.
[[nodiscard]] std::string leaderboard_text(const Leaderboard& board,
                                           const LeaderboardTextOptions& options);

// {"leaderboards":[{"kernel","problem":{...},"problem_text","device":{"id","name","driver"},
//   "modelled","imported":null or the files,"protocol","contract_hash","trials","stale","outdated",
//   "ranking":null or {"protocol","rounds","confidence","finalists","tied","decided_by",
//     "started_utc","winner","headline":{...}},"lapsed_ranking":null or why,
//   "pruned":{"count","at_least_us"},"noisy":{"count"},
//   "limit":null or as limit_json() of limit_text.h,"missing_ceiling",
//   "over_default","over_baseline":null or {"factor","at_least","configuration_text","trial"},
//   "entries":[{"rank","tied_with_best","speed_vs_best","configuration":{...},
//     "configuration_text","variant","median_us","ci_low_us","ci_high_us","floor_us","modelled",
//     "protocol","gb_per_s","gflop_per_s","limit_fraction","limit_standing",
//     "work_bytes","work_bytes_written","work_flops","arithmetic","registers","shared_bytes",
//     "spill_bytes","status","contract_hash","trial","same_as","raw_median_us","measurement":{...},
//     "final":null or {"place","relative","relative_low","relative_high","p_adjusted",
//       "screened_median_us"},
//     "compile_seconds","validate_seconds","measure_seconds"}...],
//   "failures":[{"status","cause","example","example_configuration","example_trial","count",
//     "trials","advice":{"constraints":[{"expression","excludes","alternatives"}...],"failures",
//       "excluded","kept","problems","note":null or text}}...]}
//   ...]}
// With a goal, boards and entries have "goal", as in output/json/json_values.h. Unknown values are
// null. A finalist's median and interval are the final ranking's; its floor and raw median are
// those of its trial.
[[nodiscard]] nlohmann::json leaderboards_json(const std::vector<Leaderboard>& boards);

}  // namespace warpwright
