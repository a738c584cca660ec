// BoardTurns tracks the progress of each board and decides which board may use the devices of a
// group. One GPU works on one board at a time: its inputs are made once, and its final ranking
// comes before the next board's trials. If several GPUs share a board, the GPUs that it no longer
// needs go on to the next board. Boards that are visited twice (trial_source.h) have their second
// turns after all first turns, in reverse order. Emulated devices can work on several boards at
// once.
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
  // Returns whether the board may go on, be ranked and end. That requires every earlier board of
  // its group that the same device ranks to be done or to have had its first turn.
  [[nodiscard]] bool has_turn(std::size_t board) const;
  // Returns whether the board's trials may be measured: under the same condition or, where several
  // GPUs share the boards, as soon as all questions about earlier boards have been asked.
  [[nodiscard]] bool may_measure(std::size_t board) const;

  // All questions of the board's first visit have been asked: other GPUs may go on to the next
  // board.
  void leave(std::size_t board) { boards_[board].left = true; }
  // All of them have been answered as well: the board's first turn is over.
  void pause(std::size_t board) { boards_[board].left = boards_[board].paused = true; }
  [[nodiscard]] bool paused(std::size_t board) const { return boards_[board].paused; }

  // No more questions will be asked about the board. True the first time.
  bool close(std::size_t board) { return !std::exchange(boards_[board].closed, true); }

  // An Error ended the board, so it is not ranked. True the first time.
  bool fail(std::size_t board);
  [[nodiscard]] bool failed(std::size_t board) const { return boards_[board].failed; }

  // True once: now, if ever, the best configurations of all GPUs are to be timed on one of them.
  // Only for boards that several GPUs share.
  [[nodiscard]] bool take_meeting(std::size_t board);
  // True once: now, if ever, the board's final ranking is to run. Only on a device with a clock.
  [[nodiscard]] bool take_ranking(std::size_t board);

  // All trials are finished, and ranked if a ranking is due.
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
  // Returns whether no other board of the group, or of those that the same device ranks if
  // `of_device`, still precedes this one: each is over, by `over`, or comes later. A board that has
  // had its first turn, by `had_first`, precedes no first turn, and a second turn only if it has a
  // higher number.
  template <typename Over, typename HadFirst>
  [[nodiscard]] bool comes(std::size_t board, Over over, HadFirst had_first,
                           bool of_device = false) const;
  [[nodiscard]] bool are_shared(std::size_t board) const;

  const SweepPlan& plan_;
  std::vector<Board> boards_;
};

}  // namespace warpwright
