#include "sweep/possible_times.h"

#include <memory>
#include <utility>

#include "metrics/peaks.h"
#include "sweep/trial_record.h"
#include "trial/timing/finals.h"

namespace warpwright {
namespace {

void set_impossible(Outcome& outcome, FailureReason reason) {
  outcome.status = Status::kImpossible;
  outcome.reason = std::move(reason.text);
  outcome.detail = std::move(reason.detail);
}

}  // namespace

PossibleTimes::PossibleTimes(const SweepPlan& plan, const Database& database) : plan_(plan) {
  peaks_.resize(plan.devices.size());
  if (is_harness_kernel(plan.kernel.name)) return;
  std::map<std::string, RowId> rows;  // by fingerprint
  for (const auto& [id, device] : database.devices()) rows[device.fingerprint] = id;
  for (std::size_t i = 0; i < peaks_.size(); ++i) {
    const auto row = rows.find(plan.device_there(i).fingerprint());
    peaks_[i] = find_peaks(plan.devices[i], row == rows.end() ? std::vector<CeilingRecord>()
                                                              : database.ceilings(row->second));
  }
}

std::optional<FailureReason> PossibleTimes::refusal(const TrialRecord& trial,
                                                    std::size_t device) const {
  return trial.median_us ? beyond_peaks(trial, *trial.median_us, peaks_[device]) : std::nullopt;
}

std::optional<FailureReason> PossibleTimes::refusal(const Configuration& configuration,
                                                    const Problem& problem, std::size_t device,
                                                    double us) const {
  const Peaks& peaks = peaks_[device];
  if (!peaks.memory && !peaks.compute) return std::nullopt;
  return beyond_peaks(contract_work(plan_.kernel, configuration, problem, plan_.devices[device]),
                      us, peaks);
}

void PossibleTimes::judge(const Configuration& configuration, const Problem& problem,
                          std::size_t device, Outcome& outcome) const {
  if (outcome.status != Status::kOk || !outcome.time) return;
  auto reason = refusal(configuration, problem, device, outcome.time->median_us);
  if (!reason) return;
  set_impossible(outcome, std::move(*reason));
}

void PossibleTimes::judge(TrialRecord& trial, std::size_t device) const {
  if (trial.status != Status::kOk) return;
  auto reason = refusal(trial, device);
  if (!reason) return;
  set_failure(trial, Status::kImpossible, std::move(*reason));
}

void PossibleTimes::judge(const RankingTask& task, Outcome& outcome) const {
  const FinalsOutcome* finals = outcome.finals();
  if (outcome.status != Status::kOk || finals == nullptr) return;
  const std::vector<Finalist>& finalists = task.asked().finalists;
  const std::vector<RankedConfiguration>& ranked = finals->ranking.configurations;
  for (std::size_t i = 0; i < finalists.size() && i < ranked.size(); ++i) {
    const auto refused = [&](double us) {
      return refusal(finalists[i].configuration, task.asked().problem,
                     plan_.boards[task.board].device, us);
    };
    auto reason = refused(ranked[i].median_us);
    if (!reason && i == finals->winner && finals->headline && finals->headline->cold)
      reason = refused(finals->headline->cold->median_us);
    if (!reason) continue;
    auto failed = std::make_shared<FinalsOutcome>(*finals);
    failed->failed = i;
    outcome.found = std::shared_ptr<const FinalsOutcome>(std::move(failed));
    set_impossible(outcome, std::move(*reason));
    return;
  }
}

PeaksByDevice peaks_of(const SweepPlan& plan, const Database& database) {
  if (is_harness_kernel(plan.kernel.name)) return {};
  return find_peaks(database.devices(), [&](RowId device) { return database.ceilings(device); });
}

bool has_impossible_time(const Database::TrialRow& row, const PeaksByDevice& peaks) {
  const auto found = peaks.find(row.device_fingerprint);
  return found != peaks.end() && row.trial.median_us &&
         beyond_peaks(row.trial, *row.trial.median_us, found->second).has_value();
}

}  // namespace warpwright
