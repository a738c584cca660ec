// Computes the gain of tuning: the best of a board against the configuration that one would have
// run without tuning. For leaderboard.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/database.h"

namespace warpwright {

// The best configuration against another of its board.
struct Speedup {
  double factor = 1;          // the other's time / the best's
  bool at_least = false;      // the other was stopped early: the factor is a lower bound
  std::string configuration;  // the other's text
  RowId trial = 0;            // its trial
};

struct LeaderboardEntry;

// `entries` are in order, the best first; `untimed` are the board's other trials that count. The
// speed-up over the defaults that the contract gives the best's variant: nullopt when they are not
// known, were not tried, or failed.
[[nodiscard]] std::optional<Speedup> speedup_over_default(
    const std::vector<LeaderboardEntry>& entries,
    const std::vector<const Database::TrialRow*>& untimed);
// The speed-up over the best of the variant that the contract names as its baseline. Pruned
// configurations of it make this a lower bound if they might be its best.
[[nodiscard]] std::optional<Speedup> speedup_over_baseline(
    const std::vector<LeaderboardEntry>& entries,
    const std::vector<const Database::TrialRow*>& untimed);

}  // namespace warpwright
