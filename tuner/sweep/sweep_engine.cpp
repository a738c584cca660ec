#include "sweep/sweep_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "core/words.h"
#include "provenance/kernel_sources.h"
#include "workers/interrupt.h"

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kPollInterval{100};
// How long a stop waits for trials that are on a device.
constexpr std::chrono::seconds kStopPatience{5};

}  // namespace

SweepEngine::SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan,
                         Database& database, Progress& progress, SweepHost& host)
    : options_(options),
      plan_(std::move(plan)),
      progress_(progress),
      host_(host),
      records_(database),
      possible_(plan_, database),
      contracts_(plan_, records_),
      notices_(plan_, contracts_, progress),
      tasks_(plan_.boards.size()),
      start_(host.now()),
      search_(options, paths, plan_, database, progress, host),
      workers_(options, paths, plan_, host, events_),
      measurer_(plan_, search_.source(), workers_, host),
      finals_(plan_, records_, possible_, tasks_, workers_, measurer_, progress),
      stages_(plan_, search_.source(), tasks_, workers_, measurer_, finals_,
              {.meet =
                   [this](std::size_t board, std::uint64_t index) {
                     starter_.invite(board, {index, plan_.boards[board].device});
                   },
               .turn_passed = [this] { pipeline_.release_waiting(); },
               .ranking_began =
                   [this](std::size_t finalists) {
                     progress_.update(results_.trials(),
                                      fmt::format("final ranking of {}", finalists));
                   },
               .board_ended = [this] { notices_.report_edits(); }}),
      stored_(options, plan_, records_, possible_, contracts_, host),
      results_(
          plan_, search_, finals_.stage(), workers_, progress,
          {.invite = [this](std::size_t board,
                            GpuComparison::Guest guest) { starter_.invite(board, guest); },
           .repeat = [this](const AnchorSuspects::Suspect& suspect) { starter_.repeat(suspect); },
           .quarantine =
               [this](const std::string& configuration) {
                 pipeline_.end_waiting(
                     configuration,
                     outcome_without_run(Status::kCrashed,
                                         results_.quarantined(configuration).value()));
               }}),
      recorder_(plan_, options.fresh, stored_, records_, host,
                [this](const TrialTask& task, const TrialRecord& trial,
                       const std::optional<KnownTrial>& known) {
                  known ? results_.known(task, *known) : results_.stored(task, trial);
                }),
      pipeline_(
          plan_, stored_, stages_.turns(), tasks_, workers_, measurer_, host,
          {.with_outcome = [this](TaskId id, const TrialTask& task,
                                  Outcome outcome) { trial_ended(id, task, std::move(outcome)); },
           .stored = [this](const TrialTask& task,
                            const KnownTrial& stored) { results_.known(task, stored); },
           .with_error = [this](std::size_t board, const Error& error) { fail(board, error); }}),
      starter_(TrialBuilder(plan_, records_, workers_.compilers(), host), stored_, contracts_,
               results_, recorder_, pipeline_) {
  for (std::size_t group = 0; group < plan_.groups.size(); ++group)
    search_.source().allow_open(workers_.demand(group).questions, group);
}

SweepSummary SweepEngine::run() {
  begin();
  try {
    work_until_done();
    notices_.report_edits();
    // A ranked configuration has another, final time on the boards that are displayed next.
    if (finals_.made() > 0) progress_.update(results_.trials(), "");
    progress_.finish();
    summarise();
    records_.close(error_ ? RunEnd::kFailed : summary_.ended, summary_.searches);
  } catch (Error& error) {
    records_.drop_group();
    progress_.finish();
    throw with_stored_so_far(std::move(error));
  }
  if (error_) throw with_stored_so_far(*std::move(error_));
  return std::move(summary_);
}

void SweepEngine::begin() {
  if (options_.nodes != nullptr) {
    for (const std::string& line : describe_nodes(options_.nodes->gather(), plan_.places))
      progress_.say(line);
  }
  records_.identify(plan_);
  search_.gather(records_.variant_hashes(), workers_.compilers(), events_);
  records_.open(options_, plan_, workers_.compilers().nvrtc_version());
  summary_.ended = RunEnd::kComplete;
  summary_.fresh = options_.fresh;
  summary_.shard = plan_.shard;
  summary_.goal = plan_.goal;
  progress_.set_total(search_.source().planned());
  notices_.report_large_inputs();
  if (plan_.strict && !options_.fresh) contracts_.recall();
}

