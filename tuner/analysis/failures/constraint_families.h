// Finds predicates that exclude some failures but nothing that ran right, family by family. For
// constraint_hint.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/failures/constraint_hint.h"

namespace warpwright {

struct ConstraintCandidate {
  std::string expression;
  double cost = 0;             // 1 for a bound on one parameter, about 1 more for each further name
  std::vector<bool> excluded;  // by the search's failures
  double gap = 1;              // first value excluded / last value kept: clear cuts go first
};

// Candidates by the failures that they exclude: the cheapest and those of equal cost, best first.
using CandidatePool = std::map<std::vector<bool>, std::vector<ConstraintCandidate>>;

[[nodiscard]] CandidatePool constraint_candidates(const ConstraintSearch& search);
void add_candidate(CandidatePool& pool, ConstraintCandidate candidate);
// The number of failures that a predicate of this cost must exclude to be accepted.
[[nodiscard]] std::size_t least_excluded(double cost);

// An upper bound for `term`, an expression: `last` is the largest value that ran right, `first` the
// smallest that is to be excluded. The text names a device limit if the data met that limit, or if
// the failures' reasons name it; a number alone may equal one by chance, so the term or the reasons
// must mention threads, shared memory or registers.
[[nodiscard]] std::string bound_text(const ConstraintSearch& search, const std::string& term,
                                     double last, double first);

}  // namespace warpwright
