#include "sweep/trial_results.h"

#include <fmt/format.h>

#include <utility>

#include "sweep/goal_rules.h"

namespace warpwright {

TrialResults::TrialResults(const SweepPlan& plan, SweepSearch& search, RankingStage& ranking,
                           SweepWorkers& workers, Progress& progress, Requests requests)
    : plan_(plan),
      search_(search),
      ranking_(ranking),
      workers_(workers),
      progress_(progress),
      requests_(std::move(requests)),
      suspects_(plan.boards.size()),
      comparison_(plan) {}

void TrialResults::stored(const TrialTask& task, const TrialRecord& trial) {
  if (task.repeated) search_.source().correct(task.question, trial);
  if (task.pinned()) return note_time(task.question, trial, task.device);
  answer(task.question, trial, task.device);
}

void TrialResults::known(const TrialTask& task, const KnownTrial& stored) {
  if (task.guest) return note_time(task.question, stored.trial, stored.device);
  ++resumed_;
  answer(task.question, stored.trial, stored.device);
}

void TrialResults::answer(const TrialSource::Question& question, const TrialRecord& trial,
                          std::size_t device) {
  search_.tell(question, trial);
  note_time(question, trial, device);
  ++trials_;
  ++by_status_[trial.status];
  const auto [best, configuration] = search_.source().note(question.board);
  progress_.update(trials_, best, configuration);
  if (quarantine_.note(trial, plan_.board_name(question.board))) {
    progress_.say(fmt::format("quarantined: {}: {}", trial.configuration_text, trial.reason));
    requests_.quarantine(trial.configuration_text);
  }
  if (stopped_) return;
  for (const GpuComparison::Guest& guest : comparison_.answered(question, trial))
    requests_.invite(question.board, guest);
}

void TrialResults::note_time(const TrialSource::Question& question, const TrialRecord& trial,
                             std::size_t device) {
  comparison_.note(question, device, trial);
  if (trial.status == Status::kOk && !may_win(plan_, question.board, trial))
    return ranking_.drop(question.board, question.index);
  ranking_.note(question.board, question.index, trial, device);
  // Trials that wait for a device were sent to it when less was known.
  const std::optional<double> best = search_.source().best_us(question.board);
  if (best && plan_.device_of(question.board).has_clock) workers_.note_best(question.board, *best);
}

void TrialResults::ended(const TrialTask& task, const Outcome& outcome) {
  const auto suspects = suspects_.trial_ended(task.question, task.code, outcome, task.device);
  if (!outcome.anchor_moved || stopped_) return;
  progress_.say(fmt::format("the anchor moved by {:+.1f} %: measuring again what was timed since",
                            100 * outcome.anchor_drift));
  for (const AnchorSuspects::Suspect& suspect : suspects) requests_.repeat(suspect);
}

void TrialResults::add_to(SweepSummary& summary) const {
  summary.trials = trials_;
  summary.resumed = resumed_;
  summary.by_status = by_status_;
}

}  // namespace warpwright
