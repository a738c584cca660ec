// Corrections for testing several hypotheses with one set of data. Every function takes p-values in
// any order and returns adjusted p-values in the same order: a hypothesis is rejected at level q
// iff its adjusted p-value is <= q. A p-value outside [0, 1] or NaN is a broken invariant; ties and
// an empty list are allowed.
#pragma once

#include <span>
#include <vector>

namespace warpwright {

// Family-wise: the probability of any false rejection is <= the level, whatever the dependence
// between the tests. Source: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure,
// Scandinavian Journal of Statistics 6 (1979).
[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p_values);

// False discovery rate: the expected fraction of false rejections among all is <= the level, for
// independent or positively dependent tests. Source: Y. Benjamini and Y. Hochberg, Controlling the
// False Discovery Rate, JRSS B 57 (1995).
[[nodiscard]] std::vector<double> benjamini_hochberg_adjusted(std::span<const double> p_values);

// For each adjusted p-value, whether it rejects at `level`.
[[nodiscard]] std::vector<bool> rejected_at(std::span<const double> adjusted, double level);

}  // namespace warpwright
