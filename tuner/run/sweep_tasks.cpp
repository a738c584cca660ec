// The life of a task: from the question to the stored trial. sweep_engine.cpp has the event loop.
#include <fmt/format.h>

#include "run/sweep_engine.h"
#include "run/trial_key.h"
#include "run/watchdog.h"

namespace warpwright {
namespace {

Outcome failed_outcome(Status status, std::string reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = std::move(reason);
  return outcome;
}

}  // namespace

void SweepEngine::start_task(const TrialSource::Question& question) {
  const PlannedBoard& board = plan_.boards[question.board];
  const DeviceInfo& device = plan_.devices[board.device];
  Task task;
  task.question = question;
  task.request = std::make_shared<MeasureRequest>();
  task.request->configuration = board.space->at(question.index);
  task.request->problem = board.summary.problem;
  const Configuration& configuration = task.request->configuration;

  CompileJob job = make_compile_job(plan_.kernel, configuration, task.request->problem, device,
                                    plan_.include_folders);
  TrialIdentity& identity = task.identity;
  identity.variant_hash = book_.variant_hash(configuration.variant);
  identity.options = job.options();
  identity.key =
      trial_key(identity.variant_hash, portable_key(job) + ' ' + compilers_->nvrtc_version(),
                task.request->problem, configuration, device, options_.seed);
  if (!options_.fresh) {
    if (const std::optional<TrialRecord> stored = book_.find(identity.key)) {
      ++summary_.resumed;
      heed(question, *stored);
      return;
    }
  }
  identity.started_utc = utc_now();
  if (const auto why = quarantine_.reason(configuration.to_string())) {
    store(task, failed_outcome(Status::kCrashed, *why));
    return;
  }
  compile_task(std::move(task), std::move(job));
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
  const std::uint64_t id = next_task_++;
  tasks_.emplace(id, std::move(task));
  for (std::size_t position = 0; position < jobs.size(); ++position)
    tickets_[compilers_->submit(std::move(jobs[position]))] = {id, position};
}

void SweepEngine::on_compiled(std::uint64_t ticket, CompileResult result) {
  const auto found = tickets_.find(ticket);
  if (found == tickets_.end()) return;
  const auto [task_id, position] = found->second;
  tickets_.erase(found);
  Task& task = tasks_.at(task_id);
  if (!result.ok && !task.failed) {
    const std::string where =
        position == 0 ? "" : fmt::format("case {}: ", task.request->cases[position - 1].test.name);
    task.failed = failed_outcome(Status::kCompileFailed, where + result.failure);
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
  if (!task.failed) {
    try {
      task.failed = reject_impossible_launch(plan_.kernel, request.configuration, request.problem,
                                             device, request.compiled);
    } catch (const Error& error) {
      fail(task_id, error);
      return;
    }
  }
  if (task.failed) {
    task.failed->resources = request.compiled.resources;
    finish(task_id, std::move(*task.failed));
    return;
  }
  // Each kind of device needs one of the two forms of code; the other need not travel.
  const auto strip = [&](CompileResult& compiled) {
    (device.has_clock ? compiled.ptx : compiled.cubin).clear();
    compiled.log.clear();
  };
  strip(request.compiled);
  for (TrialRunner::CompiledCase& test : request.cases) strip(test.compiled);
  request.launch_time_limit = launch_time_limit(device, source_.best_us(task.question.board));
  measurer_of(task).submit(task_id, task.request);
}

void SweepEngine::finish(std::uint64_t task_id, Outcome outcome) {
  const Task task = std::move(tasks_.at(task_id));
  forget_task(task_id);
  outcome.compile_seconds = task.request->compiled.seconds;
  if (outcome.status == Status::kOk) cases_passed_.insert(task.case_key);
  store(task, outcome);
}

void SweepEngine::store(const Task& task, const Outcome& outcome) {
  const PlannedBoard& board = plan_.boards[task.question.board];
  TrialRecord trial = make_trial_record(plan_.kernel, board.summary, task.request->configuration,
                                        task.identity, outcome);
  book_.add(trial, board.device, task.identity.variant_hash);
  heed(task.question, trial);
}

// A trial that is in the database, from now or from earlier, has its consequences.
void SweepEngine::heed(const TrialSource::Question& question, const TrialRecord& trial) {
  source_.tell(question, trial);
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
    if (task.request->configuration.to_string() != configuration) continue;
    if (task.compiling > 0 || measurer_of(task).cancel(id)) dropped.push_back(id);
  }
  for (const std::uint64_t id : dropped)
    finish(id, failed_outcome(Status::kCrashed, quarantine_.reason(configuration).value()));
}

void SweepEngine::forget_task(std::uint64_t task_id) {
  tasks_.erase(task_id);
  std::erase_if(tickets_, [&](const auto& entry) { return entry.second.first == task_id; });
}

void SweepEngine::fail(std::uint64_t task_id, const Error& error) {
  const std::size_t board = tasks_.at(task_id).question.board;
  forget_task(task_id);
  source_.abandon(board);
  if (failed_boards_.insert(board).second) {
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
}

std::string SweepEngine::board_name(std::size_t board) const {
  const SweepBoard& named = plan_.boards[board].summary;
  return plan_.devices.size() < 2 ? named.problem_text
                                  : fmt::format("{} ({})", named.problem_text, named.device.id);
}

}  // namespace warpwright