void SweepEngine::work_until_done() {
  const InterruptGuard interrupts;
  std::optional<SweepHost::Clock::time_point> give_up;
  search_.announce_time_model();
  bool asks = ask_ahead();
  advance_boards();
  while (asks || !tasks_.empty() || (!stopping_ && search_.source().is_held())) {
    handle_events(asks ? std::chrono::milliseconds(0) : kPollInterval);
    if (InterruptGuard::requested() && !give_up) {
      stop_asking(RunEnd::kInterrupted);
      give_up = host_.now() + kStopPatience;
      progress_.say(
          "stopping: waiting for the trials on the device; press Ctrl-C again to leave them");
    }
    if (error_ && !give_up && stopping_) give_up = host_.now() + kStopPatience;
    if (give_up && host_.now() > *give_up) break;
    asks = ask_ahead();
    advance_boards();
  }
  if (stopping_) return;
  if (search_.source().cut_short()) {
    summary_.ended = RunEnd::kBudget;
  } else if (search_.source().had_enough()) {
    summary_.ended = RunEnd::kEnough;
  }
}

// Asks the groups in turn, because the compilers take jobs in the order of the questions. Returns
// true when there is more to ask right now.
bool SweepEngine::ask_ahead() {
  // Results that arrive meanwhile wait for this loop to end.
  constexpr std::size_t kMaxTogether = 64;
  std::size_t questions = 0;
  for (bool asked = true; asked;) {
    asked = false;
    if (questions >= kMaxTogether) return true;
    for (std::size_t group = 0; group < plan_.groups.size(); ++group) {
      if (stopping_ || open_of(group) >= workers_.demand(group).tasks) continue;
      const std::optional<TrialSource::Question> question = search_.next(group);
      if (!question) continue;
      asked = true;
      ++questions;
      starter_.start(*question);
    }
  }
  return false;
}

// Returns the number of questions and rankings of a group that are in progress.
std::size_t SweepEngine::open_of(std::size_t group) const {
  std::size_t open = 0;
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (plan_.boards[board].group == group) open += tasks_.open(board);
  return open;
}

void SweepEngine::advance_boards() {
  stages_.advance(options_.rank && plan_.goal.by_time() && !stopping_);
}

void SweepEngine::handle_events(std::chrono::milliseconds patience) {
  // Other processes may want to write, too.
  constexpr std::size_t kMaxTogether = 64;
  recorder_.begin();
  events_.handle(host_.before_waiting(patience), [this](SweepEvent event) {
    std::visit([this](auto&& one) { handle(std::move(one)); }, std::move(event));
    if (recorder_.waiting() >= 2 * kMaxTogether) recorder_.commit();
  });
  recorder_.end();
}

void SweepEngine::handle(CompiledEvent event) {
  if (search_.compiled(event)) return;
  const std::optional<TaskId> ready = tasks_.compiled(event.ticket, std::move(event.result));
  if (!ready) return;
  if (tasks_.trial(*ready) != nullptr) return pipeline_.compiled(*ready);
  if (tasks_.ranking(*ready) != nullptr) finals_.compiled(*ready);
}

void SweepEngine::handle(MeasuredEvent event) {
  if (const RankingTask* ranking = tasks_.ranking(event.task)) {
    if (event.error) {
      const std::size_t board = ranking->board;
      tasks_.drop({event.task});
      return fail(board, *event.error);
    }
    recorder_.commit();
    return finals_.ended(event.task, std::move(event.outcome));
  }
  if (tasks_.trial(event.task) == nullptr) return;
  const bool waited_for = costs_a_worker(event);
  if (pipeline_.measured(std::move(event)) && waited_for) recorder_.commit();
}

void SweepEngine::handle(const NodeLostEvent& event) {
  progress_.say(event.line);
  if (!event.last || stopping_) return;
  if (!error_) error_ = environment_error("no machine is left to work on: " + event.line);
  stop_asking(RunEnd::kFailed);
}

