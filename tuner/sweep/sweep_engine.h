// The event loop of a sweep. One thread owns all state; compile and measure pools only post events
// to it, and it never waits for a worker. What is under way stands in the task table, whose turn it
// is in the board turns; a final ranking is a task like a trial. Devices of one kind are a group:
// one pool of measurers, of which whichever is free takes the next trial of a board that they
// share.
//
// Life of a trial: asked -> (already stored: told and done) -> compiling -> measuring -> stored and
// told. One whose configuration is in quarantine is stored as such from wherever it waits.
// Invariant: a strategy hears of a trial only after the database has committed it, and of several
// that came together, which are one transaction, in the order in which they came.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "sweep/anchor_suspects.h"
#include "sweep/board_turns.h"
#include "sweep/contract_watch.h"
#include "sweep/event_queue.h"
#include "sweep/kind_anchors.h"
#include "sweep/model_prior.h"
#include "sweep/possible_times.h"
#include "sweep/ranking_stage.h"
#include "sweep/run_book.h"
#include "sweep/shared_code.h"
#include "sweep/source_watch.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/task_table.h"
#include "sweep/trial_record.h"
#include "sweep/trial_source.h"
#include "sweep/warm_start.h"
#include "workers/quarantine.h"

namespace warpwright {

class SweepEngine {
 public:
  SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan, Database& database,
              Progress& progress, SweepHost& host);
  ~SweepEngine();

  // Runs to the end and fills the summary. Throws the first Error that ended the sweep or a part of
  // it, after everything that strategies were told of has been stored.
  [[nodiscard]] SweepSummary run();

 private:
  using Clock = SweepHost::Clock;
  using TaskId = TaskTable::Id;

  // The loop, in sweep_engine.cpp.
  void start_pools();
  void start_references(std::size_t group, const MeasurePoolOptions& measure);
  void work_until_done();
  [[nodiscard]] bool ask_ahead();
  void handle(CompiledEvent event);
  void handle(MeasuredEvent event);
  void handle(ModelledEvent event);
  void handle(const NoticeEvent& event) { progress_.say(event.line); }
  void handle(const NodeLostEvent& event);
  void advance_boards();
  void advance_board(std::size_t board);
  void pause_board(std::size_t board);
  [[nodiscard]] bool start_meeting(std::size_t board);
  [[nodiscard]] bool start_ranking(std::size_t board);
  void ranking_compiled(TaskId id, RankingTask& task);
  void ranking_finished(TaskId id, Outcome outcome);
  void drop(TaskId id);
  void fail(TaskId id, const Error& error);
  void tell_of_remarks(const TrialTask& task, const Outcome& outcome);
  void stop_asking(const std::string& ended);
  [[nodiscard]] Error with_stored_so_far(Error error) const;
  void summarise();
  void note_shares(const DeviceGroup& group, const MeasureService::Statistics& measure);
  void handle_events(std::chrono::milliseconds patience);
  void gather_knowledge();
  void tell_of_model();
  [[nodiscard]] bool awaits_model(std::size_t board);
  void begin_board(std::size_t board);
  void compare_boards(std::size_t board);
  void tell_of_edits();
  void tell_of_large_inputs();

  // Whether trials may be ended early: nothing that is pruned could win.
  [[nodiscard]] bool screens() const { return options_.screening && plan_.goal.may_prune(); }

