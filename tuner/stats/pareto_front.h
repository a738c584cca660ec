// Which points nothing else is better than: of several costs, low is good in each.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright {

// One point dominates another when it is at most as much in every cost and less in one.
[[nodiscard]] bool dominates(const std::vector<double>& a, const std::vector<double>& b);

// The points that no other dominates, ascending; equal points are all on the front. Points are
// finite and have equally many costs, at least one. Takes time in proportion to the points times
// those on the front.
[[nodiscard]] std::vector<std::size_t> pareto_front(const std::vector<std::vector<double>>& points);

}  // namespace warpwright
