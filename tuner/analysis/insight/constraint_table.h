// The samples of a constraint search by column, for evaluating many predicates at once. For
// constraint_families.cpp and constraint_hint.cpp. NaN marks a name that a sample does not have;
// predicates do not bind such samples.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "analysis/insight/constraint_hint.h"

namespace warpwright {

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

}  // namespace warpwright
