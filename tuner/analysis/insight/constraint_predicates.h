// Single predicates over a term (a parameter, or a product of them): the bound, divisor or value
// that excludes most failures and nothing that ran right. For constraint_families.cpp, which
// chooses the terms.
#pragma once

#include <functional>
#include <string>

#include "analysis/insight/constraint_families.h"
#include "analysis/insight/constraint_table.h"

namespace warpwright {

// What a predicate is limited to: "THREADS != 64 || ", its further cost, and how many must have run
// right for it to be believed.
struct ConstraintRestriction {
  std::string prefix = "";
  double extra = 0;
  std::size_t least_right = kLeastRight;
};

// A term's name is its expression. Each adds a candidate to the pool or does nothing.
class ConstraintPredicates {
 public:
  // All must outlive this.
  ConstraintPredicates(const ConstraintSearch& search, const ConstraintTable& table,
                       ConstraintRestriction restriction, CandidatePool& pool)
      : search_(search), table_(table), restriction_(std::move(restriction)), pool_(pool) {}

  void at_most(const ConstraintColumn& term, double cost);
  void at_least(const ConstraintColumn& term, double cost);
  // By the smallest divisor of everything that ran right that excludes as much as the largest one.
  void multiple(const ConstraintColumn& term, double cost);
  void power_of_two(const ConstraintColumn& column);
  // For every value that only failures have.
  void unequal(const ConstraintColumn& column);
  // `truth` is named after a predicate and holds 1 where that holds, else 0.
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
