#include "sweep/board_stages.h"

#include <utility>
#include <vector>

namespace warpwright {

BoardStages::BoardStages(const SweepPlan& plan, const TrialSource& source, const TaskTable& tasks,
                         SweepWorkers& workers, BoardMeasurer& measurer, FinalRankings& finals,
                         Hooks hooks)
    : plan_(plan),
      source_(source),
      turns_(plan),
      tasks_(tasks),
      workers_(workers),
      measurer_(measurer),
      finals_(finals),
      hooks_(std::move(hooks)) {}

// Boards whose trials are all finished are ranked, and are then done, and the next board gets its
// turn. A board whose trials were all stored before still waits for its turn. Second turns run in
// reverse order.
void BoardStages::advance(bool may_rank) {
  for (std::size_t board = 0; board < turns_.size(); ++board)
    if (!turns_.paused(board)) advance_board(board, may_rank);
  for (std::size_t board = turns_.size(); board-- > 0;)
    if (turns_.paused(board)) advance_board(board, may_rank);
}

void BoardStages::advance_board(std::size_t board, bool may_rank) {
  const bool asked_all = source_.exhausted(board) || turns_.failed(board);
  if (turns_.done(board)) return;
  if (!asked_all) return pause_board(board);
  const bool shared = plan_.group_of(board).shares_boards();
  if (turns_.close(board) && shared) hooks_.turn_passed();
  if (!turns_.has_turn(board)) return;
  // Keep the board's device free for the meeting of the best; it goes on with the next board after
  // that.
  if (shared) workers_.reserve(board);
  if (tasks_.open(board) > 0) return;
  if (may_rank && turns_.take_meeting(board) && start_meeting(board)) return;
  if (may_rank && turns_.take_ranking(board) && start_ranking(board)) return;
  turns_.finish(board);
  if (shared) workers_.release(board);
  hooks_.board_ended();
  hooks_.turn_passed();
}

// A board that will be visited again yields the device to the next one.
void BoardStages::pause_board(std::size_t board) {
  if (turns_.paused(board) || !source_.between_visits(board)) return;
  turns_.leave(board);
  if (tasks_.open(board) == 0 && turns_.has_turn(board)) {
    turns_.pause(board);
    measurer_.pause(board);
  }
  hooks_.turn_passed();
}

// Returns false when the board's device has already timed everything that it is to rank.
bool BoardStages::start_meeting(std::size_t board) {
  const std::vector<std::uint64_t> guests = finals_.stage().guests(board);
  for (const std::uint64_t index : guests) hooks_.meet(board, index);
  return tasks_.open(board) > 0;
}

// Returns false when there is nothing to rank.
bool BoardStages::start_ranking(std::size_t board) {
  const std::size_t finalists = finals_.start(board);
  if (finalists == 0) return false;
  hooks_.ranking_began(finalists);
  return true;
}

}  // namespace warpwright
