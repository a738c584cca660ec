// The tasks of a sweep that are in progress: trials and final rankings, each from its submission to
// the compilers until it is removed to be stored. Does the book-keeping; makes no decisions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sweep/ranking_stage.h"
#include "sweep/trial_record.h"
#include "sweep/trial_source.h"
#include "workers/measure_request.h"

namespace warpwright {

struct TrialTask {
  TrialSource::Question question;
  TrialIdentity identity;
  std::string case_key;  // of device and configuration; cases run once for each
  // Holds a TrialToTime. Shared with the measurers once it is given to them.
  std::shared_ptr<MeasureRequest> request = std::make_shared<MeasureRequest>();
  // The part of the key that does not depend on the device: portable_key() and NVRTC's version.
  std::string compile_key;
  // Index into the plan's devices: where a repeated or guest trial is to run; for others, where the
  // trial has run, once it has.
  std::size_t device = 0;
  bool repeated = false;  // measured before, under an anchor that has moved since
  // Measured before on another GPU of the kind, as an anchor or as one of that GPU's best. Answers
  // no question.
  bool guest = false;
  std::string code;      // code_identity(), once it is its board's turn
  bool waiting = false;  // compiled; waits for its board's turn or for equal code

  // Runs only on `device`, even if another device has run equal code.
  [[nodiscard]] bool pinned() const { return repeated || guest; }
  [[nodiscard]] TrialToTime& asked() const { return std::get<TrialToTime>(request->what); }
  [[nodiscard]] CompiledTrial& trial() const { return asked().trial; }
};

// Returns the outcome of a trial that ends before a device runs it.
[[nodiscard]] Outcome outcome_without_run(Status status, std::string reason);

using SweepTask = std::variant<TrialTask, RankingTask>;

class TaskTable {
 public:
  using Id = std::uint64_t;

  explicit TaskTable(std::size_t boards) : open_(boards, 0) {}

  Id add(SweepTask task);
  // Records a compile job of the task. Its result belongs at `position`: for a trial, 0 is the
  // problem's own job and i > 0 is case i - 1; for a ranking, the finalists in their order.
  void expect(Id task, std::uint64_t ticket, std::size_t position);
  // Stores the result in its task. Returns the task when it waits for no further result; a ticket
  // whose task is gone is ignored.
  std::optional<Id> compiled(std::uint64_t ticket, CompileResult result);

  // Null when there is no such task, or when it is of the other kind.
  [[nodiscard]] TrialTask* trial(Id task);
  [[nodiscard]] RankingTask* ranking(Id task);

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::size_t open(std::size_t board) const { return open_[board]; }  // tasks

  // Returns the trials that are compiled and wait, in the order they were added.
  [[nodiscard]] std::vector<Id> waiting() const;
  // Returns the trials of the configuration, and whether a compiler or a wait still holds them.
  struct Held {
    Id task;
    bool held;
  };
  [[nodiscard]] std::vector<Held> of_configuration(const std::string& text) const;

  // Removes a task, which must be there; later results of its compile jobs are ignored.
  TrialTask take_trial(Id task);
  RankingTask take_ranking(Id task);
  // Drops the tasks that have not reached a device: those still compiling or waiting.
  void drop_held();
  void drop(const std::vector<Id>& tasks);

 private:
  struct Entry {
    SweepTask task;
    std::size_t compiling = 0;           // results not yet back
    std::vector<std::uint64_t> tickets;  // of those and of some that are back
    [[nodiscard]] std::size_t board() const;
    [[nodiscard]] bool held() const;
  };
  void erase(Id task);

  std::map<Id, Entry> tasks_;
  Id next_ = 1;
  std::map<std::uint64_t, std::pair<Id, std::size_t>> tickets_;  // to (task, position)
  std::vector<std::size_t> open_;                                // by board
};

}  // namespace warpwright
