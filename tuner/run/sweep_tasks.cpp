// The life of a task: from the question to the stored trial. sweep_engine.cpp has the event loop.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "run/sweep_engine.h"
#include "run/trial_key.h"
#include "run/watchdog.h"
#include "run/worker_setup.h"

namespace warpwright {
namespace {

Outcome failed_outcome(Status status, std::string reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = std::move(reason);
  return outcome;
}

// The problem's own failure comes before those of the cases, whichever compiler was done first:
// trials that failed alike say so alike.
std::optional<Outcome> refused_by_compiler(const MeasureRequest& request) {
  if (!request.compiled.ok) return failed_outcome(Status::kCompileFailed, request.compiled.failure);
  for (const TrialRunner::CompiledCase& test : request.cases) {
    if (test.compiled.ok) continue;
    return failed_outcome(Status::kCompileFailed,
                          fmt::format("case {}: {}", test.test.name, test.compiled.failure));
  }
  return std::nullopt;
}

}  // namespace

TrialIdentity SweepEngine::identify(const MeasureRequest& request, const DeviceInfo& device,
                                    CompileJob& job) const {
  job = make_compile_job(plan_.kernel, request.configuration, request.problem, device,
                         plan_.include_folders);
  TrialIdentity identity;
  identity.variant_hash = book_.variant_hash(request.configuration.variant);
  identity.options = job.options();
  identity.key =
      trial_key(identity.variant_hash, portable_key(job) + ' ' + compilers_->nvrtc_version(),
                request.problem, request.configuration, device, options_.seed);
  return identity;
}

void SweepEngine::start_task(const TrialSource::Question& question) {
  const PlannedBoard& board = plan_.boards[question.board];
  Task task;
  task.question = question;
  task.request = std::make_shared<MeasureRequest>();
  task.request->configuration = board.space->at(question.index);
  task.request->problem = board.summary.problem;
  CompileJob job;
  task.identity = identify(*task.request, plan_.devices[board.device], job);
  if (!options_.fresh) {
    // What was pruned is known well enough, unless everything is to be timed.
    if (const std::optional<TrialRecord> stored = book_.find(task.identity.key);
        stored && settled(stored->status) &&
        (options_.screening || stored->status != Status::kPruned)) {
      ++summary_.resumed;
      heed(question, *stored);
      return;
    }
  }
  task.identity.started_utc = utc_now();
  if (const auto why = quarantine_.reason(task.request->configuration.to_string())) {
    store(task, failed_outcome(Status::kCrashed, *why));
    return;
  }
  compile_task(std::move(task), std::move(job));
}

std::uint64_t SweepEngine::add_task(Task task) {
  const std::uint64_t id = next_task_++;
  ++boards_[task.question.board].open;
  tasks_.emplace(id, std::move(task));
  return id;
}

void SweepEngine::compile_task(Task task, CompileJob job) {
  const DeviceInfo& device = plan_.devices[plan_.boards[task.question.board].device];
  MeasureRequest& request = *task.request;
  task.case_key =
      device.id + ' ' + task.identity.variant_hash + ' ' + request.configuration.to_string();
  std::vector<CompileJob> jobs = {std::move(job)};
  if (!cases_passed_.contains(task.case_key)) {
    for (CaseJob& test :
         case_jobs(plan_.kernel, request.configuration, device, plan_.include_folders)) {
      jobs.push_back(test.job);
      request.cases.push_back({std::move(test), {}});
    }
  }
  task.compiling = jobs.size();
  const std::uint64_t id = add_task(std::move(task));
  for (std::size_t position = 0; position < jobs.size(); ++position)
    tickets_[compilers_->submit(std::move(jobs[position]))] = {id, position};
}

void SweepEngine::on_compiled(std::uint64_t ticket, CompileResult result) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;
  const auto [task_id, position] = found->second;
  tickets_.erase(found);
  Task& task = tasks_.at(task_id);
  if (!task.finalists.empty()) {
    task.request->finalists[position].compiled = std::move(result);
    if (--task.compiling == 0) ranking_compiled(task_id);
    return;
  }
  if (position == 0) {
    task.request->compiled = std::move(result);
  } else {
    task.request->cases[position - 1].compiled = std::move(result);
  }
  if (--task.compiling == 0) compile_finished(task_id);
}

void SweepEngine::compile_finished(std::uint64_t task_id) {
  Task& task = tasks_.at(task_id);
  const DeviceInfo& device = plan_.devices[plan_.boards[task.question.board].device];
  MeasureRequest& request = *task.request;
  std::optional<Outcome> failed = refused_by_compiler(request);
  if (!failed) {
    try {
      failed = reject_impossible_launch(plan_.kernel, request.configuration, request.problem,
                                        device, request.compiled);
    } catch (const Error& error) {
      fail(task_id, error);
      return;
    }
  }
  if (failed) {
    failed->resources = request.compiled.resources;
    finish(task_id, std::move(*failed));
    return;
  }
  strip_for(device, request.compiled);
  for (TrialRunner::CompiledCase& test : request.cases) strip_for(device, test.compiled);
  offer(task_id);
}

