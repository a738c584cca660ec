// An overview of a database without its boards: a line for each kernel on each device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

struct OverviewRow {
  std::string kernel;
  std::string device_id, device_name, device_fingerprint;
  bool modelled = false, imported = false;  // of all its times
  std::size_t boards = 0, trials = 0, failures = 0;
  // The range of the best times of its boards; for a ranked winner, the headline's. nullopt:
  // nothing was timed.
  std::optional<double> fastest_us, slowest_us;
  std::string fastest_problem;  // of fastest_us
  std::string newest_utc;       // when the newest trial or ranking of them was started
  std::size_t stale = 0;        // trials of older sources, not shown
  std::size_t outdated = 0;     // entries whose variant has newer sources elsewhere
  std::size_t lapsed = 0;       // boards whose final ranking no longer applies
};

// In the order of the boards.
[[nodiscard]] std::vector<OverviewRow> make_overview(const std::vector<Leaderboard>& boards);

}  // namespace warpwright
