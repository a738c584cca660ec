#include "sweep/trial_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sweep/goal_rules.h"
#include "trial/launch/jobs.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// The problem's own failure takes precedence over failures of the cases, whichever compiler
// finished first, so that trials that fail alike report the same reason. A compile that the machine
// stopped counts only if the compiler refused nothing.
std::optional<Outcome> refused_by_compiler(const CompiledTrial& trial) {
  std::optional<Outcome> stopped;
  const auto refused = [&](const CompileResult& compiled, const std::string& of) {
    if (compiled.by_machine && !stopped)
      stopped = outcome_without_run(Status::kNotCompiled, of + compiled.failure);
    return !compiled.ok && !compiled.by_machine;
  };
  if (refused(trial.compiled, ""))
    return outcome_without_run(Status::kCompileFailed, trial.compiled.failure);
  for (const TrialRunner::CompiledCase& test : trial.cases) {
    const std::string of = fmt::format("case {}: ", test.test.name);
    if (refused(test.compiled, of))
      return outcome_without_run(Status::kCompileFailed, of + test.compiled.failure);
  }
  return stopped;
}

// Returns whether a trial ends with this status only after its cases have passed: the problem comes
// after them.
bool is_behind_cases(Status status) {
  return status == Status::kOk || status == Status::kPruned || status == Status::kNoisy ||
         status == Status::kImpossible;
}

}  // namespace

TrialPipeline::TrialPipeline(const SweepPlan& plan, const StoredTrials& stored,
                             const BoardTurns& turns, TaskTable& tasks, SweepWorkers& workers,
                             BoardMeasurer& measurer, SweepHost& host, Ends ends)
    : plan_(plan),
      stored_(stored),
      turns_(turns),
      tasks_(tasks),
      workers_(workers),
      measurer_(measurer),
      host_(host),
      ends_(std::move(ends)),
      measured_on_(plan.devices.size()) {}

void TrialPipeline::compile(TrialTask task, CompileJob job) {
  workers_.expect_trials(task.question.board);
  CompiledTrial& trial = task.trial();
  std::vector<CompileJob> jobs = {std::move(job)};
  if (!cases_passed_.contains(task.case_key)) {
    const WorkSpan span(host_, EngineWork::kJobs);
    for (CaseJob& test : case_jobs(plan_.kernel, trial.configuration,
                                   plan_.device_of(task.question.board), plan_.include_folders)) {
      jobs.push_back(test.job);
      trial.cases.push_back({std::move(test), {}});
    }
  }
  const TaskId id = tasks_.add(std::move(task));
  for (std::size_t position = 0; position < jobs.size(); ++position)
    tasks_.expect(id, workers_.compilers().submit(std::move(jobs[position])), position);
}

void TrialPipeline::compiled(TaskId id) {
  TrialTask& task = *tasks_.trial(id);
  const DeviceInfo& device = plan_.device_of(task.question.board);
  CompiledTrial& trial = task.trial();
  std::optional<Outcome> failed = refused_by_compiler(trial);
  if (!failed) {
    try {
      failed = reject_impossible_launch(plan_.kernel, trial.configuration, trial.problem, device,
                                        trial.compiled);
      if (!failed) failed = refused_by_goal(plan_, task);
    } catch (const Error& error) {
      fail(id, error);
      return;
    }
  }
  if (failed) {
    // The trial was only to be timed once more: its result is already known.
    if (failed->status == Status::kNotCompiled && task.pinned()) return drop(id);
    failed->resources = trial.compiled.resources;
    finish(id, std::move(*failed));
    return;
  }
  strip_for(device, trial.compiled);
  for (TrialRunner::CompiledCase& test : trial.cases) strip_for(device, test.compiled);
  release(id);
}

bool TrialPipeline::measured(MeasuredEvent event) {
  TrialTask& trial = *tasks_.trial(event.task);
  // The trial was only to be timed once more: its result is already known.
  if (event.device_lost &&
      (trial.repeated ||
       (trial.guest && trial.device != plan_.boards[trial.question.board].device))) {
    drop(event.task);
    return false;
  }
  if (event.error) {
    fail(event.task, *event.error);
    return false;
  }
  trial.device = event.device;
  ++measured_on_[event.device];
  finish(event.task, std::move(event.outcome));
  return true;
}

