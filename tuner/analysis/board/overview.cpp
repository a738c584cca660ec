#include "analysis/board/overview.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/board/board_ranking.h"

namespace warpwright {
namespace {

bool belongs(const OverviewRow& row, const Leaderboard& board) {
  return row.kernel == board.kernel && row.device_fingerprint == board.device_fingerprint &&
         row.device_id == board.device_id && row.modelled == board.modelled &&
         row.imported == board.imported.has_value();
}

OverviewRow start_row(const Leaderboard& board) {
  OverviewRow row;
  row.kernel = board.kernel;
  row.device_id = board.device_id;
  row.device_name = board.device_name;
  row.device_fingerprint = board.device_fingerprint;
  row.modelled = board.modelled;
  row.imported = board.imported.has_value();
  return row;
}

void add_times(const Leaderboard& board, OverviewRow& row) {
  if (board.entries.empty()) return;
  const double best = with_headline_time(board).entries.front().median_us;
  if (!row.fastest_us || best < *row.fastest_us) {
    row.fastest_us = best;
    row.fastest_problem = board.problem_text;
  }
  row.slowest_us = std::max(row.slowest_us.value_or(best), best);
}

void add_ages(const Leaderboard& board, OverviewRow& row) {
  const auto seen = [&](const std::string& utc) { row.newest_utc = std::max(row.newest_utc, utc); };
  for (const LeaderboardEntry& entry : board.entries) seen(entry.row.trial.started_utc);
  for (const Database::TrialRow& untimed : board.untimed) seen(untimed.trial.started_utc);
  if (board.ranking) seen(board.ranking->started_utc);
}

}  // namespace

std::vector<OverviewRow> make_overview(const std::vector<Leaderboard>& boards) {
  std::vector<OverviewRow> rows;
  // Stale trials are counted by every board of a problem, whatever its protocol.
  std::set<std::pair<const OverviewRow*, std::string>> stale_told;
  rows.reserve(boards.size());
  for (const Leaderboard& board : boards) {
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const OverviewRow& known) { return belongs(known, board); });
    if (row == rows.end()) row = rows.insert(rows.end(), start_row(board));
    ++row->boards;
    row->trials += board.trials;
    for (const FailureGroup& group : board.failures) row->failures += group.count;
    if (stale_told.insert({&*row, board.problem_text}).second) row->stale += board.stale;
    row->outdated += board.outdated;
    row->lapsed += board.lapsed_ranking.empty() ? 0 : 1;
    add_times(board, *row);
    add_ages(board, *row);
  }
  return rows;
}

}  // namespace warpwright