  // The life of a trial, in sweep_trials.cpp.
  void start_trial(const TrialSource::Question& question);
  [[nodiscard]] TrialTask new_trial(const TrialSource::Question& question, CompileJob& job);
  [[nodiscard]] const std::vector<SourceFile>& sources_of(const CompileJob& job);
  [[nodiscard]] std::string key_on(const TrialTask& task, std::size_t device) const;
  // What the database holds of the trial, from an earlier sweep or from one that runs now, when
  // nothing is to be gained by measuring it again: of any device that it might run on.
  struct Settled {
    TrialRecord trial;
    std::size_t device = 0;  // of the plan
  };
  [[nodiscard]] std::optional<Settled> settled_trial(const TrialTask& task) const;
  // The same, though the sweep is to try everything anew.
  [[nodiscard]] std::optional<Settled> stored_trial(const TrialTask& task) const;
  // Several GPUs time its trials.
  [[nodiscard]] bool shares_times(std::size_t board) const;
  [[nodiscard]] bool is_settled(std::size_t board, const Settled& known) const;
  [[nodiscard]] bool counts_energy(std::size_t board) const;
  [[nodiscard]] bool take_settled(TaskId id);
  // Of what is known once the trial is compiled.
  [[nodiscard]] std::optional<Outcome> refused_by_goal(const TrialTask& task) const;
  // May win, by the goal's requirements.
  [[nodiscard]] bool allowed(std::size_t board, const TrialRecord& trial) const;
  void compile_trial(TrialTask task, CompileJob job);
  void trial_compiled(TaskId id, TrialTask& task);
  void offer(TaskId id);
  void offer_again(const std::vector<TaskId>& tasks);
  void offer_waiting();
  [[nodiscard]] bool settle_code(TaskId id, TrialTask& task);
  void finish(TaskId id, Outcome outcome);
  void store(const TrialTask& task, const Outcome& outcome);
  void take(const TrialSource::Question& question, bool guest, const Settled& stored);
  // Now, or when what has been stored is.
  void when_committed(std::function<void()> consequence);
  void commit_group();
  void heed(const TrialSource::Question& question, const TrialRecord& trial, std::size_t device);
  // It is known of this device, and answers no question.
  void note_time(const TrialSource::Question& question, const TrialRecord& trial,
                 std::size_t device);
  // The same on another device of the group; a configuration that was asked about before.
  void invite(std::size_t board, std::uint64_t index, std::size_t device);
  [[nodiscard]] std::vector<std::size_t> anchor_guests(std::size_t board) const;
  void heed_anchor(const TrialTask& task, const Outcome& outcome);
  void repeat(const AnchorSuspects::Suspect& suspect);
  void note_sharer(const TrialTask& task);
  void share_again(const TrialTask& task, const Outcome& outcome);
  void drop_quarantined(const std::string& configuration);

  // How long the rounds of the board's final ranking may last; nullopt where nothing was measured.
  [[nodiscard]] std::optional<std::chrono::milliseconds> ranking_time(std::size_t board) const;

  // Whatever is asked about a board, of its device's workers.
  void expect_compiled(TaskId id, std::vector<CompileJob> jobs);
  void measure(TaskId id, std::size_t board, const std::shared_ptr<MeasureRequest>& request,
               std::optional<std::size_t> device);  // of the plan; nullopt: any of the group
  [[nodiscard]] MeasureService& measurer_of(std::size_t board) {
    return *measurers_[plan_.boards[board].group];
  }
  // Questions and rankings of a group that are under way.
  [[nodiscard]] std::size_t open_of(std::size_t group) const;

  const SweepOptions& options_;
  const Paths& paths_;
  SweepPlan plan_;
  Progress& progress_;
  SweepHost& host_;
  const Database& database_;
  RunBook book_;
  PossibleTimes possible_;
  ContractWatch contracts_;
  std::optional<WarmStart> warm_start_;
  SweepSummary summary_;
  Clock::time_point start_;
  TrialSource source_;
  Quarantine quarantine_;
  EventQueue events_;
  TaskTable tasks_;
  BoardTurns turns_;
  AnchorSuspects suspects_;
  // By case key; what the checkers object to in them.
  std::map<std::string, std::vector<TrialHazard>> cases_passed_;
  KindAnchors anchors_;
  std::vector<std::size_t> timed_on_;  // by device of the plan: trials measured in this run
  SharedCode shared_;
  // By code; trials that took its outcome. Their requests hold configuration and compiler's
  // figures.
  std::map<std::string, std::vector<TrialTask>> sharers_;
  RankingStage ranking_;
  SourceWatch watch_;
  std::map<std::string, std::vector<SourceFile>> sources_;   // of jobs; by source and options
  std::map<std::size_t, Clock::time_point> measured_since_;  // by board
  std::map<std::size_t, Clock::duration> measured_before_;   // the same, of a visit that is over
  std::map<std::size_t, double> measured_s_;                 // by board: of its trials, of all GPUs
  std::map<std::size_t, Clock::time_point> awaited_since_;   // the model; by board
  std::vector<std::size_t> ahead_;                           // by group: questions under way
  bool stopping_ = false;
  bool grouping_ = false;  // while events are handled: what is stored is committed after them
  std::vector<std::function<void()>> uncommitted_;  // what follows from that
  std::optional<Error> error_;

  // Declared last: their threads post into the members above and must end first.
  std::unique_ptr<CompileService> compilers_;
  std::unique_ptr<ModelPrior> prior_;                       // null without one; uses the compilers
  std::vector<std::unique_ptr<MeasureService>> measurers_;  // one per group
  // By group: one on each host, none of emulated devices.
  std::vector<std::vector<std::unique_ptr<ReferenceAhead>>> references_;
};

}  // namespace warpwright
