// What a sweep has under way: trials and final rankings, each from when it is given to the
// compilers until it is taken out to be stored. Keeps the books; decides nothing.
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
  std::string case_key;  // of device and configuration: cases are run once for each
  // Of a TrialToTime. Shared with the measurers, from when it is given to them.
  std::shared_ptr<MeasureRequest> request = std::make_shared<MeasureRequest>();
  // Of the key, but for the device: portable_key() and NVRTC's version.
  std::string compile_key;
  // Index into the plan's devices: where it runs if it is repeated or a guest; else where it has
  // run, once it has.
  std::size_t device = 0;
  bool repeated = false;  // measured before, under an anchor that has moved since
  // Measured before on another GPU of the kind: an anchor, or one of its best. Answers no question.
  bool guest = false;
  std::string code;      // code_identity(), once it is its board's turn
  bool waiting = false;  // compiled; for its board's turn, or for equal code that runs

  // Runs nowhere but on `device`, whoever has run equal code.
  [[nodiscard]] bool pinned() const { return repeated || guest; }
  [[nodiscard]] TrialToTime& asked() const { return std::get<TrialToTime>(request->what); }
  [[nodiscard]] CompiledTrial& trial() const { return asked().trial; }
};

using SweepTask = std::variant<TrialTask, RankingTask>;

class TaskTable {
 public:
  using Id = std::uint64_t;

  explicit TaskTable(std::size_t boards) : open_(boards, 0) {}

  Id add(SweepTask task);
  // A compile job of the task; its result belongs at `position`: of a trial, 0 is the problem's own
  // job and i > 0 is case i - 1; of a ranking, the finalists in their order.
  void expect(Id task, std::uint64_t ticket, std::size_t position);
  // Puts the result where it belongs. Returns the task when it waits for no further one; a ticket
  // whose task is gone is ignored.
  std::optional<Id> compiled(std::uint64_t ticket, CompileResult result);

  // Null when there is no such task, or one of the other kind.
  [[nodiscard]] TrialTask* trial(Id task);
  [[nodiscard]] RankingTask* ranking(Id task);

  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::size_t open(std::size_t board) const { return open_[board]; }  // tasks

  // Trials that are compiled and wait, in the order they were added.
  [[nodiscard]] std::vector<Id> waiting() const;
  // Trials of the configuration, and whether a compiler or a wait still holds them.
  struct Held {
    Id task;
    bool held;
  };
  [[nodiscard]] std::vector<Held> of_configuration(const std::string& text) const;

  // Takes a task out; what its compilers answer later is ignored. It must be there.
  TrialTask take_trial(Id task);
  RankingTask take_ranking(Id task);
  // What has not reached a device goes: still compiling, or waiting.
  void drop_held();
  void drop(const std::vector<Id>& tasks);

 private:
  struct Entry {
    SweepTask task;
    std::size_t compiling = 0;           // results not yet back
    std::vector<std::uint64_t> tickets;  // of those, and of some that are
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
