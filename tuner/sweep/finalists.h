// Which configurations of a board enter its final ranking, and what is stored of the ranking.
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
  int sm_clock_mhz = 0;      // behind that time; 0 when unknown
  int clock_during_mhz = 0;  // what its samples told (Validity); 0 where they told nothing
};

inline constexpr double kFinalistMargin = 0.05;
// Of kernels so long that their samples tell the clock: turns are expensive, and times that belong
// to one clock lie as close to those of the ranking.
inline constexpr double kToldMargin = 0.025;
// Launches of one kernel tell clocks that differ by less than this.
inline constexpr double kToldTolerance = 0.05;
inline constexpr std::size_t kFewestFinalists = 4;
inline constexpr std::size_t kMostFinalists = 16;
inline constexpr std::size_t kMostByCycles = 8;

// Those within the margin of the best, the fastest first: at least kFewestFinalists if there are
// that many, at most kMostFinalists. Up to kMostByCycles they are joined by what would be that
// close if it took as many cycles at a higher clock: that of the good ones where samples tell
// theirs, the highest that the driver named otherwise. Under a power cap clocks differ by a tenth
// and more. Equal times are ordered by index. None when there is only one candidate: there is
// nothing to rank.
[[nodiscard]] std::vector<RankingCandidate> pick_finalists(
    std::vector<RankingCandidate> candidates);

// `finalists` are in the same order as those of `outcome`.
[[nodiscard]] RankingRecord make_ranking_record(const std::string& kernel, const SweepBoard& board,
                                                const std::vector<RankingCandidate>& finalists,
                                                const FinalsOutcome& outcome,
                                                const std::string& started_utc);

}  // namespace warpwright
