// Single predicates over a term (a parameter, or a product of them): the bound, divisor or value
// that excludes most failures and nothing that ran right. For constraint_families.cpp, which
// chooses the terms.
#pragma once

#include <functional>
#include <string>

#include "analysis/insight/constraint_families.h"
#include "analysis/insight/constraint_table.h"

namespace warpwright {

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
