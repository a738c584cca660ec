// The constraint that a space lacks, learnt from what was tried: the simplest predicates over
// parameters and problem sizes that exclude configurations which failed and not one of those that
// ran right. Families, from simple to less so: `P <= v`, `P >= v`, `P != v`, `P % v == 0`,
// `P * Q <= v`, `P <= Q`, `P % Q == 0`, sums, products of three and four, `P != v || Q <= w`, and
// any of them for one variant alone. A less simple one needs more failures in its favour. Every
// expression is parsed and evaluated by core/expr/expr.h on every configuration before it is
// returned.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/value.h"

namespace warpwright {

struct ConstraintSample {
  std::string variant;
  std::map<std::string, Value> values;          // parameters and problem sizes
  std::map<std::string, Value> resources = {};  // what the compiler gave: "registers"
};

struct ConstraintSearch {
  std::vector<ConstraintSample> failures;
  std::vector<ConstraintSample>
      right;                       // of every variant: a constraint binds all that have its names
  std::vector<std::string> sizes;  // which names are problem sizes
  std::map<std::string, Value> limits;  // "device.max_threads"
  std::vector<std::string> offered;     // expressions that the failures' own reasons propose
  std::string reasons;                  // of the failures: a limit named there is the one meant
  // Only what enough_support() holds of; what the reasons offer needs none.
  bool needs_support = false;
};

// Whether a predicate that excludes `excludes` of `failures`, and none of `right` that ran, can be
// taken for more than chance: three at least, and were the failures strewn over all of them, it
// would hit failures alone with a chance of 1 % or less. Many predicates are tried, so that is
// little enough.
[[nodiscard]] bool enough_support(std::size_t excludes, std::size_t failures, std::size_t right);

struct ConstraintHint {
  std::string expression;                 // canonical, as Expr::to_string()
  std::size_t excludes = 0;               // of the failures
  bool documented = false;                // the failures' own reasons name it
  std::vector<std::string> alternatives;  // as simple, and exclude the same failures; at most 2
};

struct FoundConstraints {
  std::vector<ConstraintHint>
      hints;                 // to be added together, at most 3; empty when nothing explains
  std::size_t excluded = 0;  // failures that any of them excludes
};

// Deterministic. With fewer than kLeastRight samples that ran right, nothing is found: too many
// predicates would fit.
inline constexpr std::size_t kLeastRight = 4;
[[nodiscard]] FoundConstraints find_constraints(const ConstraintSearch& search);

// Of what the failures' own reasons propose, that which keeps everything that ran right, however
// few that is: they give the cause.
[[nodiscard]] FoundConstraints find_offered(const ConstraintSearch& search);

// "registers * THREADS <= device.registers_per_block": a bound on what the compiler gave that every
// failure breaks and that everything that ran right keeps. No constraint can know resources before
// compiling, so this only explains. nullopt without one, or without limits or resources.
[[nodiscard]] std::optional<std::string> find_resource_bound(const ConstraintSearch& search);

}  // namespace warpwright
