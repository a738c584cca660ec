#include "stats/hypothesis_tests.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

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

namespace {

// Indices from the smallest p-value to the largest.
std::vector<std::size_t> ascending(std::span<const double> p_values) {
  for (const double p : p_values) {
    WARPWRIGHT_CHECK(p >= 0 && p <= 1, "a p-value must lie between 0 and 1");
  }
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  return order;
}

}  // namespace

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  const std::vector<std::size_t> order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto still_open = static_cast<double>(order.size() - i);
    largest = std::max(largest, std::min(1.0, still_open * p_values[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg_adjusted(std::span<const double> p_values) {
  const std::vector<std::size_t> order = ascending(p_values);
  const auto tests = static_cast<double>(order.size());
  std::vector<double> adjusted(p_values.size());
  double smallest = 1;
  for (std::size_t i = order.size(); i > 0; --i) {
    const double p = p_values[order[i - 1]];
    smallest = std::min(smallest, p * tests / static_cast<double>(i));
    adjusted[order[i - 1]] = smallest;
  }
  return adjusted;
}

std::vector<bool> rejected_at(std::span<const double> adjusted, double level) {
  std::vector<bool> rejected;
  rejected.reserve(adjusted.size());
  for (const double p : adjusted) rejected.push_back(p <= level);
  return rejected;
}

}  // namespace warpwright
