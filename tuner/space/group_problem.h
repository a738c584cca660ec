// One variant's constraint problem, prepared for solving: constraints are bound to the positions
// of parameters, domains are filtered by the constraints of a single parameter, and parameters
// are split into components that share no constraint. If no configuration is valid, the problem
// also yields the explanation. Internal to space.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "space/search_space.h"

namespace warpwright {

struct BoundConstraint {
  BoundConstraint(const ConstraintSpec& constraint, std::span<const std::string> names,
                  const Environment& constants)
      : spec(&constraint), bound(constraint.expr, names, constants) {}

  const ConstraintSpec* spec;
  BoundExpr bound;
  bool settled = false;        // true for every assignment of the filtered domains
  std::uint64_t rejected = 0;  // number of full or partial assignments that it removed
  int deepest = -1;            // the last level at which it removed one
};

struct GroupProblem {
  // `group` and `constants` must outlive this. Throws Error (user) on an unknown name or a
  // parameter without values.
  GroupProblem(const SpaceDefinition::Group& group, const Environment& constants);

  // The constraint that left a parameter, or the whole problem, without a value; nullptr if none
  // did.
  [[nodiscard]] const BoundConstraint* emptied_by() const { return emptied_by_; }
  [[nodiscard]] double cartesian_size() const;

  const SpaceDefinition::Group& group;
  std::vector<BoundConstraint> constraints;         // including those without parameters
  std::vector<std::vector<std::uint32_t>> domains;  // per axis, ascending indices into its values
  std::vector<std::vector<std::int64_t>>
      integers;                 // per axis, its values; empty unless all are integers or bools
  std::vector<Interval> hulls;  // per axis, enclosing its domain
  std::vector<std::vector<int>> components;             // axes, ascending
  std::vector<std::vector<int>> component_constraints;  // indices into `constraints`

 private:
  void filter_domains();
  void split();

  const BoundConstraint* emptied_by_ = nullptr;
};

// The part of an empty group that is kept after its GroupProblem is gone.
struct Emptied {
  std::string variant;
  double combinations = 0;
  SourceLocation where;
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
