// Single predicates over a term (a parameter, or a product of them): the bound, divisor or value
// that excludes most failures and nothing that ran right; and the samples that they are evaluated
// on. For constraint_families.cpp, which chooses the terms.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/failures/constraint_families.h"
#include "analysis/failures/constraint_hint.h"

namespace warpwright {

// The samples of a constraint search by column, for evaluating many predicates at once. For
// constraint_families.cpp and constraint_hint.cpp. NaN marks a name that a sample does not have;
// predicates do not bind such samples.

struct ConstraintColumn {
  std::string name;
  bool text = false;      // texts, numbered from 0 as in `texts`
  bool boolean = false;   // as 0 and 1
  bool integral = true;   // every number is whole
  bool size = false;      // a problem size, or computed from one
  bool constant = false;  // a size that all samples share: only useful as a dividend
  std::vector<std::string> texts;
  std::vector<double> failures, right;

  // The distinct values of samples that have the name.
  [[nodiscard]] std::set<double> levels() const;
  // The value as written in an expression.
  [[nodiscard]] std::string value_text(double value) const;
};

struct ConstraintTable {
  std::vector<ConstraintColumn> columns;   // names that vary, and problem sizes
  std::vector<std::size_t> failure_index;  // of each row of `failures`, into the search's failures

  // The rows for which `keep` holds for the value of a column; NaN is passed to it too.
  [[nodiscard]] ConstraintTable restricted(const ConstraintColumn& by,
                                           const std::function<bool(double)>& keep) const;
};

// Makes the table of one variant, or of all ("" means all). Failures of a variant that never ran
// right on their problem are left out: the differences from other variants and problems are not a
// reason.
[[nodiscard]] ConstraintTable make_constraint_table(const ConstraintSearch& search,
                                                    const std::string& variant);

// Writes whole numbers without a decimal point.
[[nodiscard]] std::string number_text(double value);

// The restriction of a predicate: a prefix such as "THREADS != 64 || ", its extra cost, and the
// number of samples that must have run right for the predicate to be accepted.
struct ConstraintRestriction {
  std::string prefix = "";
  double extra = 0;
  std::size_t least_right = kLeastRight;
};

// Tries single predicates over terms; a term's name is its expression. Each method adds a candidate
// to the pool or does nothing.
class ConstraintPredicates {
 public:
  // All arguments must outlive this object.
  ConstraintPredicates(const ConstraintSearch& search, const ConstraintTable& table,
                       ConstraintRestriction restriction, CandidatePool& pool)
      : search_(search), table_(table), restriction_(std::move(restriction)), pool_(pool) {}

  void at_most(const ConstraintColumn& term, double cost);
  void at_least(const ConstraintColumn& term, double cost);
  // Among the divisors of all values that ran right, uses the smallest one that excludes the same
  // failures as the largest.
  void multiple(const ConstraintColumn& term, double cost);
  void power_of_two(const ConstraintColumn& column);
  // Tries every value that only failures have.
  void unequal(const ConstraintColumn& column);
  // `truth` is named after a predicate and holds 1 where the predicate holds, else 0.
  void holds_all(const ConstraintColumn& truth, double cost);

 private:
  [[nodiscard]] bool believable(const ConstraintColumn& term) const;
  [[nodiscard]] bool names_a_parameter(const std::string& expression) const;
  void add(const ConstraintColumn& term, const std::string& text, double cost, double gap,
           const std::function<bool(double)>& breaks);

  const ConstraintSearch& search_;
  const ConstraintTable& table_;
  ConstraintRestriction restriction_;
  CandidatePool& pool_;
};

}  // namespace warpwright
