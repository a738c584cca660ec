// Tests of hypotheses: the exact sign test with the binomial distribution behind it, and the
// corrections for testing several hypotheses with one set of data.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warpwright {

// The binomial distribution B(n, 1/2), the basis of every order statistic and sign test here.
// Computed in logarithms, so that n may be large; the relative error is about 1e-15 times n.

// ln P(B = k), k <= n.
[[nodiscard]] double log_fair_binomial(std::size_t n, std::size_t k);
// P(B <= k); 1 for k >= n. A probability below 1e-308 becomes 0.
[[nodiscard]] double fair_binomial_tail(std::size_t n, std::size_t k);

// The exact sign test of whether paired differences have a median other than 0. It assumes only
// independent pairs, neither a shape nor equal spread, so outliers cannot mislead it. It is exact
// rather than resampled because corrections for many tests need p-values far below the resolution
// of a few thousand replicates. Differences must be finite.
// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd ed. (1999), section 3.4.
struct SignTest {
  std::size_t positive = 0;
  std::size_t negative = 0;
  std::size_t zero = 0;
  // Two-sided, in (0, 1]; 1 for no pairs. Below 1e-308 it becomes 0.
  double p = 1;
};

// Zeros (equal times on a coarse clock) count half to each side, with an odd one on the rarer side,
// and the test covers all pairs. This is never more significant than dropping them, as Conover
// does, so ties cannot decide anything.
[[nodiscard]] SignTest sign_test(std::span<const double> differences);
[[nodiscard]] double sign_test_p(std::size_t positive, std::size_t negative, std::size_t zero);

// The corrections take p-values in any order and return adjusted p-values in the same order: a
// hypothesis is rejected at level q iff its adjusted p-value is <= q. A p-value outside [0, 1] or
// NaN is a broken invariant; ties and an empty list are allowed.

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
