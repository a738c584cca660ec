// The best time of every run on a board, oldest run first: how a kernel went over dates and
// commits, with its older sources. A run counts only what it timed itself: one that resumed may
// have timed little. Where it ended in a final ranking, its best is that ranking's winner.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

struct RunBest {
  RowId run = 0;
  RowId trial = 0;
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  std::size_t timed = 0;  // configurations that passed and were timed by this run
  bool ranked = false;    // of the run's final ranking
  std::string configuration_text;
};

class RunHistories {
 public:
  RunHistories() = default;
  // Of rows that are not only the newest of their keys, and of rankings that are not only the
  // newest of their boards. Times beyond `peaks` count as none.
  RunHistories(const std::vector<Database::TrialRow>& rows,
               const std::vector<Database::RankingRow>& rankings, const PeaksByDevice& peaks = {});

  // Empty for a board on which no run timed anything.
  [[nodiscard]] const std::vector<RunBest>& of(const Leaderboard& board) const;

 private:
  struct Subject {
    std::string kernel, problem_text, fingerprint, protocol;
    friend auto operator<=>(const Subject&, const Subject&) = default;
  };
  std::map<Subject, std::vector<RunBest>> by_subject_;
};

}  // namespace warpwright
