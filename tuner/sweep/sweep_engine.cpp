#include "sweep/sweep_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sweep/kernel_sources.h"
#include "workers/interrupt.h"
#include "workers/watchdog.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kPollInterval{100};
// How long a stop waits for trials that are on a device.
constexpr std::chrono::seconds kStopPatience{5};
// A model is the first source of beliefs of a board that uses one.
constexpr std::size_t kModelSource = 0;

}  // namespace

SweepEngine::SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan,
                         Database& database, Progress& progress, SweepHost& host)
    : options_(options),
      paths_(paths),
      plan_(std::move(plan)),
      progress_(progress),
      host_(host),
      database_(database),
      records_(database),
      possible_(plan_, database),
      contracts_(plan_, records_),
      start_(host.now()),
      source_(plan_.boards, plan_.goal, plan_.budget, start_, [this] { return host_.now(); }),
      tasks_(plan_.boards.size()),
      turns_(plan_),
      suspects_(plan_.boards.size()),
      anchors_(plan_.boards.size()),
      timed_on_(plan_.devices.size()),
      ranking_(plan_, records_),
      watch_(plan_.kernel, plan_.include_folders) {}

// Closes the queue first, since a measurer may wait for an event to be handled.
SweepEngine::~SweepEngine() {
  if (options_.nodes != nullptr) options_.nodes->on_lost(nullptr);
  events_.close();
}

void SweepEngine::start_pools() {
  const WorkerRecipe recipe(paths_, plan_.devices,
                            {options_.seed, options_.compile_workers, options_.emulator_slots,
                             options_.use_compile_cache, screens(), plan_.hazards, plan_.strict});
  const bool here = options_.nodes == nullptr;
  const std::vector<WorkerNode> nodes = here ? std::vector<WorkerNode>() : options_.nodes->gather();
  const std::vector<std::vector<DeviceInfo>> of_node = plan_.devices_of_nodes(nodes.size());
  compilers_ = host_.start_compilers(here ? recipe.compilers() : recipe.compilers(nodes, of_node),
                                     [this](std::uint64_t ticket, CompileResult result) {
                                       events_.post(CompiledEvent{ticket, std::move(result)});
                                     });
  const auto compilers = static_cast<std::size_t>(compilers_->workers());
  const std::size_t groups = plan_.groups.size();
  for (std::size_t group = 0; group < groups; ++group) {
    const DeviceInfo& device = plan_.devices[plan_.groups[group].lead()];
    MeasurePoolOptions measure = recipe.measurers(plan_.kernel, device);
    for (const std::size_t one : plan_.groups[group].devices)
      measure.devices.push_back(here ? MeasureDevice{plan_.devices[one].id}
                                     : recipe.measurer(nodes[plan_.places[one].node],
                                                       of_node[plan_.places[one].node],
                                                       plan_.places[one].device));
    std::size_t slots = 0;
    for (const MeasureDevice& one : measure.devices)
      slots += static_cast<std::size_t>(one.slots > 0 ? one.slots : measure.slots);
    // Together, all groups keep the compilers busy. In a group of very many GPUs, each GPU keeps to
    // a board of its own if it can, so that fewer GPUs make the inputs of each board.
    const bool spread = plan_.groups[group].devices.size() > kGpusToARanker && device.has_clock;
    ahead_.push_back((3 * compilers + groups - 1) / groups + (spread ? 16 : 2) * slots);
    source_.allow_open(compilers + 2 * slots, group);
    measure.any_order = options_.any_order && device.has_clock;
    references_.emplace_back();
    if (device.has_clock) start_references(group, measure);
    measure.on_waiting = [this](const std::string& line) { events_.post(NoticeEvent{line}); };
    measurers_.push_back(host_.start_measurers(
        std::move(measure), [this, group](std::uint64_t task, MeasureAnswer answer) {
          const bool costly =
              answer.outcome.worker_lost || answer.outcome.status == Status::kTimeout;
          MeasuredEvent event{task, std::move(answer.outcome), std::move(answer.error),
                              plan_.groups[group].counts_as[answer.device], answer.device_lost};
          costly ? events_.post_and_wait(std::move(event)) : events_.post(std::move(event));
        }));
  }
}

