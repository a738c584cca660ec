#include "stats/multiple_tests.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace warpwright {
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
