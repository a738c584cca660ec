#include "sweep/stored_trials.h"

#include <utility>
#include <vector>

#include "provenance/trial_key.h"
#include "sweep/goal_rules.h"
#include "sweep/trial_record.h"

namespace warpwright {

std::string StoredTrials::key_on(const TrialTask& task, std::size_t device) const {
  const WorkSpan span(host_, EngineWork::kJobs);
  const CompiledTrial& trial = task.trial();
  return trial_key(task.identity.variant_hash, task.compile_key, trial.problem, trial.configuration,
                   plan_.devices[device], options_.seed);
}

std::optional<KnownTrial> StoredTrials::find(const TrialTask& task) const {
  const std::size_t board = task.question.board;
  {
    // A trial has one key for each GPU of the kind. Looking up all of them is too slow for a
    // configuration that was never tried.
    const WorkSpan span(host_, EngineWork::kLookup);
    if (!records_.may_hold(plan_.boards[board].summary.problem_text,
                           task.trial().configuration.to_string()))
      return std::nullopt;
  }
  const std::vector<std::size_t> there = {task.device};
  for (const std::size_t device : task.pinned() ? there : plan_.group_of(board).distinct) {
    const std::string key = key_on(task, device);
    const WorkSpan span(host_, EngineWork::kLookup);
    std::optional<TrialRecord> found = records_.find(key);
    if (!found) continue;
    KnownTrial stored{*std::move(found), device};
    possible_.judge(stored.trial, device);
    if (stands(board, stored)) return stored;
  }
  return std::nullopt;
}

bool StoredTrials::stands(std::size_t board, const KnownTrial& known) const {
  const TrialRecord& stored = known.trial;
  if (!settled(stored.status)) return false;
  // The trial was refused by ceilings that have been measured anew since.
  if (stored.status == Status::kImpossible && !possible_.refusal(stored, known.device))
    return false;
  // A pruned trial is known well enough, unless everything is to be timed.
  if (!may_end_trials_early(options_, plan_) && stored.status == Status::kPruned) return false;
  const TrialMeasurement* seen = stored.measurement.readable();
  // The trial was measured before its energy was wanted.
  const bool counted = seen != nullptr && seen->energy_mj_per_launch;
  if (stored.status == Status::kOk && counts_energy(plan_, board) && !counted) return false;
  // The trial was refused by a requirement that this sweep does not have.
  if (stored.status == Status::kViolates && may_win(plan_, board, stored)) return false;
  // Only strict sweeps refuse problems that the contract leaves untested.
  const std::optional<bool> untested = seen == nullptr ? std::nullopt : seen->untested;
  if (!plan_.strict && untested.value_or(false)) return false;
  if (plan_.strict && !untested && ran_right(stored.status) &&
      !contracts_.is_tested(board, stored.variant))
    return false;
  // A finding of the checkers ends a trial under one policy and is kept with it under the other.
  const bool rejects = plan_.hazards == HazardPolicy::kReject;
  const bool tolerated = seen != nullptr && !seen->hazards.empty();
  return rejects ? !tolerated : stored.status != Status::kHazard;
}

}  // namespace warpwright
