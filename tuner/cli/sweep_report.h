// The final report of `warpwright sweep`, as text and as JSON: its leaderboards, its course and
// cost, and advice on what to look at or do next.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "sweep/sweep.h"

namespace warpwright {

// Returns the boards that this sweep worked on, including earlier results in the database, with
// their limits and advice on failures. Throws Error as Database does.
[[nodiscard]] std::vector<Leaderboard> swept_boards(const SweepSummary& summary);

// The text that follows the leaderboards; here and below, `boards` are those of swept_boards(). It
// covers problems that the kernel's author should look at, the course of searches, trials and
// times, restrictions of the leaderboards, and the location of the results. Ends in a newline.
[[nodiscard]] std::string sweep_report_text(const SweepSummary& summary,
                                            const std::vector<Leaderboard>& boards);

// That of leaderboards_json(), and
// "sweep":{"run","kernel","database","ended","trials","resumed","statuses":{"ok":40},
//   "wall_seconds","compile_busy_seconds","compile_workers","compiled","compile_cache_hits",
//   "measure_busy_seconds","trial_measure_seconds","case_seconds","input_seconds",
//   "validate_seconds","rankings","ranking_seconds","repeated","shared","measurers_lost","retried",
//   "spaces":[{"device","problem_text","valid","cartesian"}...],
//   "objections":{"configurations","kinds":{"shared race":1}}}.
// Left out where there is none: "began_with" of a space, and of the sweep "version_changes":["V4
// with STAGES=3 (V4 has 2)"], "shard":{"index",
// "count"}, "searches":[as SearchCourse...], "prior":{"device","candidates","modelled","failed",
// "seconds"}, "gpus":[{"device","uuid","lead","timed","busy_seconds","slower":{"fraction","low",
// "high","anchors"}}...] and "guests".
[[nodiscard]] nlohmann::json sweep_report_json(const SweepSummary& summary,
                                               const std::vector<Leaderboard>& boards);

}  // namespace warpwright
