#include "analysis/board/apply_ranking.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright {
namespace {

const RankingEntryRecord* find_finalist(const RankingRecord& ranking, RowId trial) {
  const auto it =
      std::find_if(ranking.entries.begin(), ranking.entries.end(),
                   [&](const RankingEntryRecord& entry) { return entry.trial == trial; });
  return it == ranking.entries.end() ? nullptr : &*it;
}

// "" when the ranking holds.
std::string why_lapsed(const RankingRecord& ranking, const Leaderboard& board) {
  std::size_t there = 0;
  for (const LeaderboardEntry& entry : board.entries)
    there += find_finalist(ranking, entry.row.trial.id) != nullptr;
  const std::size_t finalists = ranking.entries.size();
  if (there < finalists) {
    return fmt::format("{} of its {} finalists {} not among the trials that count here",
                       finalists - there, finalists, finalists - there == 1 ? "is" : "are");
  }
  // Entries come in order of configuration: the first is the same example every time.
  const double winner_high_us = ranking.entries.front().ci_high_us;
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    if (trial.id <= ranking.last_trial) continue;
    if (find_finalist(ranking, trial.same_as.value_or(trial.id)) != nullptr) continue;
    if (entry.ci_low_us.value_or(entry.median_us) < winner_high_us) {
      return fmt::format("{} was measured since (trial {}) and may be faster",
                         trial.configuration_text, trial.id);
    }
  }
  return "";
}

}  // namespace

bool ranks_board(const Database::RankingRow& ranking, const Leaderboard& board) {
  return ranking.ranking.kernel_name == board.kernel &&
         ranking.ranking.problem_text == board.problem_text &&
         ranking.device_fingerprint == board.device_fingerprint &&
         ranking.board_protocol == board.protocol;
}

void apply_ranking(const RankingRecord& ranking, Leaderboard& board) {
  board.lapsed_ranking = why_lapsed(ranking, board);
  if (!board.lapsed_ranking.empty()) return;
  board.ranking = ranking;
  board.headline = *ranking.headline;
  for (LeaderboardEntry& entry : board.entries) {
    const RankingEntryRecord* finalist = find_finalist(ranking, entry.row.trial.id);
    if (finalist == nullptr) continue;
    entry.finalist = *finalist;
    entry.median_us = finalist->median_us;
    entry.ci_low_us = finalist->ci_low_us;
    entry.ci_high_us = finalist->ci_high_us;
  }
}

}  // namespace warpwright
