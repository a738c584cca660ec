// Finds the points that no other point dominates. There are several costs, and low is good in each.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright {

// One point dominates another if none of its costs is greater and at least one is smaller.
[[nodiscard]] bool dominates(const std::vector<double>& a, const std::vector<double>& b);

// The points that no other point dominates, ascending; equal points are all on the front. Points
// are finite and have the same number of costs, at least one. The time is proportional to the
// number of points times the number of those on the front.
[[nodiscard]] std::vector<std::size_t> pareto_front(const std::vector<std::vector<double>>& points);

}  // namespace warpwright
