#include "stats/paired_test.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "stats/binomial.h"

namespace warpwright {

double sign_test_p(std::size_t positive, std::size_t negative, std::size_t zero) {
  const std::size_t pairs = positive + negative + zero;
  const std::size_t rarer = std::min(positive, negative) + (zero + 1) / 2;
  if (2 * rarer + 1 >= pairs) return 1;  // as even a split as possible
  return std::min(1.0, 2 * fair_binomial_tail(pairs, rarer));
}

SignTest sign_test(std::span<const double> differences) {
  SignTest test;
  for (const double difference : differences) {
    WARPWRIGHT_CHECK(std::isfinite(difference), "a sign test needs finite differences");
    if (difference > 0) {
      ++test.positive;
    } else if (difference < 0) {
      ++test.negative;
    } else {
      ++test.zero;
    }
  }
  test.p = sign_test_p(test.positive, test.negative, test.zero);
  return test;
}

}  // namespace warpwright