// Sends the task to the device, unless equal code is known or running, or another board has its
// turn.
void TrialPipeline::release(TaskId id) {
  TrialTask& task = *tasks_.trial(id);
  task.waiting = true;
  if (!turns_.may_measure(task.question.board) || take_stored(id) || !identify_code(id, task))
    return;
  if (!task.pinned()) {
    switch (code_.submit(task.code, id)) {
      case SharedCode::Turn::kWait:
        return;
      case SharedCode::Turn::kKnown:
        return take_shared(id, task);
      case SharedCode::Turn::kRun:
        break;
    }
  }
  task.waiting = false;
  measurer_.measure(id, task);
}

void TrialPipeline::release(const std::vector<TaskId>& tasks) {
  for (const TaskId id : tasks) {
    if (tasks_.trial(id) != nullptr) release(id);
  }
}

// Trials that wait for equal code are released when it ends.
void TrialPipeline::release_waiting() {
  std::vector<TaskId> ready = tasks_.waiting();
  std::erase_if(ready, [&](TaskId id) {
    const TrialTask& task = *tasks_.trial(id);
    return code_.waits(task.code, id) || !turns_.may_measure(task.question.board);
  });
  release(ready);
}

// Another sweep may have stored the trial while this one compiled it or waited for its turn.
bool TrialPipeline::take_stored(TaskId id) {
  const TrialTask& waiting = *tasks_.trial(id);
  if (waiting.repeated) return false;
  const std::optional<KnownTrial> stored = stored_.find_unless_fresh(waiting);
  if (!stored) return false;
  const TrialTask task = tasks_.take_trial(id);
  ends_.stored(task, *stored);
  if (!task.code.empty()) release(code_.dropped(task.code, id));
  return true;
}

// Finalizes the request to the device: cases that passed since the task was made are left out.
// Returns false when the contract failed the task.
bool TrialPipeline::identify_code(TaskId id, TrialTask& task) {
  if (cases_passed_.contains(task.case_key)) task.trial().cases.clear();
  if (!task.code.empty()) return true;
  try {
    const WorkSpan span(host_, EngineWork::kJobs);
    task.code = code_identity(plan_.kernel, plan_.device_of(task.question.board), task.trial());
    return true;
  } catch (const Error& error) {
    fail(id, error);
    return false;
  }
}

void TrialPipeline::take_shared(TaskId id, TrialTask& task) {
  ++shared_;
  task.device = code_.device_of_known(task.code);
  sharers_.add(task);
  finish(id, Sharers::outcome_of(task, code_.known(task.code)));
}

void TrialPipeline::finish(TaskId id, Outcome outcome) {
  const TrialTask task = tasks_.take_trial(id);
  outcome.compile_seconds = task.trial().compiled.seconds;
  // Cases that had passed before were not run again, so the findings from then apply.
  if (const auto passed = cases_passed_.find(task.case_key); passed != cases_passed_.end())
    outcome.hazards = passed->second;
  if (is_behind_cases(outcome.status)) cases_passed_.emplace(task.case_key, outcome.hazards);
  ends_.with_outcome(id, task, std::move(outcome));
}

void TrialPipeline::drop(TaskId id) {
  const std::string code = tasks_.trial(id)->code;
  tasks_.drop({id});
  if (!code.empty()) release(code_.dropped(code, id));
}

void TrialPipeline::fail(TaskId id, const Error& error) {
  const TrialTask& task = *tasks_.trial(id);
  const std::size_t board = task.question.board;
  const std::string code = task.code;
  tasks_.drop({id});
  ends_.with_error(board, error);
  if (!code.empty()) release(code_.dropped(code, id));
}

void TrialPipeline::end_waiting(const std::string& configuration, const Outcome& outcome) {
  std::vector<TaskId> ended;
  for (const auto& [id, held] : tasks_.of_configuration(configuration)) {
    if (held || workers_.cancel(id, tasks_.trial(id)->question.board)) ended.push_back(id);
  }
  for (const TaskId id : ended) finish(id, outcome);
}

std::vector<Sharers::Sharer> TrialPipeline::measured_again(const TrialTask& task,
                                                           const Outcome& outcome) {
  if (!code_.measured_again(task.code, task.trial().configuration.to_string(), outcome)) return {};
  return sharers_.with_outcome(task.code, code_.known(task.code));
}

void TrialPipeline::release_sharers(TaskId id, const TrialTask& task, const Outcome& outcome) {
  if (!outcome.same_as.empty() || task.code.empty() || task.pinned()) return;
  release(code_.ended(task.code, id, task.trial().configuration.to_string(), outcome, task.device));
}

}  // namespace warpwright
