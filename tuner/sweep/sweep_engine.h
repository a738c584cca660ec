// The event loop of a sweep. One thread owns all state; compile and measure pools only post events
// to it, and it never waits for a worker. The task table holds everything in progress, and the
// board turns decide which board may use a device; a final ranking is a task like a trial. Devices
// of one kind form a group: they have one pool of measurers, and any free device takes the next
// trial of a board that they share.
//
// Life of a trial: asked -> (already stored: reported and done) -> compiling -> measuring -> stored
// and reported. A trial whose configuration is quarantined is stored as such wherever it waits.
// Invariant: a strategy receives a trial only after the database has committed it. Trials that
// arrive together are one transaction, and are reported in the order of their arrival.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "sweep/anchors.h"
#include "sweep/board_turns.h"
#include "sweep/contract_watch.h"
#include "sweep/event_queue.h"
#include "sweep/kernel_sources.h"
#include "sweep/model_prior.h"
#include "sweep/possible_times.h"
#include "sweep/ranking_stage.h"
#include "sweep/run_records.h"
#include "sweep/shared_code.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "sweep/task_table.h"
#include "sweep/trial_record.h"
#include "sweep/trial_source.h"
#include "sweep/warm_start.h"
#include "workers/watchdog.h"

namespace warpwright {

class SweepEngine {
 public:
  SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan, Database& database,
              Progress& progress, SweepHost& host);
  ~SweepEngine();

  // Runs to the end and returns the summary. Throws the first Error that ended the sweep or a part
  // of it, after everything that was reported to strategies has been stored.
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
  // Returns the trial as the database holds it, from an earlier or a concurrent sweep and of any
  // device that it might run on, if nothing is gained by measuring it again.
  struct Settled {
    TrialRecord trial;
    std::size_t device = 0;  // of the plan
  };
  [[nodiscard]] std::optional<Settled> settled_trial(const TrialTask& task) const;
  // The same, even if the sweep is to measure everything anew.
  [[nodiscard]] std::optional<Settled> stored_trial(const TrialTask& task) const;
  // Returns whether several GPUs time the board's trials.
  [[nodiscard]] bool shares_times(std::size_t board) const;
  [[nodiscard]] bool is_settled(std::size_t board, const Settled& known) const;
  [[nodiscard]] bool counts_energy(std::size_t board) const;
  [[nodiscard]] bool take_settled(TaskId id);
  // Returns the refusal by the goal's requirements on metrics that are known once the trial is
  // compiled.
  [[nodiscard]] std::optional<Outcome> refused_by_goal(const TrialTask& task) const;
  // Returns whether the trial may win, by the goal's requirements.
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
  // Runs the consequence now, or once the trials stored in the open transaction are committed.
  void when_committed(std::function<void()> consequence);
  void commit_group();
  void heed(const TrialSource::Question& question, const TrialRecord& trial, std::size_t device);
  // Records a time on this device that answers no question.
  void note_time(const TrialSource::Question& question, const TrialRecord& trial,
                 std::size_t device);
  // Times a configuration that was already asked about on another device of the group.
  void invite(std::size_t board, std::uint64_t index, std::size_t device);
  [[nodiscard]] std::vector<std::size_t> anchor_guests(std::size_t board) const;
  void heed_anchor(const TrialTask& task, const Outcome& outcome);
  void repeat(const AnchorSuspects::Suspect& suspect);
  void note_sharer(const TrialTask& task);
  void share_again(const TrialTask& task, const Outcome& outcome);
  void drop_quarantined(const std::string& configuration);

  // Returns how long the rounds of the board's final ranking may last; nullopt if nothing was
  // measured.
  [[nodiscard]] std::optional<std::chrono::milliseconds> ranking_time(std::size_t board) const;

  // Requests to the workers of a board's device, of any kind.
  void expect_compiled(TaskId id, std::vector<CompileJob> jobs);
  void measure(TaskId id, std::size_t board, const std::shared_ptr<MeasureRequest>& request,
               std::optional<std::size_t> device);  // of the plan; nullopt: any of the group
  [[nodiscard]] MeasureService& measurer_of(std::size_t board) {
    return *measurers_[plan_.boards[board].group];
  }
  // Returns the number of questions and rankings of a group that are in progress.
  [[nodiscard]] std::size_t open_of(std::size_t group) const;

  const SweepOptions& options_;
  const Paths& paths_;
  SweepPlan plan_;
  Progress& progress_;
  SweepHost& host_;
  const Database& database_;
  RunRecords records_;
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
  // By case key; the findings of the checkers in those cases.
  std::map<std::string, std::vector<TrialFinding>> cases_passed_;
  KindAnchors anchors_;
  std::vector<std::size_t> timed_on_;  // by device of the plan: trials measured in this run
  SharedCode shared_;
  // By code; the trials that took its outcome. Their requests keep only the configuration and the
  // compiler's figures.
  std::map<std::string, std::vector<TrialTask>> sharers_;
  RankingStage ranking_;
  SourceWatch watch_;
  std::map<std::string, std::vector<SourceFile>> sources_;   // of jobs; by source and options
  std::map<std::size_t, Clock::time_point> measured_since_;  // by board
  std::map<std::size_t, Clock::duration> measured_before_;   // the same, of past visits
  std::map<std::size_t, double> measured_s_;                 // by board: its trials on all GPUs
  std::map<std::size_t, Clock::time_point> awaited_since_;   // by board: waiting for the model
  std::vector<std::size_t> ahead_;                           // by group: most open tasks
  bool stopping_ = false;
  bool grouping_ = false;  // while handling events: stored trials are committed afterwards
  std::vector<std::function<void()>> uncommitted_;  // run after the commit
  std::optional<Error> error_;

  // Declared last: their threads post into the members above and must end first.
  std::unique_ptr<CompileService> compilers_;
  std::unique_ptr<ModelPrior> prior_;                       // null without one; uses the compilers
  std::vector<std::unique_ptr<MeasureService>> measurers_;  // one per group
  // By group: one on each host; none for emulated devices.
  std::vector<std::vector<std::unique_ptr<ReferenceAhead>>> references_;
};

}  // namespace warpwright
