// The binomial distribution B(n, 1/2), the basis of every order statistic and sign test here.
// Computed in logarithms, so that n may be large; the relative error is about 1e-15 times n.
#pragma once

#include <cstddef>

namespace warpwright {

// ln P(B = k), k <= n.
[[nodiscard]] double log_fair_binomial(std::size_t n, std::size_t k);
// P(B <= k); 1 for k >= n. A probability below 1e-308 becomes 0.
[[nodiscard]] double fair_binomial_tail(std::size_t n, std::size_t k);

}  // namespace warpwright
