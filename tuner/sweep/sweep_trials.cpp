// The life of a trial, from the question to the stored row. The event loop is in sweep_engine.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "compile/include_scan.h"
#include "metrics/trial_metrics.h"
#include "sweep/sweep_engine.h"
#include "sweep/trial_record.h"
#include "trial/launch/launch_plan.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

Outcome failed_outcome(Status status, std::string reason) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = std::move(reason);
  return outcome;
}

// The problem's own failure takes precedence over failures of the cases, whichever compiler
// finished first, so that trials that fail alike report the same reason. A compile that the machine
// stopped counts only if the compiler refused nothing.
std::optional<Outcome> refused_by_compiler(const CompiledTrial& trial) {
  std::optional<Outcome> stopped;
  const auto refused = [&](const CompileResult& compiled, const std::string& of) {
    if (compiled.by_machine && !stopped)
      stopped = failed_outcome(Status::kNotCompiled, of + compiled.failure);
    return !compiled.ok && !compiled.by_machine;
  };
  if (refused(trial.compiled, ""))
    return failed_outcome(Status::kCompileFailed, trial.compiled.failure);
  for (const TrialRunner::CompiledCase& test : trial.cases) {
    const std::string of = fmt::format("case {}: ", test.test.name);
    if (refused(test.compiled, of))
      return failed_outcome(Status::kCompileFailed, of + test.compiled.failure);
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

// Finding the files that a source includes takes as long as hashing all of them; the texts are read
// once.
const std::vector<SourceFile>& SweepEngine::sources_of(const CompileJob& job) {
  std::vector<SourceFile>& files =
      sources_[fmt::format("{}\n{}", job.source.string(), fmt::join(job.extra_options, "\n"))];
  const auto depends = [](const SourceFile& file) { return file.computes; };  // on macros, too
  if (files.empty() || std::any_of(files.begin(), files.end(), depends))
    files = collect_sources(job);
  return files;
}

// Makes a task of which nothing is compiled yet; the job of the problem itself is put into `job`.
TrialTask SweepEngine::new_trial(const TrialSource::Question& question, CompileJob& job) {
  const WorkSpan span(host_, EngineWork::kJobs);
  const PlannedBoard& board = plan_.boards[question.board];
  const DeviceInfo& device = plan_.device_of(question.board);
  TrialTask task;
  task.question = question;
  CompiledTrial& trial = task.trial();
  trial.configuration = board.space->at(question.index);
  trial.problem = board.summary.problem;
  job = make_compile_job(plan_.kernel, trial.configuration, trial.problem, device,
                         plan_.include_folders);
  TrialIdentity& identity = task.identity;
  identity.variant_hash = records_.variant_hash(trial.configuration.variant);
  identity.options = job.options();
  task.compile_key = portable_key(job, sources_of(job)) + ' ' + compilers_->nvrtc_version();
  task.device = board.device;
  identity.started_utc = utc_now();
  task.case_key = device.id + ' ' + identity.variant_hash + ' ' + trial.configuration.to_string();
  return task;
}

std::string SweepEngine::key_on(const TrialTask& task, std::size_t device) const {
  const WorkSpan span(host_, EngineWork::kJobs);
  const CompiledTrial& trial = task.trial();
  return trial_key(task.identity.variant_hash, task.compile_key, trial.problem, trial.configuration,
                   plan_.devices[device], options_.seed);
}

void SweepEngine::start_trial(const TrialSource::Question& question) {
  if (shares_times(question.board)) anchors_.asked(question);
  CompileJob job;
  TrialTask task = new_trial(question, job);
  if (const std::optional<Settled> stored = settled_trial(task))
    return take(question, task.guest, *stored);
  if (const auto why = quarantine_.reason(task.trial().configuration.to_string())) {
    store(task, failed_outcome(Status::kCrashed, *why));
    return;
  }
  if (const auto why = contracts_.refusal(question.board, task.trial().configuration.variant)) {
    Outcome refused = failed_outcome(Status::kInvalid, *why);
    refused.untested = true;
    store(task, refused);
    return;
  }
  compile_trial(std::move(task), std::move(job));
}

// Returns whether the goal uses energy and the device and the kernel allow it to be counted.
bool SweepEngine::counts_energy(std::size_t board) const {
  const std::vector<ArgumentSpec>& arguments = plan_.kernel.arguments;
  return plan_.goal.uses_energy() && plan_.device_of(board).counts_energy &&
         std::none_of(arguments.begin(), arguments.end(), [](const ArgumentSpec& argument) {
           return argument.role == ArgumentRole::kInOut;
         });
}

bool SweepEngine::allowed(std::size_t board, const TrialRecord& trial) const {
  if (plan_.goal.requirements.empty()) return true;
  const MetricNeeds known =
      trial.status == Status::kViolates ? MetricNeeds::kCompiler : MetricNeeds::kEnergy;
  return !find_violation(plan_.goal, TrialMetrics(trial, &plan_.device_of(board)), known);
}

std::optional<SweepEngine::Settled> SweepEngine::settled_trial(const TrialTask& task) const {
  return options_.fresh ? std::nullopt : stored_trial(task);
}

std::optional<SweepEngine::Settled> SweepEngine::stored_trial(const TrialTask& task) const {
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
    Settled stored{*std::move(found), device};
    possible_.judge(stored.trial, device);
    if (is_settled(board, stored)) return stored;
  }
  return std::nullopt;
}

bool SweepEngine::is_settled(std::size_t board, const Settled& known) const {
  const TrialRecord& stored = known.trial;
  if (!settled(stored.status)) return false;
  // The trial was refused by ceilings that have been measured anew since.
  if (stored.status == Status::kImpossible && !possible_.refusal(stored, known.device))
    return false;
  // A pruned trial is known well enough, unless everything is to be timed.
  if (!screens() && stored.status == Status::kPruned) return false;
  const TrialMeasurement* seen = stored.measurement.readable();
  // The trial was measured before its energy was wanted.
  const bool counted = seen != nullptr && seen->energy_mj_per_launch;
  if (stored.status == Status::kOk && counts_energy(board) && !counted) return false;
  // The trial was refused by a requirement that this sweep does not have.
  if (stored.status == Status::kViolates && allowed(board, stored)) return false;
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

bool SweepEngine::shares_times(std::size_t board) const {
  return plan_.device_of(board).has_clock && plan_.group_of(board).shares_boards();
}

void SweepEngine::invite(std::size_t board, std::uint64_t index, std::size_t device) {
  CompileJob job;
  TrialTask task = new_trial({board, index}, job);
  task.device = device;
  task.guest = true;
  if (const std::optional<Settled> stored = settled_trial(task))
    return take(task.question, task.guest, *stored);
  if (quarantine_.reason(task.trial().configuration.to_string())) return;
  ++summary_.guests;
  compile_trial(std::move(task), std::move(job));
}

// Another sweep may have stored the trial while this one compiled it or waited for its turn.
bool SweepEngine::take_settled(TaskId id) {
  const TrialTask& waiting = *tasks_.trial(id);
  if (waiting.repeated) return false;
  const std::optional<Settled> stored = settled_trial(waiting);
  if (!stored) return false;
  const TrialTask task = tasks_.take_trial(id);
  take(task.question, task.guest, *stored);
  if (!task.code.empty()) offer_again(shared_.dropped(task.code, id));
  return true;
}

void SweepEngine::compile_trial(TrialTask task, CompileJob job) {
  measurer_of(task.question.board).wake();
  // Trials compile while the previous board is measured, so its references can be computed
  // meanwhile.
  for (const auto& ahead : references_[plan_.boards[task.question.board].group])
    ahead->ask(plan_.boards[task.question.board].summary.problem);
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
  expect_compiled(tasks_.add(std::move(task)), std::move(jobs));
}

void SweepEngine::trial_compiled(TaskId id, TrialTask& task) {
  const DeviceInfo& device = plan_.device_of(task.question.board);
  CompiledTrial& trial = task.trial();
  std::optional<Outcome> failed = refused_by_compiler(trial);
  if (!failed) {
    try {
      failed = reject_impossible_launch(plan_.kernel, trial.configuration, trial.problem, device,
                                        trial.compiled);
      if (!failed) failed = refused_by_goal(task);
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
  offer(id);
}

std::optional<Outcome> SweepEngine::refused_by_goal(const TrialTask& task) const {
  if (plan_.goal.requirements.empty()) return std::nullopt;
  Outcome outcome = failed_outcome(Status::kViolates, "");
  outcome.resources = task.trial().compiled.resources;
  const SweepBoard& board = plan_.boards[task.question.board].summary;
  const TrialRecord trial =
      make_trial_record(plan_.kernel, board, task.trial().configuration, task.identity, outcome);
  const std::optional<Violation> violation =
      find_violation(plan_.goal, TrialMetrics(trial, &board.device), MetricNeeds::kCompiler);
  if (!violation) return std::nullopt;
  FailureReason failure = violation->failure();
  outcome.reason = std::move(failure.text);
  outcome.detail = std::move(failure.detail);
  return outcome;
}

// Finalizes the request to the device: cases that passed since the task was made are left out.
// Returns false when the contract failed the task.
bool SweepEngine::settle_code(TaskId id, TrialTask& task) {
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

// Sends the task to the device, unless equal code is known or running, or another board has its
// turn.
void SweepEngine::offer(TaskId id) {
  TrialTask& task = *tasks_.trial(id);
  task.waiting = true;
  if (!turns_.may_measure(task.question.board) || take_settled(id) || !settle_code(id, task))
    return;
  if (!task.pinned()) {
    switch (shared_.submit(task.code, id)) {
      case SharedCode::Turn::kWait:
        return;
      case SharedCode::Turn::kKnown: {
        ++summary_.shared;
        task.device = shared_.device_of_known(task.code);
        note_sharer(task);
        Outcome outcome = shared_.known(task.code);
        outcome.resources = task.trial().compiled.resources;
        finish(id, std::move(outcome));
        return;
      }
      case SharedCode::Turn::kRun:
        break;
    }
  }
  task.waiting = false;
  task.asked().best_us = source_.best_us(task.question.board);
  task.asked().energy = counts_energy(task.question.board);
  measure(id, task.question.board, task.request,
          task.pinned() ? std::optional(task.device) : std::nullopt);
}

void SweepEngine::offer_again(const std::vector<TaskId>& tasks) {
  for (const TaskId id : tasks) {
    if (tasks_.trial(id) != nullptr) offer(id);
  }
}

// Offers the trials that waited for their board's turn. Those that wait for equal code are offered
// when it ends.
void SweepEngine::offer_waiting() {
  std::vector<TaskId> ready = tasks_.waiting();
  std::erase_if(ready, [&](TaskId id) {
    const TrialTask& task = *tasks_.trial(id);
    return shared_.waits(task.code, id) || !turns_.may_measure(task.question.board);
  });
  offer_again(ready);
}

void SweepEngine::finish(TaskId id, Outcome outcome) {
  const TrialTask task = tasks_.take_trial(id);
  const std::string configuration = task.trial().configuration.to_string();
  outcome.compile_seconds = task.trial().compiled.seconds;
  possible_.judge(task.trial().configuration, task.trial().problem, task.device, outcome);
  // Cases that had passed before were not run again, so the findings from then apply.
  if (const auto passed = cases_passed_.find(task.case_key); passed != cases_passed_.end())
    outcome.hazards = passed->second;
  if (is_behind_cases(outcome.status)) cases_passed_.emplace(task.case_key, outcome.hazards);
  summary_.trial_measure_seconds += outcome.measure_seconds;
  measured_s_[task.question.board] += outcome.validate_seconds + outcome.measure_seconds;
  summary_.case_seconds += outcome.case_seconds;
  summary_.input_seconds += outcome.input_seconds;
  summary_.validate_seconds +=
      outcome.validate_seconds - outcome.case_seconds - outcome.input_seconds;
  store(task, outcome);
  tell_of_remarks(task, outcome);
  when_committed([this, task, outcome, id, configuration] {
    heed_anchor(task, outcome);
    if (task.repeated) share_again(task, outcome);
    if (outcome.same_as.empty() && !task.code.empty() && !task.pinned())
      offer_again(shared_.ended(task.code, id, configuration, outcome, task.device));
  });
}

void SweepEngine::store(const TrialTask& task, const Outcome& outcome) {
  const PlannedBoard& board = plan_.boards[task.question.board];
  TrialIdentity identity = task.identity;
  identity.key = key_on(task, task.device);
  TrialRecord trial = [&] {
    const WorkSpan span(host_, EngineWork::kRecords);
    return make_trial_record(plan_.kernel, board.summary, task.trial().configuration, identity,
                             outcome);
  }();
  // The sweep that stores a trial first determines its result. A trial that settles nothing does
  // not hide others.
  const bool first = (task.repeated || options_.fresh) && outcome.status != Status::kNotCompiled;
  std::optional<Settled> known;
  const bool is_known = [&] {
    const WorkSpan span(host_, grouping_ ? EngineWork::kAdd : EngineWork::kCommit);
    if (grouping_) records_.begin_group();
    return records_
        .add_unless(trial, task.device, task.identity.variant_hash, outcome.same_as,
                    [&]() -> std::optional<TrialRecord> {
                      if (!first) known = stored_trial(task);
                      return known ? std::optional(known->trial) : std::nullopt;
                    })
        .has_value();
  }();
  when_committed([this, question = task.question, repeated = task.repeated, guest = task.guest,
                  device = task.device, is_known, known, trial = std::move(trial)] {
    if (is_known) return take(question, guest, *known);
    if (repeated) source_.correct(question, trial);
    if (repeated || guest) return note_time(question, trial, device);
    heed(question, trial, device);
  });
}

// Trials that arrive together are one transaction, so that many answering GPUs cause fewer disk
// accesses. No trial is reported before it is committed; then all consequences run in the order of
// arrival.
void SweepEngine::when_committed(std::function<void()> consequence) {
  if (!grouping_) return consequence();
  uncommitted_.push_back(std::move(consequence));
}

void SweepEngine::commit_group() {
  while (grouping_ && !uncommitted_.empty()) {
    {
      const WorkSpan span(host_, EngineWork::kCommit);
      records_.commit_group();
    }
    for (auto& consequence : std::exchange(uncommitted_, {})) consequence();
  }
}

// Handles a trial that the database already holds.
void SweepEngine::take(const TrialSource::Question& question, bool guest, const Settled& stored) {
  if (guest) return note_time(question, stored.trial, stored.device);
  ++summary_.resumed;
  heed(question, stored.trial, stored.device);
}

// Applies the consequences of a trial that is in the database, stored now or earlier.
void SweepEngine::heed(const TrialSource::Question& question, const TrialRecord& trial,
                       std::size_t device) {
  {
    const WorkSpan span(host_, EngineWork::kStrategy);
    source_.tell(question, trial);
  }
  warm_start_->note(question.board, trial);
  note_time(question, trial, device);
  ++summary_.trials;
  ++summary_.by_status[trial.status];
  const auto [best, configuration] = source_.note(question.board);
  progress_.update(summary_.trials, best, configuration);
  if (quarantine_.note(trial, plan_.board_name(question.board))) {
    progress_.say(fmt::format("quarantined: {}: {}", trial.configuration_text, trial.reason));
    drop_quarantined(trial.configuration_text);
  }
  if (!shares_times(question.board) || stopping_) return;
  const std::optional<std::uint64_t> anchor = anchors_.answered(question, trial);
  if (!anchor) return;
  for (const std::size_t other : anchor_guests(question.board))
    if (!anchors_.has_timed(question.board, other)) invite(question.board, *anchor, other);
}

// Returns all GPUs of a small group. In a very large group each guest would make the board's inputs
// for this one trial. There, only boards that the lead ranks have guests, few compared with the
// board's own trials, and each GPU is a guest once, as long as there are such boards.
std::vector<std::size_t> SweepEngine::anchor_guests(std::size_t board) const {
  constexpr std::size_t kShare = 8;
  const DeviceGroup& group = plan_.group_of(board);
  if (group.distinct.size() <= kGpusToARanker) return group.distinct;
  if (plan_.boards[board].device != group.lead()) return {};
  std::size_t before = 0;  // guests of earlier boards
  const auto most = [&](std::size_t of) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(plan_.boards[of].questions) / kShare);
  };
  for (std::size_t one = 0; one < board; ++one)
    if (plan_.boards[one].device == group.lead()) before += most(one);
  std::vector<std::size_t> guests = {group.lead()};
  for (std::size_t i = 1 + before; i < group.distinct.size() && i <= before + most(board); ++i)
    guests.push_back(group.distinct[i]);
  return guests;
}

void SweepEngine::note_time(const TrialSource::Question& question, const TrialRecord& trial,
                            std::size_t device) {
  if (shares_times(question.board)) anchors_.note(question.board, question.index, device, trial);
  if (trial.status == Status::kOk && !allowed(question.board, trial))
    return ranking_.drop(question.board, question.index);
  ranking_.note(question.board, question.index, trial, device);
  // Waiting trials were offered when less was known.
  const std::optional<double> best = source_.best_us(question.board);
  if (best && plan_.device_of(question.board).has_clock)
    measurer_of(question.board).note_best(question.board, *best);
}

void SweepEngine::heed_anchor(const TrialTask& task, const Outcome& outcome) {
  const auto suspects = suspects_.trial_ended(task.question, task.code, outcome, task.device);
  if (!outcome.anchor_moved || stopping_) return;
  progress_.say(fmt::format("the anchor moved by {:+.1f} %: measuring again what was timed since",
                            100 * outcome.anchor_drift));
  for (const AnchorSuspects::Suspect& suspect : suspects) repeat(suspect);
}

void SweepEngine::repeat(const AnchorSuspects::Suspect& suspect) {
  CompileJob job;
  TrialTask task = new_trial(suspect.question, job);
  task.repeated = true;
  task.device = suspect.device;
  task.code = suspect.code;
  ++summary_.repeated;
  compile_trial(std::move(task), std::move(job));
}

void SweepEngine::note_sharer(const TrialTask& task) {
  TrialTask sharer = task;
  sharer.repeated = true;
  // Dropped here: the code, which is no longer needed.
  sharer.request = std::make_shared<MeasureRequest>();
  sharer.trial().configuration = task.trial().configuration;
  sharer.trial().problem = task.trial().problem;
  sharer.trial().compiled.resources = task.trial().compiled.resources;
  sharer.trial().compiled.seconds = task.trial().compiled.seconds;
  sharers_[task.code].push_back(std::move(sharer));
}

// Trials that took the outcome of a trial take its new outcome when it is measured again.
void SweepEngine::share_again(const TrialTask& task, const Outcome& outcome) {
  if (!shared_.measured_again(task.code, task.trial().configuration.to_string(), outcome)) return;
  for (const TrialTask& sharer : sharers_[task.code]) {
    Outcome same = shared_.known(task.code);
    same.resources = sharer.trial().compiled.resources;
    same.compile_seconds = sharer.trial().compiled.seconds;
    store(sharer, same);
  }
}

// Drops the trials that wait for a compiler or a device; a trial that already runs is allowed to
// end.
void SweepEngine::drop_quarantined(const std::string& configuration) {
  std::vector<TaskId> dropped;
  for (const auto& [id, held] : tasks_.of_configuration(configuration)) {
    if (held || measurer_of(tasks_.trial(id)->question.board).cancel(id)) dropped.push_back(id);
  }
  for (const TaskId id : dropped)
    finish(id, failed_outcome(Status::kCrashed, quarantine_.reason(configuration).value()));
}

}  // namespace warpwright
