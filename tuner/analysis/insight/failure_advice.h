// Advises on a group of failures: proposes the constraint that the space lacks if their reasons
// name one or enough of the data show one, or explains why there is none. Wrong results, faults,
// crashes and failures of the emulator's own never lead to a constraint. A group is judged together
// with the same failure on the kernel's other problems, and against all configurations that ran
// right on them, because a constraint of a sweep binds all of its problems.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/insight/constraint_hint.h"
#include "records/records.h"

namespace warpwright {

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
