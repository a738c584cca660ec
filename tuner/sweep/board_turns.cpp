#include "sweep/board_turns.h"

namespace warpwright {

template <typename Over, typename HadFirst>
bool BoardTurns::comes(std::size_t board, Over over, HadFirst had_first, bool of_device) const {
  const PlannedBoard& this_one = plan_.boards[board];
  const bool second = boards_[board].paused;
  for (std::size_t one = 0; one < boards_.size(); ++one) {
    if (one == board || plan_.boards[one].group != this_one.group) continue;
    if (of_device && plan_.boards[one].device != this_one.device) continue;
    if (over(boards_[one])) continue;
    // Second turns come after all first turns, in reverse order.
    const bool before =
        second ? !had_first(boards_[one]) || one > board : one < board && !had_first(boards_[one]);
    if (before) return false;
  }
  return true;
}

bool BoardTurns::are_shared(std::size_t board) const {
  return plan_.device_of(board).has_clock && plan_.group_of(board).shares_boards();
}

bool BoardTurns::has_turn(std::size_t board) const {
  return !plan_.device_of(board).has_clock ||
         comes(
             board, [](const Board& one) { return one.done; },
             [](const Board& one) { return one.paused; }, true);
}

bool BoardTurns::may_measure(std::size_t board) const {
  if (!are_shared(board)) return has_turn(board);
  return comes(
      board, [](const Board& one) { return one.done || one.closed || one.failed; },
      [](const Board& one) { return one.left; });
}

bool BoardTurns::fail(std::size_t board) { return !std::exchange(boards_[board].failed, true); }

bool BoardTurns::take_meeting(std::size_t board) {
  if (boards_[board].failed || !are_shared(board)) return false;
  return !std::exchange(boards_[board].meeting_taken, true);
}

bool BoardTurns::take_ranking(std::size_t board) {
  if (boards_[board].failed || !plan_.device_of(board).has_clock) return false;
  return !std::exchange(boards_[board].ranking_taken, true);
}

}  // namespace warpwright
