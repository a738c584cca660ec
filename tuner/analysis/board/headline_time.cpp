#include "analysis/board/headline_time.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpwright {
namespace {

void divide(std::optional<double>& value, double by) {
  if (value) *value /= by;
}

void compare_entries(std::vector<LeaderboardEntry>& entries) {
  std::map<std::string, double> best_of_variant;
  for (const LeaderboardEntry& entry : entries) {
    double& best =
        best_of_variant.try_emplace(entry.row.trial.variant, entry.median_us).first->second;
    best = std::min(best, entry.median_us);
  }
  double slowest_best = 0;
  for (const auto& [variant, best] : best_of_variant) slowest_best = std::max(slowest_best, best);
  for (LeaderboardEntry& entry : entries) {
    if (entry.median_us <= 0) continue;
    entry.speed_vs_best = entries.front().median_us / entry.median_us;
    entry.speedup_over_slowest_variant_best = slowest_best / entry.median_us;
  }
}

}  // namespace

Leaderboard with_headline_time(Leaderboard board) {
  if (!board.ranking || board.entries.empty() || !board.headline.cold) return board;
  LeaderboardEntry& winner = board.entries.front();
  const Headline::Cold& cold = *board.headline.cold;
  if (winner.median_us <= 0 || cold.median_us <= 0) return board;
  const double longer = cold.median_us / winner.median_us;
  winner.median_us = cold.median_us;
  winner.ci_low_us = cold.ci_low_us;
  winner.ci_high_us = cold.ci_high_us;
  divide(winner.gigabytes_per_second, longer);
  divide(winner.gigaflops_per_second, longer);
  if (winner.limit_share && winner.limit_share->standing == Standing::kFraction)
    winner.limit_share->fraction = std::min(1.0, winner.limit_share->fraction / longer);
  if (board.goal) evaluate_goal(*board.goal, winner);
  compare_entries(board.entries);
  for (std::optional<Speedup>* speedup : {&board.over_default, &board.over_baseline})
    if (*speedup) (*speedup)->factor /= longer;
  return board;
}

}  // namespace warpwright
