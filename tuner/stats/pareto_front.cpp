#include "stats/pareto_front.h"

#include <algorithm>
#include <numeric>

namespace warpwright {

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better |= a[i] < b[i];
  }
  return better;
}

// In lexicographic order, every point that dominates another comes before it, and every dominated
// point is dominated by one on the front.
std::vector<std::size_t> pareto_front(const std::vector<std::vector<double>>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  std::vector<std::size_t> front;
  for (const std::size_t at : order) {
    const bool dominated = std::any_of(front.begin(), front.end(), [&](std::size_t other) {
      return dominates(points[other], points[at]);
    });
    if (!dominated) front.push_back(at);
  }
  std::sort(front.begin(), front.end());
  return front;
}

}  // namespace warpwright