// Starts the computation of references on every host that has measurers of the group.
void SweepEngine::start_references(std::size_t group, const MeasurePoolOptions& measure) {
  std::set<std::string> hosts;
  for (std::size_t i = 0; i < measure.devices.size(); ++i) {
    const std::size_t device = plan_.groups[group].devices[i];
    std::string host;
    if (options_.nodes != nullptr) host = options_.nodes->gather()[plan_.places[device].node].host;
    if (!hosts.insert(host).second) continue;
    MeasurePoolOptions there = measure;
    if (const MeasureDevice& one = measure.devices[i]; one.start) {
      there.start = one.start;
      there.limits = one.limits;
    }
    there.setup.device = measure.devices[i].id;
    if (auto ahead = host_.start_references(there, plan_.device_there(device)))
      references_.back().push_back(std::move(ahead));
  }
}

// Adds to an error how much of the sweep is already stored. The same command can resume only if the
// fault is not in its input and it does not begin anew.
Error SweepEngine::with_stored_so_far(Error error) const {
  if (summary_.trials == 0) return error;
  std::string text = fmt::format("{} trial{} of this sweep {} stored in {}", summary_.trials,
                                 summary_.trials == 1 ? "" : "s",
                                 summary_.trials == 1 ? "is" : "are", records_.path().string());
  if (error.fault() == Fault::kEnvironment) {
    text += options_.fresh ? "; the same command without --fresh goes on from there"
                           : "; the same command goes on from there";
  }
  return std::move(error.add_context(std::move(text)));
}

SweepSummary SweepEngine::run() {
  start_pools();
  if (options_.nodes != nullptr) {
    options_.nodes->on_lost([this](const std::string& line, bool last) {
      events_.post(NodeLostEvent{line, last});
    });
    for (const std::string& line : describe_nodes(options_.nodes->gather(), plan_.places))
      progress_.say(line);
  }
  records_.identify(plan_);
  gather_knowledge();
  records_.open(options_, plan_, compilers_->nvrtc_version());
  summary_.ended = "complete";
  summary_.fresh = options_.fresh;
  summary_.shard = plan_.shard;
  summary_.goal = plan_.goal;
  progress_.set_total(source_.planned());
  tell_of_large_inputs();
  if (plan_.strict && !options_.fresh) contracts_.recall();
  try {
    work_until_done();
    tell_of_edits();
    // A ranked configuration has another, final time on the boards that are displayed next.
    if (summary_.rankings > 0) progress_.update(summary_.trials, "");
    progress_.finish();
    summarise();
    for (std::size_t board = 0; board < plan_.boards.size(); ++board)
      if (auto course = source_.course(board)) summary_.searches.push_back(*std::move(course));
    records_.close(error_ ? "failed" : summary_.ended, summary_.searches);
  } catch (Error& error) {
    records_.drop_group();
    progress_.finish();
    throw with_stored_so_far(std::move(error));
  }
  if (error_) throw with_stored_so_far(*std::move(error_));
  return std::move(summary_);
}

void SweepEngine::handle_events(std::chrono::milliseconds patience) {
  // Other processes may want to write, too.
  constexpr std::size_t kMaxTogether = 64;
  grouping_ = true;
  events_.handle(host_.before_waiting(patience), [this](SweepEvent event) {
    std::visit([this](auto&& one) { handle(std::move(one)); }, std::move(event));
    if (uncommitted_.size() >= 2 * kMaxTogether) commit_group();
  });
  commit_group();
  grouping_ = false;
}

