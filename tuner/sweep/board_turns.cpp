#include "sweep/board_turns.h"

#include <utility>

namespace warpwright {

bool BoardTurns::has_turn(std::size_t board) const {
  if (!plan_.device_of(board).has_clock) return true;
  for (std::size_t earlier = 0; earlier < board; ++earlier) {
    if (plan_.boards[earlier].device == plan_.boards[board].device && !boards_[earlier].done)
      return false;
  }
  return true;
}

bool BoardTurns::fail(std::size_t board) { return !std::exchange(boards_[board].failed, true); }

bool BoardTurns::take_ranking(std::size_t board) {
  if (boards_[board].failed || !plan_.device_of(board).has_clock) return false;
  return !std::exchange(boards_[board].ranking_taken, true);
}

}  // namespace warpwright
