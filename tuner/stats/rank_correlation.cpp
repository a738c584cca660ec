#include "stats/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.h"

namespace warpwright {
namespace {

using Point = std::pair<double, double>;

// Pairs of equal neighbours in a sorted sequence.
template <typename Equal>
std::int64_t tied_pairs(const std::vector<Point>& sorted, Equal equal) {
  std::int64_t pairs = 0;
  std::int64_t run = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    run = equal(sorted[i - 1], sorted[i]) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

// Merge sort by y; returns the number of pairs that were in strictly descending order.
std::int64_t sort_by_y(std::vector<Point>& points, std::vector<Point>& buffer, std::size_t begin,
                       std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  std::int64_t inversions =
      sort_by_y(points, buffer, begin, middle) + sort_by_y(points, buffer, middle, end);
  std::size_t left = begin;
  std::size_t right = middle;
  for (std::size_t out = begin; out < end; ++out) {
    const bool take_right =
        left == middle || (right < end && points[right].second < points[left].second);
    if (take_right) {
      inversions += static_cast<std::int64_t>(middle - left);
      buffer[out] = points[right++];
    } else {
      buffer[out] = points[left++];
    }
  }
  std::copy(buffer.begin() + static_cast<std::ptrdiff_t>(begin),
            buffer.begin() + static_cast<std::ptrdiff_t>(end),
            points.begin() + static_cast<std::ptrdiff_t>(begin));
  return inversions;
}

}  // namespace

double kendall_tau_b(std::span<const double> x, std::span<const double> y) {
  WARPWRIGHT_CHECK(x.size() == y.size(), "a rank correlation compares lists of one length");
  std::vector<Point> points;
  points.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    WARPWRIGHT_CHECK(!std::isnan(x[i]) && !std::isnan(y[i]), "NaN has no rank");
    points.emplace_back(x[i], y[i]);
  }
  if (points.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  std::sort(points.begin(), points.end());
  const auto n = static_cast<std::int64_t>(points.size());
  const std::int64_t pairs = n * (n - 1) / 2;
  const std::int64_t tied_x =
      tied_pairs(points, [](const Point& a, const Point& b) { return a.first == b.first; });
  const std::int64_t tied_both =
      tied_pairs(points, [](const Point& a, const Point& b) { return a == b; });
  std::vector<Point> buffer(points.size());
  const std::int64_t discordant = sort_by_y(points, buffer, 0, points.size());
  const std::int64_t tied_y =
      tied_pairs(points, [](const Point& a, const Point& b) { return a.second == b.second; });
  const std::int64_t difference = pairs - tied_x - tied_y + tied_both - 2 * discordant;
  return static_cast<double>(difference) /
         std::sqrt(static_cast<double>(pairs - tied_x) * static_cast<double>(pairs - tied_y));
}

}  // namespace warpwright
