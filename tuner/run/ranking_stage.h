// The final rankings of a sweep: which boards need one, with whom, and what is stored of it. A
// board is ranked when its last trial is in, on a device with a clock, by the same worker. The
// engine compiles and measures; this keeps the books.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/finalists.h"
#include "run/run_book.h"
#include "run/sweep_plan.h"

namespace warpwright {

class RankingStage {
 public:
  RankingStage(const SweepPlan& plan, RunBook& book) : plan_(plan), book_(book) {}

  // A trial of the board that is stored; the newest of an index counts, unless it is noisy.
  void note(std::size_t board, std::uint64_t index, const TrialRecord& trial);

  // Who meets on this board. Empty when there is nothing to rank: fewer than two candidates, or the
  // same finalists were ranked before.
  [[nodiscard]] std::vector<RankingCandidate> finalists(std::size_t board) const;
  // The space index of the winner of the newest stored ranking, if it is among the candidates.
  [[nodiscard]] std::optional<std::uint64_t> incumbent(std::size_t board) const;

  void store(std::size_t board, const std::vector<RankingCandidate>& finalists,
             const FinalsOutcome& outcome, const std::string& started_utc);

 private:
  const SweepPlan& plan_;
  RunBook& book_;
  // By index, of each board.
  std::map<std::size_t, std::map<std::uint64_t, RankingCandidate>> candidates_;
};

}  // namespace warpwright
