// The best time of every run on a board, oldest run first: the course of a kernel over dates and
// commits, including its older sources. A run counts only the configurations that it timed itself,
// which may be few if it resumed another. If it ended in a final ranking, its best is that
// ranking's winner.
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
  bool ranked = false;    // the best is from the run's final ranking
  std::string configuration_text;
};

class RunHistories {
 public:
  RunHistories() = default;
  // `rows` and `rankings` must hold all stored ones, not only the newest of each key or board.
  // Times beyond `peaks` are ignored.
  RunHistories(const std::vector<Database::TrialRow>& rows,
               const std::vector<Database::RankingRow>& rankings, const PeaksByDevice& peaks = {});

  // Returns an empty list for a board on which no run timed anything.
  [[nodiscard]] const std::vector<RunBest>& of(const Leaderboard& board) const;

 private:
  struct Subject {
    std::string kernel, problem_text, fingerprint, protocol;
    friend auto operator<=>(const Subject&, const Subject&) = default;
  };
  std::map<Subject, std::vector<RunBest>> by_subject_;
};

}  // namespace warpwright
