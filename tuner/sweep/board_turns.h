// How far each board is, and whose turn it is on a device. One GPU works on one board at a time:
// its inputs are made once, and its final ranking comes before the next board's trials. Emulated
// devices have room for several.
#pragma once

#include <cstddef>
#include <vector>

#include "sweep/sweep_plan.h"

namespace warpwright {

class BoardTurns {
 public:
  explicit BoardTurns(const SweepPlan& plan) : plan_(plan), boards_(plan.boards.size()) {}

  [[nodiscard]] std::size_t size() const { return boards_.size(); }
  // Every earlier board of its device is done.
  [[nodiscard]] bool has_turn(std::size_t board) const;

  // An Error ended it: it is not ranked. True the first time.
  bool fail(std::size_t board);
  [[nodiscard]] bool failed(std::size_t board) const { return boards_[board].failed; }

  // True once: now, if ever, is the time for its final ranking. Needs a clock.
  [[nodiscard]] bool take_ranking(std::size_t board);

  // All trials are in, and ranked where that is due.
  void finish(std::size_t board) { boards_[board].done = true; }
  [[nodiscard]] bool done(std::size_t board) const { return boards_[board].done; }

 private:
  struct Board {
    bool failed = false;
    bool ranking_taken = false;
    bool done = false;
  };
  const SweepPlan& plan_;
  std::vector<Board> boards_;
};

}  // namespace warpwright
