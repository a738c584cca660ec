// Explains to the author of the constraints why a space is empty. Internal to space.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "space/group_problem.h"

namespace warpwright {

// The part of an empty group that is kept after its GroupProblem is gone.
struct Emptied {
  std::string variant;
  double combinations = 0;
  SourcePosition where;
  std::string expression;
  std::string because;
  std::vector<std::pair<std::string, std::uint64_t>> rejections;  // expression, assignment count
};

// `blocker` is the constraint that removed the last assignments; nullptr if it is unknown.
[[nodiscard]] Emptied explain_empty(const GroupProblem& problem, const BoundConstraint* blocker);

// The constraint among `constraints` that rejected the assignments that got furthest; nullptr if
// none rejected any.
[[nodiscard]] const BoundConstraint* last_blocker(const GroupProblem& problem,
                                                  const std::vector<int>& constraints);

// Precondition: `groups` is not empty.
[[nodiscard]] Error empty_space_error(const std::vector<Emptied>& groups);

}  // namespace warpwright
