#include "sweep/ranking_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

// Returns 0 if the samples did not reveal the clock.
int clock_during(const TrialRecord& trial) {
  const TrialMeasurement* measurement = trial.measurement.readable();
  if (measurement == nullptr || !measurement->validity) return 0;
  return measurement->validity->clock_during_mhz.value_or(0);
}

}  // namespace

void RankingStage::note(std::size_t board, std::uint64_t index, const TrialRecord& trial,
                        std::size_t device) {
  // A trial that settles nothing counts only if there is no other, as in the database.
  if (!settled(trial.status)) return;
  Candidates& candidates = candidates_[board][device];
  // A configuration that shares another's measurement would only race against itself.
  if (trial.status == Status::kOk && trial.median_us && !trial.modelled && !trial.same_as) {
    RankingCandidate& candidate = candidates[index];
    candidate = {index, trial.id, *trial.median_us, trial.cubin_hash, trial.sm_clock_mhz};
    candidate.clock_during_mhz = clock_during(trial);
  } else {
    candidates.erase(index);
  }
}

void RankingStage::drop(std::size_t board, std::uint64_t index) {
  for (auto& [device, candidates] : candidates_[board]) candidates.erase(index);
}

const RankingStage::Candidates* RankingStage::own(std::size_t board) const {
  const auto found = candidates_.find(board);
  if (found == candidates_.end()) return nullptr;
  const auto device = found->second.find(plan_.boards[board].device);
  return device == found->second.end() ? nullptr : &device->second;
}

std::vector<std::uint64_t> RankingStage::guests(std::size_t board) const {
  // GPUs of a kind differ by less than this. A configuration that is farther from the best time on
  // any GPU is a finalist only because its own GPU has timed nothing better.
  constexpr double kFar = 2 * kFinalistMargin;
  const auto found = candidates_.find(board);
  if (found == candidates_.end()) return {};
  const Candidates* here = own(board);
  std::vector<RankingCandidate> best;
  for (const auto& [device, candidates] : found->second) {
    std::vector<RankingCandidate> all;
    for (const auto& [index, candidate] : candidates) all.push_back(candidate);
    if (all.size() > 1) all = pick_finalists(std::move(all));
    best.insert(best.end(), all.begin(), all.end());
  }
  std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) {
    return std::tie(a.median_us, a.index) < std::tie(b.median_us, b.index);
  });
  std::vector<std::uint64_t> guests;
  std::set<std::uint64_t> met;
  for (const RankingCandidate& candidate : best) {
    const bool far = candidate.median_us > (1 + kFar) * best.front().median_us;
    if ((far && met.size() >= kFewestFinalists) || guests.size() == kMostFinalists) break;
    if (!met.insert(candidate.index).second) continue;
    if (here == nullptr || !here->contains(candidate.index)) guests.push_back(candidate.index);
  }
  return guests;
}

std::vector<RankingCandidate> RankingStage::finalists(std::size_t board) const {
  const Candidates* found = own(board);
  if (found == nullptr) return {};
  std::vector<RankingCandidate> all;
  for (const auto& [index, candidate] : *found) all.push_back(candidate);
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
  const Candidates* found = own(board);
  if (!winner || found == nullptr) return std::nullopt;
  for (const auto& [index, candidate] : *found) {
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
