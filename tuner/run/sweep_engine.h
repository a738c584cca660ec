// The event loop of a sweep. One thread owns all state; compile and measure pools only post events
// to it, and it never waits for a worker.
//
// Life of a task: asked -> (already stored: told and done) -> compiling -> measuring -> stored and
// told. A task whose configuration is in quarantine is stored as such from wherever it waits.
// Invariant: a strategy hears of a trial only after the database has committed it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compile/compile_pool.h"
#include "core/progress.h"
#include "run/measure_pool.h"
#include "run/quarantine.h"
#include "run/ranking_stage.h"
#include "run/run_book.h"
#include "run/shared_code.h"
#include "run/sweep_plan.h"
#include "run/trial_record.h"
#include "run/trial_source.h"

namespace warpwright {

class SweepEngine {
 public:
  SweepEngine(const SweepOptions& options, const Paths& paths, SweepPlan plan, Database& database,
              Progress& progress);
  ~SweepEngine();

  // Runs to the end and fills the summary. Throws the first Error that ended the sweep or a part of
  // it, after everything that was finished has been stored.
  [[nodiscard]] SweepSummary run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Event {
    enum class Kind { kCompiled, kMeasured } kind;
    std::uint64_t ticket;
    CompileResult compiled;
    Outcome outcome;
    std::optional<Error> error;
  };
  struct Task {
    TrialSource::Question question;
    TrialIdentity identity;
    std::string case_key;  // of device and configuration: cases are run once for each
    std::shared_ptr<MeasureRequest> request;
    std::size_t compiling = 0;  // jobs not yet back
    bool repeated = false;      // measured before, under an anchor that has moved since
    std::string code;           // code_identity(), once it is its board's turn
    bool waiting = false;       // compiled; for its board's turn, or for equal code that runs
    // Of a final ranking, which is a task of its board too; its requests are its finalists.
    std::vector<RankingCandidate> finalists;
  };
  struct Suspect {
    TrialSource::Question question;
    std::string code;
  };
  struct BoardState {
    bool failed = false;
    bool done = false;     // all trials in, and ranked where that is due
    bool ranking = false;  // its final ranking is under way
    std::size_t open = 0;  // tasks
    // Trials since the anchor was last seen where it was; the second time they stand as they are.
    std::vector<Suspect> since_anchor;
    std::set<std::uint64_t> repeated;
  };

  void start_pools();
  void post(Event event);
  // As post(), but returns when the event has been handled: what it decides may concern the very
  // next trial of the calling thread.
  void post_and_wait(Event event);
  void work_until_done();
  void ask_ahead();
  void start_task(const TrialSource::Question& question);
  void compile_task(Task task, CompileJob job);
  void handle(Event event);
  void on_compiled(std::uint64_t ticket, CompileResult result);
  void compile_finished(std::uint64_t task_id);
  void finish(std::uint64_t task_id, Outcome outcome);
  void store(const Task& task, const Outcome& outcome);
  void heed(const TrialSource::Question& question, const TrialRecord& trial);
  void offer(std::uint64_t task_id);
  [[nodiscard]] bool settle_code(std::uint64_t task_id);
  void offer_waiting();
  void offer_again(const std::vector<std::uint64_t>& tasks);
  void watch_anchor(const Task& task, const Outcome& outcome);
  void repeat(const Suspect& suspect);
  void note_sharer(const Task& task);
  void share_again(const Task& task, const Outcome& outcome);
  [[nodiscard]] TrialIdentity identify(const MeasureRequest& request, const DeviceInfo& device,
                                       CompileJob& job) const;
  [[nodiscard]] std::uint64_t add_task(Task task);
  [[nodiscard]] bool has_turn(std::size_t board) const;
  void advance_boards();
  void start_ranking(std::size_t board, std::vector<RankingCandidate> finalists);
  void ranking_compiled(std::uint64_t task_id);
  void ranking_finished(std::uint64_t task_id, const Outcome& outcome);
  void drop_quarantined(const std::string& configuration);
  void fail(std::uint64_t task_id, const Error& error);
  void forget_task(std::uint64_t task_id);
  void stop_asking(const std::string& ended);
  void summarise();
  [[nodiscard]] std::string board_name(std::size_t board) const;
  [[nodiscard]] MeasurePool& measurer_of(const Task& task) {
    return *measurers_[plan_.boards[task.question.board].device];
  }

  const SweepOptions& options_;
  const Paths& paths_;
  SweepPlan plan_;
  Progress& progress_;
  RunBook book_;
  SweepSummary summary_;
  Clock::time_point start_;
  TrialSource source_;
  Quarantine quarantine_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable handled_some_;
  std::deque<Event> events_;
  std::uint64_t posted_ = 0;
  std::uint64_t handled_ = 0;  // events are handled in the order posted
  bool listening_ = true;      // false once nobody will handle them any more

  std::map<std::uint64_t, Task> tasks_;
  std::uint64_t next_task_ = 1;
  // Compile tickets to (task, position): 0 is the problem's own job, i > 0 is case i - 1.
  std::map<std::uint64_t, std::pair<std::uint64_t, std::size_t>> tickets_;
  std::set<std::string> cases_passed_;  // case keys
  std::vector<BoardState> boards_;
  SharedCode shared_;
  std::map<std::string, std::vector<Task>> sharers_;  // by code; those that took its outcome
  RankingStage ranking_;
  std::size_t ahead_ = 0;
  bool stopping_ = false;
  std::optional<Error> error_;

  // Declared last: their threads post into the members above and must end first.
  std::unique_ptr<CompilePool> compilers_;
  std::vector<std::unique_ptr<MeasurePool>> measurers_;  // one per device
};

}  // namespace warpwright
