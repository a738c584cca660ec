#include "analysis/board/speedup.h"

#include <algorithm>

#include "analysis/board/leaderboard.h"

namespace warpwright {
namespace {

using Row = Database::TrialRow;

std::optional<Speedup> against(const LeaderboardEntry& best, const TrialRecord& other, double us,
                               bool at_least) {
  if (!(best.median_us > 0) || !(us > 0)) return std::nullopt;
  return Speedup{us / best.median_us, at_least, other.configuration_text, other.id};
}

bool pruned_with_bound(const Row& row) {
  return row.trial.status == Status::kPruned && row.trial.at_least_us;
}

}  // namespace

std::optional<Speedup> speedup_over_default(const std::vector<LeaderboardEntry>& entries,
                                            const std::vector<const Row*>& untimed) {
  if (entries.empty()) return std::nullopt;
  const LeaderboardEntry& best = entries.front();
  const std::string& wanted = best.row.default_configuration;
  if (wanted.empty()) return std::nullopt;
  for (const LeaderboardEntry& entry : entries) {
    if (entry.row.trial.configuration_text == wanted)
      return against(best, entry.row.trial, entry.median_us, false);
  }
  for (const Row* row : untimed) {
    if (row->trial.configuration_text == wanted && pruned_with_bound(*row))
      return against(best, row->trial, *row->trial.at_least_us, true);
  }
  return std::nullopt;
}

std::optional<Speedup> speedup_over_baseline(const std::vector<LeaderboardEntry>& entries,
                                             const std::vector<const Row*>& untimed) {
  if (entries.empty()) return std::nullopt;
  std::optional<Speedup> timed;
  for (const LeaderboardEntry& entry : entries) {
    if (!entry.row.baseline) continue;
    const auto other = against(entries.front(), entry.row.trial, entry.median_us, false);
    if (other && (!timed || other->factor < timed->factor)) timed = other;
  }
  std::optional<Speedup> bound;
  for (const Row* row : untimed) {
    if (!row->baseline || !pruned_with_bound(*row)) continue;
    const auto other = against(entries.front(), row->trial, *row->trial.at_least_us, true);
    if (other && (!bound || other->factor < bound->factor)) bound = other;
  }
  if (!timed || (bound && bound->factor < timed->factor)) return bound ? bound : timed;
  return timed;
}

}  // namespace warpwright