void SweepEngine::trial_ended(TaskId id, const TrialTask& task, Outcome outcome) {
  const CompiledTrial& trial = task.trial();
  const std::size_t board = task.question.board;
  possible_.judge(trial.configuration, trial.problem, task.device, outcome);
  summary_.trial_measure_seconds += outcome.measure_seconds;
  measurer_.add_trial(board, outcome.validate_seconds + outcome.measure_seconds);
  summary_.case_seconds += outcome.case_seconds;
  summary_.input_seconds += outcome.input_seconds;
  summary_.validate_seconds +=
      outcome.validate_seconds - outcome.case_seconds - outcome.input_seconds;
  recorder_.store(task, outcome);
  if (outcome.remarks)
    notices_.report_remarks(board, trial.configuration.variant, *outcome.remarks);
  recorder_.then([this, id, task, outcome] {
    results_.ended(task, outcome);
    if (task.repeated) {
      for (const Sharers::Sharer& sharer : pipeline_.measured_again(task, outcome))
        recorder_.store(sharer.task, sharer.outcome);
    }
    pipeline_.release_sharers(id, task, outcome);
  });
}

void SweepEngine::fail(std::size_t board, const Error& error) {
  search_.source().abandon(board);
  if (stages_.fail(board)) {
    const SweepBoard& failed = plan_.boards[board].summary;
    Error located = error;
    located.add_context(fmt::format("for problem {} on {}", failed.problem_text, failed.device.id));
    progress_.say(located.what());
    if (!error_) error_ = std::move(located);
  }
  // The user's contract may fail on one problem only; a fault of the environment would affect every
  // trial.
  if (error.fault() != Fault::kUser && !stopping_) stop_asking(RunEnd::kFailed);
}

void SweepEngine::stop_asking(RunEnd ended) {
  summary_.ended = ended;
  stopping_ = true;
  search_.stop();
  results_.stop();
  // Drops the tasks that are not on a device; those being measured stay until their events arrive.
  tasks_.drop(workers_.cancel_queued());
  tasks_.drop_held();
}

void SweepEngine::summarise() {
  summarise_workers();
  summary_.wall_seconds = std::chrono::duration<double>(host_.now() - start_).count();
  summary_.run = records_.run();
  summary_.kernel = plan_.kernel;
  summary_.version_changes = plan_.version_changes;
  summary_.database = records_.path();
  summary_.skipped = plan_.skipped;
  summary_.rankings = finals_.made();
  summary_.ranking_seconds = finals_.seconds();
  summary_.guests = starter_.guests();
  summary_.repeated = starter_.repeated();
  summary_.shared = pipeline_.shared();
  results_.add_to(summary_);
  search_.add_to(summary_);
}

void SweepEngine::summarise_workers() {
  const CompilePoolStatistics compile = workers_.compilers().statistics();
  summary_.compile_busy_seconds = compile.busy_seconds;
  summary_.compile_workers = workers_.compilers().workers();
  summary_.compiled = compile.compiled;
  summary_.compile_cache_hits = compile.from_cache;
  for (std::size_t number = 0; number < plan_.groups.size(); ++number) {
    const DeviceGroup& group = plan_.groups[number];
    const MeasureService::Statistics measure = workers_.statistics(number);
    summary_.measure_busy_seconds = std::max(summary_.measure_busy_seconds, measure.busy_seconds);
    summary_.measurers_lost += measure.workers_lost;
    summary_.retried += measure.retried;
    const DeviceInfo& lead = plan_.devices[group.lead()];
    if (!lead.has_clock || !group.shares_boards()) continue;
    for (std::size_t i = 0; i < group.devices.size(); ++i) {
      const std::size_t device = group.devices[i];
      GpuShare share{plan_.devices[device], lead, pipeline_.measured_on(device)};
      share.busy_seconds = measure.busy_of_device[i];
      share.difference = results_.comparison().difference(group, device);
      summary_.gpus.push_back(std::move(share));
    }
  }
}

// Adds to an error how much of the sweep is already stored. The same command can resume only if the
// fault is not in its input and it does not begin anew.
Error SweepEngine::with_stored_so_far(Error error) const {
  const std::size_t trials = results_.trials();
  if (trials == 0) return error;
  std::string text =
      fmt::format("{} trial{} of this sweep {} stored in {}", trials, trials == 1 ? "" : "s",
                  trials == 1 ? "is" : "are", records_.path().string());
  if (error.fault() == Fault::kEnvironment) {
    text += options_.fresh ? "; the same command without --fresh goes on from there"
                           : "; the same command goes on from there";
  }
  return std::move(error.add_context(std::move(text)));
}

}  // namespace warpwright
