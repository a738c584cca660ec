// Names the cause that failures share, and advises on a group of them: proposes the constraint that
// the space lacks if their reasons name one or enough of the data show one, or explains why there
// is none. Wrong results, faults, crashes and failures of the emulator's own never lead to a
// constraint. A group is judged together with the same failure on the kernel's other problems, and
// against all configurations that ran right on them, because a constraint of a sweep binds all of
// its problems.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/insight/constraint_hint.h"
#include "records/records.h"

namespace warpwright {

// Blanks out the parts that differ between two failures of the same cause, numbers and quoted
// names: `output "probs"[3, 17]: got 0.5` -> `output "…"[…]: got …`. A log of several lines is
// reduced to the first that mentions an error, else to the first line. Identifiers keep their
// digits (sm_90a, f32). The result is cut to 160 bytes, ending in "…".
[[nodiscard]] std::string failure_cause(std::string_view reason);

struct Leaderboard;

struct FailureAdvice {
  // Constraints for the sweep, to be added together; empty if nothing can be proposed.
  std::vector<ConstraintHint> constraints;
  std::size_t failures = 0;  // of this cause, over all problems
  std::size_t excluded = 0;  // of those, excluded by any of the constraints
  std::size_t kept = 0;      // configurations that ran right, over all problems: all are kept
  std::size_t problems = 0;
  // A property that sets the failures apart but that no constraint can express, else the reason why
  // there is no constraint; may be empty.
  std::string note;
};

// Fills `advice` of every group of failures. `devices` gives the limits, as Database::devices().
void advise_on_failures(std::vector<Leaderboard>& boards,
                        const std::vector<std::pair<RowId, DeviceRecord>>& devices);

}  // namespace warpwright