void SweepEngine::work_until_done() {
  const InterruptGuard interrupts;
  std::optional<Clock::time_point> give_up;
  tell_of_model();
  bool asks = ask_ahead();
  advance_boards();
  while (asks || !tasks_.empty() || (!stopping_ && source_.is_held())) {
    handle_events(asks ? std::chrono::milliseconds(0) : kPollInterval);
    if (InterruptGuard::requested() && !give_up) {
      stop_asking("interrupted");
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
  if (source_.cut_short()) {
    summary_.ended = "budget";
  } else if (source_.had_enough()) {
    summary_.ended = "enough";
  }
}

// Gathers the beliefs of all boards. The run's row records what was known before any board began.
void SweepEngine::gather_knowledge() {
  warm_start_.emplace(options_, plan_, records_.variant_hashes(), database_);
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    plan_.boards[board].summary.began_with = warm_start_->named(warm_start_->sources(board));
  if (options_.limit_us) source_.know_limits(options_.limit_us);
  source_.on_begin([this](std::size_t board) { begin_board(board); });
  source_.on_return([this](std::size_t board) { compare_boards(board); });
  source_.hold([this](std::size_t board) { return awaits_model(board); });
  if (options_.warm_start == true &&
      std::none_of(plan_.boards.begin(), plan_.boards.end(),
                   [](const PlannedBoard& board) { return board.warm_start; }))
    progress_.say(
        fmt::format("--warm-start: {} asks what it asks, whatever is known", plan_.strategy));
  if (!warm_start_->trouble().empty())
    progress_.say(fmt::format("nothing is known of other boards: {}", warm_start_->trouble()));
  if (std::none_of(plan_.boards.begin(), plan_.boards.end(),
                   [](const PlannedBoard& board) { return board.model_prior; }))
    return;
  prior_ =
      std::make_unique<ModelPrior>(options_, paths_, plan_, *compilers_, events_,
                                   [this](std::size_t board, std::uint64_t index, double us) {
                                     plan_.boards[board].strategy->believe(kModelSource, index, us);
                                   });
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (prior_->tells(board))
      plan_.boards[board].summary.began_with.push_back(prior_->named(board));
}

void SweepEngine::tell_of_model() {
  if (!prior_) return;
  const PriorSummary planned = prior_->summary();
  if (planned.candidates == 0) {
    progress_.say(fmt::format("nothing is modelled: {}", prior_->trouble()));
    return;
  }
  progress_.say(fmt::format("{} models up to {} configuration{} for the search", planned.device,
                            planned.candidates, planned.candidates == 1 ? "" : "s"));
}

// A model that is already available improves the first questions, but they do not wait long for it.
bool SweepEngine::awaits_model(std::size_t board) {
  if (!prior_ || !prior_->tells(board) || prior_->is_known(board) || stopping_) return false;
  const auto [since, fresh] = awaited_since_.try_emplace(board, host_.now());
  return host_.now() - since->second < ModelPrior::patience(plan_.budget, plan_.boards.size());
}

void SweepEngine::begin_board(std::size_t board) {
  PlannedBoard& begun = plan_.boards[board];
  const std::vector<BoardBeliefs> sources = warm_start_->sources(board);
  const bool models = prior_ && prior_->tells(board);
  tell_beliefs(*begun.strategy, sources, models ? kModelSource + 1 : 0);
  begun.summary.began_with = warm_start_->named(sources);
  compare_boards(board);
  const std::string line = warm_start_line(begun.strategy_name, begun.summary.began_with);
  if (line.empty()) return;
  progress_.say(plan_.boards.size() == 1 ? line
                                         : fmt::format("{}: {}", plan_.board_name(board), line));
}

// Passes on the answers of other boards if the visit has questions for them.
void SweepEngine::compare_boards(std::size_t board) {
  const std::size_t questions = source_.across(board);
  if (questions == 0) return;
  const PlannedBoard& planned = plan_.boards[board];
  planned.strategy->compare(planned.summary.problem, warm_start_->answers(board), questions);
}

void SweepEngine::tell_of_edits() {
  for (const std::string& line : watch_.news()) progress_.say(line);
}

void SweepEngine::tell_of_large_inputs() {
  const std::vector<KernelSource> sources =
      kernel_sources(plan_.kernel, plan_.kernel.variants.front(), plan_.include_folders);
  for (const std::string& name : inputs_left_out(sources))
    progress_.say(fmt::format(
        "{} is too large to be stored with the results; `warpwright repro` will need it at its "
        "place",
        name));
}

void SweepEngine::summarise() {
  const CompilePoolStatistics compile = compilers_->statistics();
  summary_.compile_busy_seconds = compile.busy_seconds;
  summary_.compile_workers = compilers_->workers();
  summary_.compiled = compile.compiled;
  summary_.compile_cache_hits = compile.from_cache;
  for (std::size_t group = 0; group < measurers_.size(); ++group) {
    const MeasureService::Statistics measure = measurers_[group]->statistics();
    note_shares(plan_.groups[group], measure);
    summary_.measure_busy_seconds = std::max(summary_.measure_busy_seconds, measure.busy_seconds);
    summary_.measurers_lost += measure.workers_lost;
    summary_.retried += measure.retried;
  }
  summary_.wall_seconds = std::chrono::duration<double>(host_.now() - start_).count();
  summary_.run = records_.run();
  summary_.kernel = plan_.kernel;
  summary_.database = records_.path();
  for (const PlannedBoard& board : plan_.boards) summary_.boards.push_back(board.summary);
  summary_.skipped = plan_.skipped;
  if (!prior_) return;
  summary_.prior = prior_->summary();
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (prior_->tells(board)) summary_.boards[board].began_with.push_back(prior_->named(board));
  if (!prior_->trouble().empty() && summary_.prior.candidates > 0)
    progress_.say(fmt::format("not everything was modelled: {}", prior_->trouble()));
}

void SweepEngine::note_shares(const DeviceGroup& group, const MeasureService::Statistics& measure) {
  const DeviceInfo& lead = plan_.devices[group.lead()];
  if (!lead.has_clock || !group.shares_boards()) return;
  for (std::size_t i = 0; i < group.devices.size(); ++i) {
    const std::size_t device = group.devices[i];
    GpuShare share{plan_.devices[device], lead, timed_on_[device]};
    share.busy_seconds = measure.busy_of_device[i];
    if (device != group.lead()) share.difference = anchors_.difference(device, group.lead());
    summary_.gpus.push_back(std::move(share));
  }
}

void SweepEngine::stop_asking(const std::string& ended) {
  summary_.ended = ended;
  stopping_ = true;
  if (prior_) prior_->stop();
  compilers_->cancel_queued();
  // Drops the tasks that are not on a device; those being measured stay until their events arrive.
  for (const auto& pool : measurers_) tasks_.drop(pool->cancel_queued());
  tasks_.drop_held();
}

std::size_t SweepEngine::open_of(std::size_t group) const {
  std::size_t open = 0;
  for (std::size_t board = 0; board < plan_.boards.size(); ++board)
    if (plan_.boards[board].group == group) open += tasks_.open(board);
  return open;
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
    for (std::size_t group = 0; group < ahead_.size(); ++group) {
      if (stopping_ || open_of(group) >= ahead_[group]) continue;
      const std::optional<TrialSource::Question> question = [&] {
        const WorkSpan span(host_, EngineWork::kStrategy);
        return source_.next(group);
      }();
      if (!question) continue;
      asked = true;
      ++questions;
      start_trial(*question);
    }
  }
  return false;
}

void SweepEngine::handle(ModelledEvent event) {
  if (prior_) prior_->modelled(std::move(event));
}

void SweepEngine::handle(CompiledEvent event) {
  if (prior_ && prior_->compiled(event.ticket, event.result)) return;
  const std::optional<TaskId> ready = tasks_.compiled(event.ticket, std::move(event.result));
  if (!ready) return;
  if (TrialTask* trial = tasks_.trial(*ready)) return trial_compiled(*ready, *trial);
  if (RankingTask* ranking = tasks_.ranking(*ready)) ranking_compiled(*ready, *ranking);
}

void SweepEngine::handle(const NodeLostEvent& event) {
  progress_.say(event.line);
  if (!event.last || stopping_) return;
  if (!error_) error_ = environment_error("no machine is left to work on: " + event.line);
  stop_asking("failed");
}

void SweepEngine::handle(MeasuredEvent event) {
  const bool ranking = tasks_.ranking(event.task) != nullptr;
  if (!ranking && tasks_.trial(event.task) == nullptr) return;
  if (event.device_lost && !ranking) {
    // The trial was only to be timed once more: its result is already known.
    const TrialTask& trial = *tasks_.trial(event.task);
    if (trial.repeated ||
        (trial.guest && trial.device != plan_.boards[trial.question.board].device))
      return drop(event.task);
  }
  if (event.error) return fail(event.task, *event.error);
  if (ranking) return ranking_finished(event.task, std::move(event.outcome));
  TrialTask& trial = *tasks_.trial(event.task);
  trial.device = event.device;
  ++timed_on_[event.device];
  // The measurer's thread, which lost its worker, waits for this decision.
  const bool costly = event.outcome.worker_lost || event.outcome.status == Status::kTimeout;
  finish(event.task, std::move(event.outcome));
  if (costly) commit_group();
}

void SweepEngine::expect_compiled(TaskId id, std::vector<CompileJob> jobs) {
  for (std::size_t position = 0; position < jobs.size(); ++position)
    tasks_.expect(id, compilers_->submit(std::move(jobs[position])), position);
}

void SweepEngine::measure(TaskId id, std::size_t board,
                          const std::shared_ptr<MeasureRequest>& request,
                          std::optional<std::size_t> device) {
  measured_since_.try_emplace(board, host_.now());
  request->launch_time_limit = launch_time_limit(plan_.device_of(board), source_.best_us(board));
  MeasurePlace place;
  const DeviceGroup& group = plan_.group_of(board);
  if (device) place.device = group.position(*device);
  // Emulated devices work on all boards at once.
  if (plan_.device_of(board).has_clock) place.turn = board;
  measurer_of(board).submit(id, request, place);
}

std::optional<std::chrono::milliseconds> SweepEngine::ranking_time(std::size_t board) const {
  // Loading, validating and the headline double this time.
  constexpr int kShare = 20;
  constexpr std::chrono::milliseconds kLeast{150};
  const auto since = measured_since_.find(board);
  const auto before = measured_before_.find(board);
  std::chrono::duration<double> time(0);
  if (since != measured_since_.end()) time += host_.now() - since->second;
  if (before != measured_before_.end()) time += before->second;
  if (since == measured_since_.end() && before == measured_before_.end()) return std::nullopt;
  // If the GPUs of a very large group are spread over the boards, a board takes longer than its own
  // trials.
  const auto trials = measured_s_.find(board);
  if (plan_.group_of(board).distinct.size() > kGpusToARanker && trials != measured_s_.end())
    time = std::min(time, std::chrono::duration<double>(trials->second));
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(time);
  return std::clamp(spent / kShare, kLeast, RaceOptions().time_limit);
}

// Boards whose trials are all finished are ranked, and are then done, and the next board gets its
// turn. A board whose trials were all stored before still waits for its turn. Second turns run in
// reverse order.
void SweepEngine::advance_boards() {
  for (std::size_t board = 0; board < turns_.size(); ++board)
    if (!turns_.paused(board)) advance_board(board);
  for (std::size_t board = turns_.size(); board-- > 0;)
    if (turns_.paused(board)) advance_board(board);
}

void SweepEngine::advance_board(std::size_t board) {
  const bool ranks = options_.rank && plan_.goal.by_time() && !stopping_;
  const bool asked_all = source_.exhausted(board) || turns_.failed(board);
  if (turns_.done(board)) return;
  if (!asked_all) return pause_board(board);
  const bool shared = plan_.group_of(board).shares_boards();
  if (turns_.close(board) && shared) offer_waiting();
  if (!turns_.has_turn(board)) return;
  // Keep the board's device free for the meeting of the best; it goes on with the next board after
  // that.
  const std::size_t ranker = plan_.group_of(board).position(plan_.boards[board].device);
  if (shared) measurer_of(board).reserve(ranker, board);
  if (tasks_.open(board) > 0) return;
  if (ranks && turns_.take_meeting(board) && start_meeting(board)) return;
  if (ranks && turns_.take_ranking(board) && start_ranking(board)) return;
  turns_.finish(board);
  if (shared) measurer_of(board).reserve(ranker, std::nullopt);
  tell_of_edits();
  offer_waiting();
}

// A board that will be visited again yields the device to the next one.
void SweepEngine::pause_board(std::size_t board) {
  if (turns_.paused(board) || !source_.between_visits(board)) return;
  turns_.leave(board);
  if (tasks_.open(board) == 0 && turns_.has_turn(board)) {
    turns_.pause(board);
    const auto since = measured_since_.find(board);
    if (since != measured_since_.end()) {
      measured_before_[board] = host_.now() - since->second;
      measured_since_.erase(since);
    }
  }
  offer_waiting();
}

// Returns false when the board's device has already timed everything that it is to rank.
bool SweepEngine::start_meeting(std::size_t board) {
  const std::vector<std::uint64_t> guests = ranking_.guests(board);
  for (const std::uint64_t index : guests) invite(board, index, plan_.boards[board].device);
  return tasks_.open(board) > 0;
}

// Returns false when there is nothing to rank.
bool SweepEngine::start_ranking(std::size_t board) {
  std::optional<RankingTask> task = ranking_.begin(board);
  if (!task) return false;
  task->asked().time_limit = ranking_time(board);
  progress_.update(summary_.trials, fmt::format("final ranking of {}", task->finalists.size()));
  std::vector<CompileJob> jobs = ranking_.jobs(*task);
  expect_compiled(tasks_.add(std::move(*task)), std::move(jobs));
  return true;
}

void SweepEngine::ranking_compiled(TaskId id, RankingTask& task) {
  for (Finalist& finalist : task.asked().finalists)
    strip_for(plan_.device_of(task.board), finalist.compiled);
  measure(id, task.board, task.request, plan_.boards[task.board].device);
}

void SweepEngine::ranking_finished(TaskId id, Outcome outcome) {
  commit_group();
  const RankingTask task = tasks_.take_ranking(id);
  possible_.judge(task, outcome);
  summary_.ranking_seconds += outcome.measure_seconds;
  const std::string why_not = ranking_.end(task, outcome);
  if (why_not.empty()) {
    ++summary_.rankings;
  } else {
    progress_.say(why_not);
  }
}

void SweepEngine::tell_of_remarks(const TrialTask& task, const Outcome& outcome) {
  if (!outcome.remarks) return;
  const std::size_t board = task.question.board;
  const std::string& problem = plan_.boards[board].summary.problem_text;
  for (const std::string& text :
       describe(contracts_.record(board, task.trial().configuration.variant, *outcome.remarks)))
    progress_.say(fmt::format("warning: {}: {}", problem, text));
}

void SweepEngine::drop(TaskId id) {
  const std::string code = tasks_.trial(id)->code;
  tasks_.drop({id});
  if (!code.empty()) offer_again(shared_.dropped(code, id));
}

void SweepEngine::fail(TaskId id, const Error& error) {
  const TrialTask* trial = tasks_.trial(id);
  const std::size_t board = trial != nullptr ? trial->question.board : tasks_.ranking(id)->board;
  const std::string code = trial != nullptr ? trial->code : "";
  tasks_.drop({id});
  source_.abandon(board);
  if (turns_.fail(board)) {
    const SweepBoard& failed = plan_.boards[board].summary;
    Error located = error;
    located.add_context(fmt::format("for problem {} on {}", failed.problem_text, failed.device.id));
    progress_.say(located.what());
    if (!error_) error_ = std::move(located);
  }
  // The user's contract may fail on one problem only; a fault of the environment would affect every
  // trial.
  if (error.fault() != Fault::kUser && !stopping_) stop_asking("failed");
  if (!code.empty()) offer_again(shared_.dropped(code, id));
}

}  // namespace warpwright
