// The final rankings of a sweep: which boards need one, with whom, what is asked of the device, and
// what is stored of it. A board is ranked when its last trial is in, on a device with a clock, by
// the same worker. Where several GPUs share it, the best of each are timed on the first of them
// before, and those are ranked that it has timed itself.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sweep/finalists.h"
#include "sweep/run_book.h"
#include "sweep/sweep_plan.h"
#include "workers/measure_request.h"

namespace warpwright {

// A final ranking under way; it is a task of its board, too.
struct RankingTask {
  std::size_t board = 0;
  std::string started_utc;
  std::vector<RankingCandidate> finalists;
  // Of FinalistsToRank, in the order of `finalists`.
  std::shared_ptr<MeasureRequest> request = std::make_shared<MeasureRequest>();

  [[nodiscard]] FinalistsToRank& asked() const { return std::get<FinalistsToRank>(request->what); }
};

class RankingStage {
 public:
  RankingStage(const SweepPlan& plan, RunBook& book) : plan_(plan), book_(book) {}

  // A trial of the board on a device of the plan, that is stored; the newest of an index counts,
  // unless it is noisy.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial, std::size_t device);
  // On the board's own.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial) {
    note(board, index, trial, plan_.boards[board].device);
  }

  // One that may not win.
  void drop(std::size_t board, std::uint64_t index);

  // What other GPUs hold to be among the best and the board's own has not timed: at most as many as
  // a ranking takes, those first that took the least wherever they were timed.
  [[nodiscard]] std::vector<std::uint64_t> guests(std::size_t board) const;

  // The ranking of this board, nothing of it compiled; nullopt when there is nothing to rank: fewer
  // than two candidates, or the same finalists were ranked before.
  [[nodiscard]] std::optional<RankingTask> begin(std::size_t board) const;
  // The space index of the winner of the newest stored ranking, if it is among the candidates.
  [[nodiscard]] std::optional<std::uint64_t> incumbent(std::size_t board) const;
  // What the compilers must make for it, in the order of its finalists.
  [[nodiscard]] std::vector<CompileJob> jobs(const RankingTask& task) const;
  // Stores what the device answered. Returns "", or what to say when it did not rank them: the
  // trials stand as they are then, and only their order is known less well.
  [[nodiscard]] std::string end(const RankingTask& task, const Outcome& outcome);

 private:
  using Candidates = std::map<std::uint64_t, RankingCandidate>;  // by index
  [[nodiscard]] std::vector<RankingCandidate> finalists(std::size_t board) const;
  // Those of the board's own device; null where there are none.
  [[nodiscard]] const Candidates* own(std::size_t board) const;

  const SweepPlan& plan_;
  RunBook& book_;
  // By board, then by device.
  std::map<std::size_t, std::map<std::size_t, Candidates>> candidates_;
};

}  // namespace warpwright