// What is asked of the device from here on: cases that passed since the task was made are left out.
// False when the contract failed the task.
bool SweepEngine::settle_code(std::uint64_t task_id) {
  Task& task = tasks_.at(task_id);
  if (cases_passed_.contains(task.case_key)) task.request->cases.clear();
  if (!task.code.empty()) return true;
  try {
    task.code = code_identity(plan_.kernel, plan_.devices[plan_.boards[task.question.board].device],
                              *task.request);
    return true;
  } catch (const Error& error) {
    fail(task_id, error);
    return false;
  }
}

// To the device, unless equal code is known, runs already, or another board has its turn.
void SweepEngine::offer(std::uint64_t task_id) {
  Task& task = tasks_.at(task_id);
  task.waiting = true;
  if (!has_turn(task.question.board) || !settle_code(task_id)) return;
  if (!task.repeated) {
    switch (shared_.offer(task.code, task_id)) {
      case SharedCode::Turn::kWait:
        return;
      case SharedCode::Turn::kKnown: {
        ++summary_.shared;
        note_sharer(task);
        Outcome outcome = shared_.known(task.code);
        outcome.resources = task.request->compiled.resources;
        finish(task_id, std::move(outcome));
        return;
      }
      case SharedCode::Turn::kRun:
        break;
    }
  }
  task.waiting = false;
  const DeviceInfo& device = plan_.devices[plan_.boards[task.question.board].device];
  task.request->best_us = source_.best_us(task.question.board);
  task.request->launch_time_limit = launch_time_limit(device, task.request->best_us);
  measurer_of(task).submit(task_id, task.request);
}

void SweepEngine::offer_again(const std::vector<std::uint64_t>& tasks) {
  for (const std::uint64_t id : tasks) {
    if (tasks_.contains(id)) offer(id);
  }
}

void SweepEngine::finish(std::uint64_t task_id, Outcome outcome) {
  const Task task = std::move(tasks_.at(task_id));
  forget_task(task_id);
  outcome.compile_seconds = task.request->compiled.seconds;
  if (outcome.status == Status::kOk) cases_passed_.insert(task.case_key);
  summary_.trial_measure_seconds += outcome.measure_seconds;
  store(task, outcome);
  watch_anchor(task, outcome);
  if (task.repeated) share_again(task, outcome);
  if (outcome.same_as.empty() && !task.code.empty() && !task.repeated) {
    offer_again(
        shared_.ended(task.code, task_id, task.request->configuration.to_string(), outcome));
  }
}

void SweepEngine::store(const Task& task, const Outcome& outcome) {
  const PlannedBoard& board = plan_.boards[task.question.board];
  TrialRecord trial = make_trial_record(plan_.kernel, board.summary, task.request->configuration,
                                        task.identity, outcome);
  book_.add(trial, board.device, task.identity.variant_hash, outcome.same_as);
  if (task.repeated) {
    source_.correct(task.question, trial);
    ranking_.note(task.question.board, task.question.index, trial);
  } else {
    heed(task.question, trial);
  }
}

// A trial that is in the database, from now or from earlier, has its consequences.
void SweepEngine::heed(const TrialSource::Question& question, const TrialRecord& trial) {
  source_.tell(question, trial);
  ranking_.note(question.board, question.index, trial);
  ++summary_.trials;
  ++summary_.by_status[trial.status];
  progress_.update(summary_.trials, source_.note(question.board));
  if (!quarantine_.note(trial, board_name(question.board))) return;
  progress_.say(fmt::format("quarantined: {}: {}", trial.configuration_text, trial.reason));
  drop_quarantined(trial.configuration_text);
}

// What waits for a compiler or a device; a trial that runs already is left to end.
void SweepEngine::drop_quarantined(const std::string& configuration) {
  std::vector<std::uint64_t> dropped;
  for (const auto& [id, task] : tasks_) {
    if (!task.finalists.empty() || task.request->configuration.to_string() != configuration)
      continue;
    if (task.compiling > 0 || task.waiting || measurer_of(task).cancel(id)) dropped.push_back(id);
  }
  for (const std::uint64_t id : dropped)
    finish(id, failed_outcome(Status::kCrashed, quarantine_.reason(configuration).value()));
}

void SweepEngine::forget_task(std::uint64_t task_id) {
  const auto found = tasks_.find(task_id);
  if (found == tasks_.end()) return;
  --boards_[found->second.question.board].open;
  tasks_.erase(found);
  std::erase_if(tickets_, [&](const auto& entry) { return entry.second.first == task_id; });
}

void SweepEngine::fail(std::uint64_t task_id, const Error& error) {
  const std::size_t board = tasks_.at(task_id).question.board;
  const std::string code = tasks_.at(task_id).code;
  forget_task(task_id);
  source_.abandon(board);
  if (!std::exchange(boards_[board].failed, true)) {
    Error located = error;
    located.add_context(fmt::format("for problem {} on {}",
                                    plan_.boards[board].summary.problem_text,
                                    plan_.boards[board].summary.device.id));
    progress_.say(located.what());
    if (!error_) error_ = std::move(located);
  }
  // The user's contract may fail on one problem only; a fault of the environment would meet every
  // trial.
  if (error.fault() != Fault::kUser && !stopping_) stop_asking("failed");
  if (!code.empty()) offer_again(shared_.dropped(code, task_id));
}

std::string SweepEngine::board_name(std::size_t board) const {
  const SweepBoard& named = plan_.boards[board].summary;
  return plan_.devices.size() < 2 ? named.problem_text
                                  : fmt::format("{} ({})", named.problem_text, named.device.id);
}

}  // namespace warpwright
