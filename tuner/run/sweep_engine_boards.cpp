// The part of the engine that deals with whole boards: whose turn it is on a device, what is timed
// again when the anchor has moved, and the final ranking that ends a board.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "run/sweep_engine.h"
#include "run/watchdog.h"
#include "run/worker_setup.h"

namespace warpwright {

// One GPU works on one board at a time: its inputs are made once, and its final ranking comes
// before the next board's trials. Emulated devices have room for several.
bool SweepEngine::has_turn(std::size_t board) const {
  const std::size_t device = plan_.boards[board].device;
  if (!plan_.devices[device].has_clock) return true;
  for (std::size_t earlier = 0; earlier < board; ++earlier) {
    if (plan_.boards[earlier].device == device && !boards_[earlier].done) return false;
  }
  return true;
}

// Those that waited for their board's turn; those that wait for equal code are offered when it
// ends.
void SweepEngine::offer_waiting() {
  std::vector<std::uint64_t> ready;
  for (const auto& [id, task] : tasks_) {
    if (task.waiting && !shared_.waits(task.code, id) && has_turn(task.question.board))
      ready.push_back(id);
  }
  offer_again(ready);
}

// When the anchor has moved, nobody knows since when: what was timed after its last look is timed
// again, once.
void SweepEngine::watch_anchor(const Task& task, const Outcome& outcome) {
  BoardState& board = boards_[task.question.board];
  const bool timed = outcome.status == Status::kOk || outcome.status == Status::kPruned;
  if (timed && outcome.same_as.empty() && !outcome.samples_us.empty())
    board.since_anchor.push_back({task.question, task.code});
  if (std::isnan(outcome.anchor_drift)) return;
  const auto suspects = std::exchange(board.since_anchor, {});
  if (!outcome.anchor_moved || stopping_) return;
  progress_.say(fmt::format("the anchor moved by {:+.1f} %: measuring again what was timed since",
                            100 * outcome.anchor_drift));
  for (const Suspect& suspect : suspects) {
    if (board.repeated.insert(suspect.question.index).second) repeat(suspect);
  }
}

void SweepEngine::repeat(const Suspect& suspect) {
  const TrialSource::Question& question = suspect.question;
  const PlannedBoard& board = plan_.boards[question.board];
  Task task;
  task.question = question;
  task.repeated = true;
  task.code = suspect.code;
  task.request = std::make_shared<MeasureRequest>();
  task.request->configuration = board.space->at(question.index);
  task.request->problem = board.summary.problem;
  CompileJob job;
  task.identity = identify(*task.request, plan_.devices[board.device], job);
  task.identity.started_utc = utc_now();
  ++summary_.repeated;
  compile_task(std::move(task), std::move(job));
}

void SweepEngine::note_sharer(const Task& task) {
  Task sharer = task;
  sharer.repeated = true;
  // Without its code, which nobody needs any more.
  sharer.request = std::make_shared<MeasureRequest>();
  sharer.request->configuration = task.request->configuration;
  sharer.request->compiled.resources = task.request->compiled.resources;
  sharer.request->compiled.seconds = task.request->compiled.seconds;
  sharers_[task.code].push_back(std::move(sharer));
}

// What took the outcome of a trial that was measured again takes the new one as well.
void SweepEngine::share_again(const Task& task, const Outcome& outcome) {
  if (!shared_.measured_again(task.code, task.request->configuration.to_string(), outcome)) return;
  for (const Task& sharer : sharers_[task.code]) {
    Outcome same = shared_.known(task.code);
    same.resources = sharer.request->compiled.resources;
    same.compile_seconds = sharer.request->compiled.seconds;
    store(sharer, same);
  }
}

// Boards whose trials are all in are ranked, then done; the next one gets its turn.
void SweepEngine::advance_boards() {
  for (std::size_t board = 0; board < boards_.size(); ++board) {
    BoardState& state = boards_[board];
    if (state.done || state.open > 0 || !(source_.exhausted(board) || state.failed)) continue;
    // One whose trials were all stored before still waits for its turn.
    if (!has_turn(board)) continue;
    const bool due = options_.rank && !stopping_ && !state.ranking && !state.failed &&
                     plan_.boards[board].summary.device.has_clock;
    if (due) {
      state.ranking = true;
      if (std::vector<RankingCandidate> finalists = ranking_.finalists(board); !finalists.empty()) {
        start_ranking(board, std::move(finalists));
        continue;
      }
    }
    state.done = true;
    offer_waiting();
  }
}

void SweepEngine::start_ranking(std::size_t board, std::vector<RankingCandidate> finalists) {
  const PlannedBoard& planned = plan_.boards[board];
  const DeviceInfo& device = plan_.devices[planned.device];
  const std::optional<std::uint64_t> incumbent = ranking_.incumbent(board);
  Task task;
  task.question.board = board;
  task.identity.started_utc = utc_now();
  task.request = std::make_shared<MeasureRequest>();
  task.request->problem = planned.summary.problem;
  std::vector<CompileJob> jobs;
  for (const RankingCandidate& candidate : finalists) {
    Finalist finalist;
    finalist.configuration = planned.space->at(candidate.index);
    finalist.about_us = candidate.median_us;
    finalist.incumbent = incumbent == candidate.index;
    jobs.push_back(make_compile_job(plan_.kernel, finalist.configuration, task.request->problem,
                                    device, plan_.include_folders));
    task.request->finalists.push_back(std::move(finalist));
  }
  progress_.update(summary_.trials, fmt::format("final ranking of {}", finalists.size()));
  task.finalists = std::move(finalists);
  task.compiling = jobs.size();
  const std::uint64_t id = add_task(std::move(task));
  for (std::size_t position = 0; position < jobs.size(); ++position)
    tickets_[compilers_->submit(std::move(jobs[position]))] = {id, position};
}

void SweepEngine::ranking_compiled(std::uint64_t task_id) {
  Task& task = tasks_.at(task_id);
  const DeviceInfo& device = plan_.devices[plan_.boards[task.question.board].device];
  for (Finalist& finalist : task.request->finalists) strip_for(device, finalist.compiled);
  task.request->launch_time_limit = launch_time_limit(device, source_.best_us(task.question.board));
  measurer_of(task).submit(task_id, task.request);
}

void SweepEngine::ranking_finished(std::uint64_t task_id, const Outcome& outcome) {
  const Task task = std::move(tasks_.at(task_id));
  forget_task(task_id);
  summary_.ranking_seconds += outcome.measure_seconds;
  if (outcome.status == Status::kOk && outcome.finals) {
    ranking_.store(task.question.board, task.finalists, *outcome.finals, task.identity.started_utc);
    ++summary_.rankings;
    return;
  }
  // The trials stand as they are; only their order is known less well.
  std::string who;
  if (outcome.finals && outcome.finals->failed) {
    const Finalist& failed = task.request->finalists[*outcome.finals->failed];
    who = fmt::format(" ({})", failed.configuration.to_string());
  }
  progress_.say(fmt::format("no final ranking for {}: {}{}: {}", board_name(task.question.board),
                            status_name(outcome.status), who, outcome.reason));
}

}  // namespace warpwright
