// Selects the configurations of a board that enter its final ranking, and makes the database record
// of the ranking.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/records.h"
#include "sweep/sweep.h"
#include "trial/timing/finals.h"

namespace warpwright {

// A configuration of the board that was validated and timed.
struct RankingCandidate {
  std::uint64_t index = 0;  // in the board's space
  RowId trial = 0;
  double median_us = 0;
  std::string cubin_hash;
  int sm_clock_mhz = 0;      // at that time's measurement; 0 if unknown
  int clock_during_mhz = 0;  // derived from its samples (Validity); 0 if underivable
};

inline constexpr double kFinalistMargin = 0.05;
// The margin for kernels long enough for their samples to reveal the clock: turns are expensive,
// and times that were taken at one clock lie that close to those of the ranking.
inline constexpr double kToldMargin = 0.025;
// The clocks derived from launches of one kernel differ by less than this.
inline constexpr double kToldTolerance = 0.05;
inline constexpr std::size_t kFewestFinalists = 4;
inline constexpr std::size_t kMostFinalists = 16;
inline constexpr std::size_t kMostByCycles = 8;

// Returns the candidates within the margin of the best, fastest first: at least kFewestFinalists if
// there are that many, at most kMostFinalists. Up to a total of kMostByCycles, they are joined by
// candidates that would be as close if they took the same number of cycles at a higher clock. That
// clock is the one of the good candidates where the samples reveal clocks, and otherwise the
// highest that the driver reported. Under a power cap, clocks differ by a tenth and more. Equal
// times are ordered by index. Returns nothing when there is only one candidate, since there is
// nothing to rank.
[[nodiscard]] std::vector<RankingCandidate> pick_finalists(
    std::vector<RankingCandidate> candidates);

// `finalists` must be in the same order as the finalists of `outcome`.
[[nodiscard]] RankingRecord make_ranking_record(const std::string& kernel, const SweepBoard& board,
                                                const std::vector<RankingCandidate>& finalists,
                                                const FinalsOutcome& outcome,
                                                const std::string& started_utc);

}  // namespace warpwright
