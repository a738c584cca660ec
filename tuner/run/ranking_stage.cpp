#include "run/ranking_stage.h"

#include <algorithm>

namespace warpwright {

void RankingStage::note(std::size_t board, std::uint64_t index, const TrialRecord& trial) {
  // It counts only where there is no other, here as in the database.
  if (trial.status == Status::kNoisy) return;
  auto& candidates = candidates_[board];
  // What shares another's measurement would only race against itself.
  if (trial.status == Status::kOk && trial.median_us && !trial.modelled && !trial.same_as) {
    candidates[index] = {index, trial.id, *trial.median_us, trial.cubin_hash};
  } else {
    candidates.erase(index);
  }
}

std::vector<RankingCandidate> RankingStage::finalists(std::size_t board) const {
  const auto found = candidates_.find(board);
  if (found == candidates_.end()) return {};
  std::vector<RankingCandidate> all;
  for (const auto& [index, candidate] : found->second) all.push_back(candidate);
  std::vector<RankingCandidate> picked = pick_finalists(std::move(all));
  const std::optional<RankingRecord> known = book_.ranking(plan_.kernel.name, plan_.boards[board]);
  if (!known) return picked;
  std::set<RowId> now;
  for (const RankingCandidate& finalist : picked) now.insert(finalist.trial);
  std::set<RowId> then;
  for (const RankingEntryRecord& entry : known->entries) then.insert(entry.trial);
  if (now == then) picked.clear();
  return picked;
}

std::optional<std::uint64_t> RankingStage::incumbent(std::size_t board) const {
  const std::optional<RankingRecord> known = book_.ranking(plan_.kernel.name, plan_.boards[board]);
  if (!known) return std::nullopt;
  const std::optional<std::string> winner = book_.configuration_of(known->winner);
  const auto found = candidates_.find(board);
  if (!winner || found == candidates_.end()) return std::nullopt;
  for (const auto& [index, candidate] : found->second) {
    if (plan_.boards[board].space->at(index).to_string() == *winner) return index;
  }
  return std::nullopt;
}

void RankingStage::store(std::size_t board, const std::vector<RankingCandidate>& finalists,
                         const FinalsOutcome& outcome, const std::string& started_utc) {
  const PlannedBoard& planned = plan_.boards[board];
  RankingRecord record =
      make_ranking_record(plan_.kernel.name, planned.summary, finalists, outcome, started_utc);
  book_.add(record, planned.device);
}

}  // namespace warpwright
