// Turns the blocks of measured comparisons into verdicts: per entry, over all entries, and after a
// fresh process has looked again. No device, no file.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "check/check_report.h"
#include "stats/paired_gate.h"
#include "trial/timing/gate.h"

namespace warpwright {

// What one comparison says by itself.
struct RaceLook {
  std::size_t entry = 0;  // index of the caller's
  GateVerdict verdict = GateVerdict::kInconclusive;
  CheckRace race;
  bool repeat = false;  // a change that a fresh process must repeat
  bool blunt = false;   // so noisy that finding no change means little
};

// `noise` of the previous look stands in for noise blocks that were not taken.
[[nodiscard]] RaceLook look_at(std::size_t entry, const GateOutcome& outcome, double least_slowdown,
                               double noise = 0);

// Benjamini-Hochberg over all comparisons of a check: sets p_adjusted, and `repeat` where a change
// stands at q = 0.05.
void correct_for_many(std::span<RaceLook> looks);

// The state of an entry and what to say. `repeated` is null when no fresh process was asked.
void settle(const RaceLook& look, const RaceLook* repeated, std::size_t comparisons,
            CheckEntry& entry);

// "+2.3 %": of a logarithm of a ratio.
[[nodiscard]] std::string percent_of(double d);

}  // namespace warpwright
