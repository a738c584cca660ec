#include "sweep/trial_recorder.h"

#include <utility>

#include "sweep/trial_record.h"

namespace warpwright {

void TrialRecorder::store(const TrialTask& task, const Outcome& outcome) {
  const PlannedBoard& board = plan_.boards[task.question.board];
  TrialIdentity identity = task.identity;
  identity.key = stored_.key_on(task, task.device);
  TrialRecord trial = [&] {
    const WorkSpan span(host_, EngineWork::kRecords);
    return make_trial_record(plan_.kernel, board.summary, task.trial().configuration, identity,
                             outcome);
  }();
  // The sweep that stores a trial first determines its result. A trial that settles nothing does
  // not hide others.
  const bool first = (task.repeated || fresh_) && outcome.status != Status::kNotCompiled;
  std::optional<KnownTrial> known;
  const bool is_known = [&] {
    const WorkSpan span(host_, collecting_ ? EngineWork::kAdd : EngineWork::kCommit);
    if (collecting_) records_.begin_group();
    return records_
        .add_unless(trial, task.device, task.identity.variant_hash, outcome.same_as,
                    [&]() -> std::optional<TrialRecord> {
                      if (!first) known = stored_.find(task);
                      return known ? std::optional(known->trial) : std::nullopt;
                    })
        .has_value();
  }();
  if (!is_known) known.reset();
  then([this, task, known = std::move(known), trial = std::move(trial)] {
    on_stored_(task, trial, known);
  });
}

void TrialRecorder::then(std::function<void()> consequence) {
  if (!collecting_) return consequence();
  waiting_.push_back(std::move(consequence));
}

void TrialRecorder::commit() {
  while (collecting_ && !waiting_.empty()) {
    {
      const WorkSpan span(host_, EngineWork::kCommit);
      records_.commit_group();
    }
    for (auto& consequence : std::exchange(waiting_, {})) consequence();
  }
}

void TrialRecorder::end() {
  commit();
  collecting_ = false;
}

}  // namespace warpwright
