// Learns the constraint that a space lacks from the tried configurations: the simplest predicates
// over parameters and problem sizes that exclude configurations which failed and not one of those
// that ran right. Families, from simple to less so: `P <= v`, `P >= v`, `P != v`, `P % v == 0`, `P
// * Q <= v`, `P <= Q`, `P % Q == 0`, sums, products of three and four, `P != v || Q <= w`, and any
// of them for one variant alone. A more complex one needs more failures in its favour. Every
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
  std::map<std::string, Value> resources = {};  // as reported by the compiler: "registers"
};

struct ConstraintSearch {
  std::vector<ConstraintSample> failures;
  std::vector<ConstraintSample>
      right;                       // of every variant: a constraint binds all that have its names
  std::vector<std::string> sizes;  // which names are problem sizes
  std::map<std::string, Value> limits;  // "device.max_threads"
  std::vector<std::string> offered;     // expressions that the failures' own reasons propose
  std::string reasons;                  // of the failures: a limit named there is the one meant
  // Accept only predicates with enough_support(); those that the reasons propose need none.
  bool needs_support = false;
};

// True if a predicate that excludes `excludes` of `failures`, and none of `right` that ran right,
// is unlikely to be chance: it must exclude three at least, and if the failures were spread at
// random, the chance of hitting only failures must be 1 % or less. Many predicates are tried, so
// the threshold is low.
[[nodiscard]] bool enough_support(std::size_t excludes, std::size_t failures, std::size_t right);

struct ConstraintHint {
  std::string expression;                 // canonical, as Expr::to_string()
  std::size_t excludes = 0;               // of the failures
  bool documented = false;                // the failures' own reasons name it
  std::vector<std::string> alternatives;  // of equal cost, exclude the same failures; at most 2
};

struct FoundConstraints {
  std::vector<ConstraintHint>
      hints;                 // to be added together, at most 3; empty when nothing explains
  std::size_t excluded = 0;  // failures that any of them excludes
};

// The search is deterministic. With fewer than kLeastRight samples that ran right, nothing is
// found: too many predicates would fit.
inline constexpr std::size_t kLeastRight = 4;
[[nodiscard]] FoundConstraints find_constraints(const ConstraintSearch& search);

// The constraints proposed by the failures' own reasons that keep every sample that ran right,
// however few those are: the reasons give the cause.
[[nodiscard]] FoundConstraints find_offered(const ConstraintSearch& search);

// "registers * THREADS <= device.registers_per_block": a bound on compiler-reported resources that
// every failure breaks and every sample that ran right keeps. Resources are unknown before
// compiling, so this only explains the failures and cannot be a constraint. nullopt if there is no
// such bound, or without limits or resources.
[[nodiscard]] std::optional<std::string> find_resource_bound(const ConstraintSearch& search);

}  // namespace warpwright
