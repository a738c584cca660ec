// What to do about a group of failures: the constraint that the space lacks where their reasons
// name one or enough of the data show one, or why there is none to propose. Wrong results, faults,
// crashes and what the emulator cannot run never make a constraint. A group is judged together with
// the same failure on the kernel's other problems, and against everything that ran right on them: a
// constraint of a sweep binds all of its problems.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/insight/constraint_hint.h"
#include "records/records.h"

namespace warpwright {

struct Leaderboard;

struct FailureAdvice {
  // For the sweep's `constraints`, to be added together; empty when nothing can be proposed.
  std::vector<ConstraintHint> constraints;
  std::size_t failures = 0;  // of this cause, over all problems
  std::size_t excluded = 0;  // of those, by any of the constraints
  std::size_t kept = 0;      // that ran right, over all problems: every one of them
  std::size_t problems = 0;
  // What sets the failures apart though no constraint can express it, else why there is none; may
  // be empty.
  std::string note;
};

// Fills `advice` of every group of failures. `devices` gives the limits, as Database::devices().
void advise_on_failures(std::vector<Leaderboard>& boards,
                        const std::vector<std::pair<RowId, DeviceRecord>>& devices);

}  // namespace warpwright
