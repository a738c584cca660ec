#include "sweep/ranking_stage.h"

#include <fmt/format.h>

namespace warpwright {
namespace {

// 0 where samples told nothing.
int clock_during(const TrialRecord& trial) {
  const TrialMeasurement* measurement = trial.measurement.readable();
  if (measurement == nullptr || !measurement->validity) return 0;
  return measurement->validity->clock_during_mhz.value_or(0);
}

}  // namespace

void RankingStage::note(std::size_t board, std::uint64_t index, const TrialRecord& trial) {
  // A noisy trial counts only where there is no other, here as in the database.
  if (trial.status == Status::kNoisy) return;
  auto& candidates = candidates_[board];
  // A configuration that shares another's measurement would only race against itself.
  if (trial.status == Status::kOk && trial.median_us && !trial.modelled && !trial.same_as) {
    RankingCandidate& candidate = candidates[index];
    candidate = {index, trial.id, *trial.median_us, trial.cubin_hash, trial.sm_clock_mhz};
    candidate.clock_during_mhz = clock_during(trial);
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

std::optional<RankingTask> RankingStage::begin(std::size_t board) const {
  RankingTask task;
  task.board = board;
  task.finalists = finalists(board);
  if (task.finalists.empty()) return std::nullopt;
  task.started_utc = utc_now();
  const PlannedBoard& planned = plan_.boards[board];
  const std::optional<std::uint64_t> winner = incumbent(board);
  auto& asked = task.request->what.emplace<FinalistsToRank>();
  asked.problem = planned.summary.problem;
  for (const RankingCandidate& candidate : task.finalists) {
    Finalist& finalist = asked.finalists.emplace_back();
    finalist.configuration = planned.space->at(candidate.index);
    finalist.about_us = candidate.median_us;
    finalist.incumbent = winner == candidate.index;
  }
  return task;
}

std::vector<CompileJob> RankingStage::jobs(const RankingTask& task) const {
  std::vector<CompileJob> jobs;
  const FinalistsToRank& asked = task.asked();
  for (const Finalist& finalist : asked.finalists) {
    jobs.push_back(make_compile_job(plan_.kernel, finalist.configuration, asked.problem,
                                    plan_.device_of(task.board), plan_.include_folders));
  }
  return jobs;
}

std::string RankingStage::end(const RankingTask& task, const Outcome& outcome) {
  const FinalsOutcome* finals = outcome.finals();
  if (outcome.status == Status::kOk && finals != nullptr) {
    const PlannedBoard& planned = plan_.boards[task.board];
    RankingRecord record = make_ranking_record(plan_.kernel.name, planned.summary, task.finalists,
                                               *finals, task.started_utc);
    book_.add(record, planned.device);
    return "";
  }
  std::string who;
  if (finals != nullptr && finals->failed) {
    const Finalist& failed = task.asked().finalists[*finals->failed];
    who = fmt::format(" ({})", failed.configuration.to_string());
  }
  return fmt::format("no final ranking for {}: {}{}: {}", plan_.board_name(task.board),
                     status_name(outcome.status), who, outcome.reason);
}

}  // namespace warpwright
