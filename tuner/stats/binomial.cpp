#include "stats/binomial.h"

#include <cmath>

namespace warpwright {

double log_fair_binomial(std::size_t n, std::size_t k) {
  const auto trials = static_cast<double>(n);
  const auto hits = static_cast<double>(k);
  return std::lgamma(trials + 1) - std::lgamma(hits + 1) - std::lgamma(trials - hits + 1) -
         trials * std::log(2.0);
}

double fair_binomial_tail(std::size_t n, std::size_t k) {
  if (k >= n) return 1;
  // Below the middle, the terms shrink from k downwards; above it, the other tail is the small one.
  if (2 * k >= n) return 1 - fair_binomial_tail(n, n - k - 1);
  double term = 1;
  double sum = 1;
  for (std::size_t j = k; j > 0 && term > sum * 1e-17; --j) {
    term *= static_cast<double>(j) / static_cast<double>(n - j + 1);
    sum += term;
  }
  return std::exp(log_fair_binomial(n, k)) * sum;
}

}  // namespace warpwright
