#include "analysis/insight/run_history.h"

#include <algorithm>
#include <map>
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
  for (const Database::TrialRow& row : rows)
    if (proves_fault(row.trial.status)) faulty.insert(tried_code(row));
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

SearchCourses::SearchCourses(const Database& database, std::optional<RowId> run) {
  for (const auto& [id, row] : database.runs()) {
    if (run && id != *run) continue;
    const GoalRecord* goal = row.goal.readable();
    if (goal == nullptr) continue;
    for (const SearchCourse& course : goal->searches) {
      by_board_.insert_or_assign({goal->kernel, course.fingerprint, course.problem_text},
                                 FoundCourse{id, course});
    }
  }
}

const FoundCourse* SearchCourses::find(const Leaderboard& board) const {
  const auto found = by_board_.find({board.kernel, board.device_fingerprint, board.problem_text});
  return found == by_board_.end() ? nullptr : &found->second;
}

namespace {

using SplitBoard = std::tuple<std::string, std::string, std::string>;  // kernel, problem, device

// The configurations of each board by variant and version.
class KnownConfigurations {
 public:
  void add(const Database::TrialRow& row) {
    known_[{row.kernel_name, row.trial.problem_text, row.device_name}][row.trial.variant]
          [row.contract_generation]
              .insert(row.trial.configuration_text);
  }
  [[nodiscard]] std::uint64_t count(const SplitBoard& board) const {
    std::uint64_t sum = 0;
    const auto found = known_.find(board);
    if (found == known_.end()) return 0;
    for (const auto& [variant, versions] : found->second) sum += versions.rbegin()->second.size();
    return sum;
  }

 private:
  std::map<SplitBoard, std::map<std::string, std::map<std::int64_t, std::set<std::string>>>> known_;
};

}  // namespace

std::vector<ShardsHere> shards_here(const Database& database,
                                    const std::optional<std::string>& kernel) {
  std::map<std::string, std::string> names;  // of devices
  for (const auto& [id, device] : database.devices()) names[device.fingerprint] = device.name;
  std::map<std::pair<SplitBoard, std::uint64_t>, ShardsHere> splits;
  for (const auto& [id, run] : database.runs()) {
    const GoalRecord* goal = run.goal.readable();
    if (goal == nullptr || !goal->shard || (kernel && goal->kernel != *kernel)) continue;
    for (std::size_t i = 0; i < std::min(goal->boards.size(), goal->shard->asked.size()); ++i) {
      const auto device = names.find(goal->boards[i].fingerprint);
      if (device == names.end()) continue;
      const SplitBoard board{goal->kernel, goal->boards[i].problem_text, device->second};
      ShardsHere& here = splits[{board, goal->shard->count}];
      std::tie(here.kernel, here.problem_text, here.device_name) = board;
      here.count = goal->shard->count;
      here.asked = std::max(here.asked, goal->shard->asked[i]);
      here.begun.insert(goal->shard->index);
    }
  }
  if (splits.empty()) return {};
  KnownConfigurations known;
  Database::TrialFilter filter;
  filter.kernel = kernel;
  for (const Database::TrialRow& row : database.trials(filter)) known.add(row);
  std::vector<ShardsHere> all;
  for (auto& [key, here] : splits) {
    here.known = known.count(key.first);
    all.push_back(std::move(here));
  }
  return all;
}

}  // namespace warpwright
