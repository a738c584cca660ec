// Takes the boards of a sweep through their stages: one or two visits, the meeting of the best
// configurations on one GPU, the final ranking, and the end, after which the next board gets the
// devices (board_turns.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "sweep/board_measurer.h"
#include "sweep/board_turns.h"
#include "sweep/final_rankings.h"
#include "sweep/sweep_plan.h"
#include "sweep/sweep_workers.h"
#include "sweep/task_table.h"
#include "sweep/trial_source.h"

namespace warpwright {

class BoardStages {
 public:
  // What the stages ask for and report.
  struct Hooks {
    // Time a configuration of the board on the board's own device.
    std::function<void(std::size_t board, std::uint64_t index)> meet;
    // Trials of other boards may have got their turn.
    std::function<void()> turn_passed;
    std::function<void(std::size_t finalists)> ranking_began;
    std::function<void()> board_ended;
  };

  // All references must outlive this.
  BoardStages(const SweepPlan& plan, const TrialSource& source, const TaskTable& tasks,
              SweepWorkers& workers, BoardMeasurer& measurer, FinalRankings& finals, Hooks hooks);

  [[nodiscard]] const BoardTurns& turns() const { return turns_; }

  // Moves every board on as far as it can go now. If `may_rank`, boards are ranked before they end.
  void advance(bool may_rank);
  // An Error ended the board, so it is not ranked. True the first time.
  bool fail(std::size_t board) { return turns_.fail(board); }

 private:
  void advance_board(std::size_t board, bool may_rank);
  void pause_board(std::size_t board);
  [[nodiscard]] bool start_meeting(std::size_t board);
  [[nodiscard]] bool start_ranking(std::size_t board);

  const SweepPlan& plan_;
  const TrialSource& source_;
  BoardTurns turns_;
  const TaskTable& tasks_;
  SweepWorkers& workers_;
  BoardMeasurer& measurer_;
  FinalRankings& finals_;
  const Hooks hooks_;
};

}  // namespace warpwright
