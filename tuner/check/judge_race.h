// Turns the blocks of measured comparisons into verdicts: per entry, over all entries, and after a
// fresh process has repeated the comparison. It uses no device and no files.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "check/check_report.h"
#include "stats/paired_gate.h"
#include "trial/timing/gate.h"

namespace warpwright {

// The verdict of one comparison on its own.
struct RaceLook {
  std::size_t entry = 0;  // index in the caller's list
  GateVerdict verdict = GateVerdict::kInconclusive;
  CheckRace race;
  bool repeat = false;  // a fresh process must confirm the change
  bool blunt = false;   // so noisy that finding no change means little
};

// `noise` comes from the previous look and is used when no noise blocks were taken.
[[nodiscard]] RaceLook look_at(std::size_t entry, const GateOutcome& outcome, double least_slowdown,
                               double noise = 0);

// Applies Benjamini-Hochberg to all comparisons of a check: sets p_adjusted, and `repeat` for
// changes that are significant at q = 0.05.
void correct_for_many(std::span<RaceLook> looks);

// Sets the entry's state and findings. `repeated` is null when no fresh process was asked.
void settle(const RaceLook& look, const RaceLook* repeated, std::size_t comparisons,
            CheckEntry& entry);

// Formats the logarithm of a ratio as "+2.3 %".
[[nodiscard]] std::string percent_of(double d);

}  // namespace warpwright
