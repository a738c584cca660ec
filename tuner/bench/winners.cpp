#include "bench/winners.h"

#include <algorithm>
#include <utility>

#include "analysis/board/board_goals.h"
#include "analysis/board/impossible.h"

namespace warpwright {

std::vector<Winner> find_winners(const std::vector<Leaderboard>& boards, const DeviceInfo& device) {
  const std::string fingerprint = device.fingerprint();
  std::vector<Winner> winners;
  for (const Leaderboard& board : boards) {
    if (board.device_fingerprint != fingerprint || board.entries.empty()) continue;
    const TrialRecord& trial = board.entries.front().row.trial;
    Winner winner{trial.id,
                  board.ranking.has_value(),
                  board.problem,
                  board.entries.front().row.contract_hash,
                  trial.configuration(),
                  board.entries.front().median_us,
                  board.protocol,
                  board.modelled};
    // One problem may have boards of several protocols: a final ranking comes first, then the
    // newest.
    const auto known = std::find_if(winners.begin(), winners.end(), [&](const Winner& other) {
      return other.problem == winner.problem;
    });
    if (known == winners.end()) {
      winners.push_back(std::move(winner));
    } else if (std::pair(winner.ranked, winner.trial) > std::pair(known->ranked, known->trial)) {
      *known = std::move(winner);
    }
  }
  return winners;
}

std::vector<Winner> find_winners(const Database& database, const std::string& kernel,
                                 const DeviceInfo& device) {
  Database::TrialFilter filter;
  filter.kernel = kernel;
  return find_winners(
      make_leaderboards(database.trials(filter), database.rankings({.kernel = kernel}),
                        BoardGoals(database), read_peaks(database)),
      device);
}

}  // namespace warpwright
