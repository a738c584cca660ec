// Replays as tables (one for each recording, and one of the means), and as JSON for other programs
// and for the page of tuner/output/replay.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "replay/replay_report.h"
#include "terminal/screen.h"

namespace warpwright {

[[nodiscard]] std::string replay_text(const std::vector<Recording>& recordings,
                                      const ReplayPlan& plan, const ReplayReport& report,
                                      const Screen& screen);

// {"schema", "budgets", "repeats", "seed", "in_flight", "strategies": [{"name", "options"}],
//  "recordings": [{"name", "kernel", "problem", "device", "file", "format", "kind", "notes",
//                  "configurations", "succeeded", "pruned", "best_us", "scores": [SCORES], and
//                  where searches were told something "sources": [{"kind", "device", "problem",
//                  "results"}]}],
//  "mean": [SCORES]}
// SCORES: {"strategy", "exact", "question_us": {"median", "mean", "questions"} or null, "budgets":
//   [{"budget", "score", "standard_error", "auc", "evaluations", "within_5_percent",
//     "within_1_percent", "within_5_percent_mean", "within_1_percent_mean", "scores": [of each
//     run], "curve": {"at", "mean", "low", "high"}}]}
[[nodiscard]] nlohmann::json replay_json(const std::vector<Recording>& recordings,
                                         const ReplayPlan& plan, const ReplayReport& report);

// A line for each run: {"pair", "strategy", "budget", "seed", "evaluations": [[values], ...]}.
[[nodiscard]] std::string replay_traces(const std::vector<Recording>& recordings,
                                        const ReplayPlan& plan, const ReplayResults& results);

}  // namespace warpwright
