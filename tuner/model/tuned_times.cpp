#include "model/tuned_times.h"

#include <utility>

namespace warpwright {

TunedTimes::TunedTimes(const Database& database, std::string fingerprint)
    : database_(&database), fingerprint_(std::move(fingerprint)) {}

const std::vector<Leaderboard>& TunedTimes::boards_of(const std::string& kernel) {
  const auto known = boards_.find(kernel);
  if (known != boards_.end()) return known->second;
  Database::TrialFilter filter;
  filter.kernel = kernel;
  filter.device = fingerprint_;
  return boards_[kernel] =
             make_leaderboards(database_->trials(filter), database_->rankings({.kernel = kernel}));
}

std::optional<TunedTime> TunedTimes::find(const KernelProblem& wanted) {
  if (database_ == nullptr || fingerprint_.empty()) return std::nullopt;
  std::optional<TunedTime> best;
  for (const Leaderboard& board : boards_of(wanted.kernel)) {
    if (board.modelled || board.entries.empty() || !board.protocol.starts_with("cold")) continue;
    if (*board.problem != wanted.sizes) continue;
    const LeaderboardEntry& winner = board.entries.front();
    // Of several protocols the one used last.
    if (best && best->trial > winner.row.trial.id) continue;
    best = {winner.median_us, winner.ci_low_us, winner.ci_high_us, board.protocol,
            winner.row.trial.id};
  }
  return best;
}

}  // namespace warpwright
