// The event loop of a sweep. One thread owns all state; compile and measure pools only post events
// to it.
//
// Life of a task: asked -> (already stored: told and done) -> compiling -> measuring -> stored and
// told. Invariant: a strategy hears of a trial only after the database has committed it.
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
#include "run/sweep_plan.h"
#include "store/database.h"

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
    std::size_t board = 0;
    std::uint64_t index = 0;
    std::string key;
    std::string variant;               // variant_hash
    std::vector<std::string> options;  // of the compile job, stored with the trial
    std::string case_key;              // of device and configuration: cases are run once for each
    std::shared_ptr<MeasureRequest> request;
    std::size_t compiling = 0;      // jobs not yet back
    std::optional<Outcome> failed;  // decided before the device was touched
    std::string started_utc;
  };
  struct BoardState {
    std::uint64_t asked = 0;
    bool exhausted = false;
    bool failed = false;  // an Error of the user's contract on this problem
    std::optional<double> best_us;
    std::string best;
    std::optional<Clock::time_point> deadline;
  };

  void post(Event event);
  void ask_ahead();
  bool ask_one(std::size_t board);
  void start_task(std::size_t board, std::uint64_t index);
  void handle(Event event);
  void on_compiled(std::uint64_t ticket, CompileResult result);
  void compile_finished(std::uint64_t task_id);
  void finish(std::uint64_t task_id, Outcome outcome);
  void fail(std::uint64_t task_id, const Error& error);
  void resumed(std::size_t board, std::uint64_t index, const TrialRecord& trial);
  void count(std::size_t board, const std::string& configuration, Status status,
             std::optional<double> median_us);
  void stop_asking(const std::string& ended);
  [[nodiscard]] std::uint64_t planned_trials() const;
  [[nodiscard]] TrialRecord record(const Task& task, const Outcome& outcome) const;
  void start_pools();

  const SweepOptions& options_;
  const Paths& paths_;
  SweepPlan plan_;
  Database& database_;
  Progress& progress_;
  SweepSummary summary_;

  RowId run_ = 0;
  std::vector<RowId> device_rows_;
  std::map<std::string, RowId> kernel_rows_;           // by variant_hash
  std::map<std::string, std::string> variant_hashes_;  // by variant name

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Event> events_;

  std::map<std::uint64_t, Task> tasks_;
  std::uint64_t next_task_ = 1;
  // Compile tickets to (task, position): 0 is the problem's own job, i > 0 is case i - 1.
  std::map<std::uint64_t, std::pair<std::uint64_t, std::size_t>> tickets_;
  std::set<std::string> cases_passed_;  // case keys
  std::vector<BoardState> boards_;
  std::size_t current_board_ = 0;
  std::size_t ahead_ = 0;
  bool stopping_ = false;
  std::optional<Error> error_;
  Clock::time_point start_;

  // Declared last: their threads post into the members above and must end first.
  std::unique_ptr<CompilePool> compilers_;
  std::vector<std::unique_ptr<MeasurePool>> measurers_;  // one per device
};

// "2026-03-01T12:00:00Z"
[[nodiscard]] std::string utc_now();

}  // namespace warpwright
