// How far each board is, and whose turn it is on the devices of a group. One GPU works on one board
// at a time: its inputs are made once, and its final ranking comes before the next board's trials.
// Where several GPUs share a board, those that it needs no more go on to the next. Boards that are
// visited twice (trial_source.h) have their second turns after all first ones, the last board
// first. Emulated devices have room for several.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sweep/sweep_plan.h"

namespace warpwright {

class BoardTurns {
 public:
  explicit BoardTurns(const SweepPlan& plan) : plan_(plan), boards_(plan.boards.size()) {}

  [[nodiscard]] std::size_t size() const { return boards_.size(); }
  // Every board of its group that comes before it and that the same device ranks is done, or has
  // had its first turn: it may go on, be ranked, and end.
  [[nodiscard]] bool has_turn(std::size_t board) const;
  // Its trials may be measured: likewise, or all that is asked about earlier boards has been asked,
  // where several GPUs share them.
  [[nodiscard]] bool may_measure(std::size_t board) const;

  // All that its first visit asks has been asked: other GPUs may go on to the next board.
  void leave(std::size_t board) { boards_[board].left = true; }
  // And all of it has been answered: its first turn is over.
  void pause(std::size_t board) { boards_[board].left = boards_[board].paused = true; }
  [[nodiscard]] bool paused(std::size_t board) const { return boards_[board].paused; }

  // Nothing more will be asked about it. True the first time.
  bool close(std::size_t board) { return !std::exchange(boards_[board].closed, true); }

  // An Error ended it: it is not ranked. True the first time.
  bool fail(std::size_t board);
  [[nodiscard]] bool failed(std::size_t board) const { return boards_[board].failed; }

  // True once: now, if ever, is the time for the best of all GPUs to meet on one. Where several
  // share it.
  [[nodiscard]] bool take_meeting(std::size_t board);
  // True once: now, if ever, is the time for its final ranking. Needs a clock.
  [[nodiscard]] bool take_ranking(std::size_t board);

  // All trials are in, and ranked where that is due.
  void finish(std::size_t board) { boards_[board].done = true; }
  [[nodiscard]] bool done(std::size_t board) const { return boards_[board].done; }

 private:
  struct Board {
    bool failed = false;
    bool left = false, paused = false;
    bool closed = false;
    bool meeting_taken = false;
    bool ranking_taken = false;
    bool done = false;
  };
  // Of every other board of its group that comes before it, of those that its own device ranks
  // alone: it is over, by `over`; or it is in front of a board's second turn, and has had its first
  // one, by `had_first`.
  template <typename Over, typename HadFirst>
  [[nodiscard]] bool comes(std::size_t board, Over over, HadFirst had_first,
                           bool of_device = false) const;
  [[nodiscard]] bool are_shared(std::size_t board) const;

  const SweepPlan& plan_;
  std::vector<Board> boards_;
};

}  // namespace warpwright
