#include "analysis/insight/run_history.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analysis/board/impossible.h"

namespace warpwright {
namespace {

// A configuration with the version of its sources, on one board.
using TriedCode =
    std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

TriedCode tried_code(const Database::TrialRow& row) {
  return {row.contract_hash, row.device_fingerprint, row.trial.problem_text,
          row.trial.configuration_text};
}

// A configuration that any trial has shown to be wrong was never a best, however long it passed as
// one.
std::set<TriedCode> proven_faulty(const std::vector<Database::TrialRow>& rows) {
  std::set<TriedCode> faulty;
  for (const Database::TrialRow& row : rows) {
    const Status status = row.trial.status;
    if (status == Status::kWrongResult || status == Status::kNondeterministic ||
        status == Status::kHazard) {
      faulty.insert(tried_code(row));
    }
  }
  return faulty;
}

}  // namespace

RunHistories::RunHistories(const std::vector<Database::TrialRow>& rows,
                           const std::vector<Database::RankingRow>& rankings,
                           const PeaksByDevice& peaks) {
  const std::set<TriedCode> faulty = proven_faulty(rows);
  std::map<Subject, std::map<RowId, RunBest>> found;
  std::unordered_map<RowId, const Database::TrialRow*> by_id;
  for (const Database::TrialRow& row : rows) {
    const TrialRecord& trial = row.trial;
    if (trial.status != Status::kOk || !trial.median_us || faulty.contains(tried_code(row)))
      continue;
    if (impossible_time(row, peaks)) continue;
    by_id[trial.id] = &row;
    const Subject subject{row.kernel_name, trial.problem_text, row.device_fingerprint,
                          trial.protocol};
    RunBest& best = found[subject][trial.run];
    ++best.timed;
    if (best.trial != 0 && best.median_us <= *trial.median_us) continue;
    best.run = trial.run;
    best.trial = trial.id;
    best.median_us = *trial.median_us;
    best.ci_low_us = trial.ci_low_us;
    best.ci_high_us = trial.ci_high_us;
    best.configuration_text = trial.configuration_text;
  }
  for (const Database::RankingRow& row : rankings) {
    const RankingRecord& ranking = row.ranking;
    const auto winner = by_id.find(ranking.winner);
    if (ranking.entries.empty() || winner == by_id.end()) continue;
    const RankingEntryRecord& entry = ranking.entries.front();
    if (beyond_peaks(*winner->second, entry.median_us, peaks)) continue;
    RunBest& best = found[{ranking.kernel_name, ranking.problem_text, row.device_fingerprint,
                           row.board_protocol}][ranking.run];
    best.run = ranking.run;
    best.trial = ranking.winner;
    best.median_us = entry.median_us;
    best.ci_low_us = entry.ci_low_us;
    best.ci_high_us = entry.ci_high_us;
    best.ranked = true;
    best.configuration_text = winner->second->trial.configuration_text;
  }
  for (const auto& [subject, runs] : found) {
    std::vector<RunBest>& list = by_subject_[subject];
    for (const auto& [run, best] : runs) list.push_back(best);
  }
}

const std::vector<RunBest>& RunHistories::of(const Leaderboard& board) const {
  static const std::vector<RunBest> kNone;
  const auto it = by_subject_.find(
      {board.kernel, board.problem_text, board.device_fingerprint, board.protocol});
  return it == by_subject_.end() ? kNone : it->second;
}

}  // namespace warpwright
