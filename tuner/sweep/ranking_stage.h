// The final rankings of a sweep: decides which boards need one and with which finalists, builds the
// request to the device, and stores the result. A board is ranked when its last trial is finished,
// on a device with a clock, by the same worker. When several GPUs share the board, the best
// configurations of each GPU are first timed on the first GPU, which then ranks those that it has
// timed itself.
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

// A final ranking in progress; it is also a task of its board.
struct RankingTask {
  std::size_t board = 0;
  std::string started_utc;
  std::vector<RankingCandidate> finalists;
  // Holds FinalistsToRank, in the order of `finalists`.
  std::shared_ptr<MeasureRequest> request = std::make_shared<MeasureRequest>();

  [[nodiscard]] FinalistsToRank& asked() const { return std::get<FinalistsToRank>(request->what); }
};

class RankingStage {
 public:
  RankingStage(const SweepPlan& plan, RunBook& book) : plan_(plan), book_(book) {}

  // Records a stored trial of the board on a device of the plan. The newest trial of an index
  // counts, unless it is noisy.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial, std::size_t device);
  // The same on the board's own device.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial) {
    note(board, index, trial, plan_.boards[board].device);
  }

  // Removes a configuration that must not win.
  void drop(std::size_t board, std::uint64_t index);

  // Returns the configurations that other GPUs found to be among the best and that the board's own
  // device has not timed: at most as many as a ranking takes, ordered by the shortest time on any
  // GPU.
  [[nodiscard]] std::vector<std::uint64_t> guests(std::size_t board) const;

  // Returns the ranking of this board, with nothing compiled yet; nullopt when there is nothing to
  // rank: fewer than two candidates, or the same finalists were ranked before.
  [[nodiscard]] std::optional<RankingTask> begin(std::size_t board) const;
  // Returns the space index of the winner of the newest stored ranking, if it is among the
  // candidates.
  [[nodiscard]] std::optional<std::uint64_t> incumbent(std::size_t board) const;
  // Returns the compile jobs that it needs, in the order of its finalists.
  [[nodiscard]] std::vector<CompileJob> jobs(const RankingTask& task) const;
  // Stores the device's answer. Returns "", or a message when the device did not rank them: the
  // trials then keep their results, but their order is less certain.
  [[nodiscard]] std::string end(const RankingTask& task, const Outcome& outcome);

 private:
  using Candidates = std::map<std::uint64_t, RankingCandidate>;  // by index
  [[nodiscard]] std::vector<RankingCandidate> finalists(std::size_t board) const;
  // The candidates of the board's own device; null when there are none.
  [[nodiscard]] const Candidates* own(std::size_t board) const;

  const SweepPlan& plan_;
  RunBook& book_;
  // By board, then by device.
  std::map<std::size_t, std::map<std::size_t, Candidates>> candidates_;
};

}  // namespace warpwright
