#include "analysis/board/board_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "analysis/board/impossible.h"

namespace warpwright {
namespace {

const RankingEntryRecord* find_finalist(const RankingRecord& ranking, RowId trial) {
  const auto it =
      std::find_if(ranking.entries.begin(), ranking.entries.end(),
                   [&](const RankingEntryRecord& entry) { return entry.trial == trial; });
  return it == ranking.entries.end() ? nullptr : &*it;
}

// Names the time of the ranking's rounds or of its winner's headline that is beyond what the device
// can do; "" if there is none.
std::string impossible_in(const RankingRecord& ranking, const Leaderboard& board,
                          const PeaksByDevice& peaks) {
  if (!peaks.contains(board.device_fingerprint)) return "";
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    const RankingEntryRecord* finalist = find_finalist(ranking, trial.id);
    if (finalist == nullptr) continue;
    std::optional<FailureReason> reason = beyond_peaks(entry.row, finalist->median_us, peaks);
    if (!reason && trial.id == ranking.winner && ranking.headline->cold)
      reason = beyond_peaks(entry.row, ranking.headline->cold->median_us, peaks);
    if (reason)
      return fmt::format("its time of {} is impossible: {}", trial.configuration_text,
                         reason->text);
  }
  return "";
}

// Names an older trial that cannot have been a candidate, because candidates are chosen by the same
// times and the fastest of them is always a finalist: another sweep of the board, of values that
// the ranking's sweep does not have, measured it. "" if there is none. `kClearly` leaves room for
// candidates that were timed at another clock. The view of store/schema.cpp has the same rule.
std::string passed_over_by(const RankingRecord& ranking, const Leaderboard& board) {
  constexpr double kClearly = 0.9;
  double fastest_us = std::numeric_limits<double>::infinity();
  for (const LeaderboardEntry& entry : board.entries)
    if (find_finalist(ranking, entry.row.trial.id) != nullptr)
      fastest_us = std::min(fastest_us, entry.median_us);
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    if (trial.id > ranking.last_trial || entry.median_us >= kClearly * fastest_us) continue;
    if (find_finalist(ranking, trial.same_as.value_or(trial.id)) != nullptr) continue;
    return fmt::format("{} (trial {}) was not among its candidates and is faster",
                       trial.configuration_text, trial.id);
  }
  return "";
}

// Returns "" if the ranking holds.
std::string why_lapsed(const RankingRecord& ranking, const Leaderboard& board,
                       const PeaksByDevice& peaks) {
  std::size_t there = 0;
  for (const LeaderboardEntry& entry : board.entries)
    there += find_finalist(ranking, entry.row.trial.id) != nullptr;
  const std::size_t finalists = ranking.entries.size();
  if (there < finalists) {
    return fmt::format("{} of its {} finalists {} not among the trials that count here",
                       finalists - there, finalists, finalists - there == 1 ? "is" : "are");
  }
  if (std::string impossible = impossible_in(ranking, board, peaks); !impossible.empty())
    return impossible;
  if (std::string passed_over = passed_over_by(ranking, board); !passed_over.empty())
    return passed_over;
  // Entries are in order of configuration, so that the first is the same example every time.
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

void apply_ranking(const RankingRecord& ranking, Leaderboard& board, const PeaksByDevice& peaks) {
  board.lapsed_ranking = why_lapsed(ranking, board, peaks);
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
