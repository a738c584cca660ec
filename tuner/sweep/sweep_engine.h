// The event loop of a sweep. One thread owns all state; compile and measure pools only post events
// to it, and it never waits for a worker. The engine joins the parts of a sweep, asks the searches
// for questions as long as workers have too little to do, passes each event to the part that it
// concerns, and decides when the sweep ends.
//
// Life of a trial: asked -> (already stored: reported and done) -> compiling -> measuring -> stored
// and reported. A trial whose configuration is quarantined is stored as such wherever it waits.
// Invariant: a strategy receives a trial only after the database has committed it. Trials that
// arrive together are one transaction, and are reported in the order of their arrival.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "provenance/source_watch.h"
#include "sweep/board_measurer.h"
#include "sweep/board_stages.h"
#include "sweep/contract_watch.h"
#include "sweep/event_queue.h"
#include "sweep/final_rankings.h"
#include "sweep/possible_times.h"
#include "sweep/run_records.h"
#include "sweep/stored_trials.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_notices.h"
#include "sweep/sweep_plan.h"
#include "sweep/sweep_search.h"
#include "sweep/sweep_workers.h"
#include "sweep/task_table.h"
#include "sweep/trial_pipeline.h"
#include "sweep/trial_recorder.h"
#include "sweep/trial_results.h"
#include "sweep/trial_starter.h"
#include "terminal/progress.h"

namespace warpwright {

class SweepEngine {
 public:
  // Starts the workers.
  SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan, Database& database,
              Progress& progress, SweepHost& host);

  // Runs to the end and returns the summary. Throws the first Error that ended the sweep or a part
  // of it, after everything that was reported to strategies has been stored.
  [[nodiscard]] SweepSummary run();

 private:
  using TaskId = TaskTable::Id;

  void begin();
  void work_until_done();
  [[nodiscard]] bool ask_ahead();
  [[nodiscard]] std::size_t open_of(std::size_t group) const;
  void advance_boards();
  void handle_events(std::chrono::milliseconds patience);
  void handle(CompiledEvent event);
  void handle(MeasuredEvent event);
  void handle(ModelledEvent event) { search_.modelled(std::move(event)); }
  void handle(const NoticeEvent& event) { progress_.say(event.line); }
  void handle(const NodeLostEvent& event);
  void trial_ended(TaskId id, const TrialTask& task, Outcome outcome);
  void fail(std::size_t board, const Error& error);
  void stop_asking(RunEnd ended);
  void summarise();
  void summarise_workers();
  [[nodiscard]] Error with_stored_so_far(Error error) const;

  const SweepOptions& options_;
  SweepPlan plan_;
  Progress& progress_;
  SweepHost& host_;
  RunRecords records_;
  PossibleTimes possible_;
  ContractWatch contracts_;
  SweepNotices notices_;
  EventQueue events_;
  TaskTable tasks_;
  const SweepHost::Clock::time_point start_;
  SweepSearch search_;
  SweepWorkers workers_;  // its threads post into the queue above and must end first
  BoardMeasurer measurer_;
  FinalRankings finals_;
  BoardStages stages_;
  StoredTrials stored_;
  TrialResults results_;
  TrialRecorder recorder_;
  TrialPipeline pipeline_;
  TrialStarter starter_;
  SweepSummary summary_;
  bool stopping_ = false;
  std::optional<Error> error_;
};

}  // namespace warpwright
