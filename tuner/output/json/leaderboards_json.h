// Leaderboards as JSON. Every number is labelled: measured or modelled, cold, its interval.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

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
// An entry that is a named version has its "version". With a goal, boards and entries have "goal",
// as in output/json/json_values.h. Unknown values are null. A finalist's median and interval are
// the final ranking's; its floor and raw median are those of its trial.
[[nodiscard]] nlohmann::json leaderboards_json(const std::vector<Leaderboard>& boards);

}  // namespace warpwright
