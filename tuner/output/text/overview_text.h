// The overview of a database as text, and the parts of its sweeps that are missing.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/overview.h"
#include "analysis/insight/run_history.h"
#include "terminal/screen.h"

namespace warpwright {

// One line per row. `now_utc`, such as "2026-03-01T12:00:00Z", is the time that ages count to. Ends
// in a newline.
[[nodiscard]] std::string overview_text(const std::vector<OverviewRow>& rows,
                                        const std::string& now_utc, const Screen& screen = {});

// "now", "5 min", "3 h", "12 d" between two such times; "–" if one of them is missing.
[[nodiscard]] std::string age_text(const std::string& then_utc, const std::string& now_utc);

// Lists the missing parts of sweeps that were split into shards, a line each. Returns "" if nothing
// is missing.
[[nodiscard]] std::string shards_text(const std::vector<ShardsHere>& shards);

}  // namespace warpwright
