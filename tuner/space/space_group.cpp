#include "space/space_group.h"

#include <algorithm>
#include <numeric>

namespace warpwright {

SpaceGroup::SpaceGroup(std::string variant, std::vector<SearchSpace::Axis> axes,
                       double cartesian_size)
    : variant_(std::move(variant)),
      axes_(std::move(axes)),
      by_name_(axes_.size()),
      cartesian_size_(cartesian_size) {
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::sort(by_name_.begin(), by_name_.end(),
            [&](std::size_t a, std::size_t b) { return axes_[a].name < axes_[b].name; });
}

Configuration SpaceGroup::configuration(const Point& point) const {
  Configuration result;
  result.variant = variant_;
  for (const std::size_t i : by_name_) {
    result.values.emplace_hint(result.values.end(), axes_[i].name, axes_[i].values[point[i]]);
  }
  return result;
}

// A configuration stores its values in the order of their names, so both are walked together.
std::optional<Point> SpaceGroup::point(const Configuration& configuration) const {
  if (configuration.values.size() != axes_.size()) return std::nullopt;
  Point result(axes_.size());
  auto next = by_name_.begin();
  for (const auto& [name, value] : configuration.values) {
    const SearchSpace::Axis& axis = axes_[*next];
    if (axis.name != name) return std::nullopt;
    const auto listed = std::find(axis.values.begin(), axis.values.end(), value);
    if (listed == axis.values.end()) return std::nullopt;
    result[*next++] = static_cast<std::uint32_t>(listed - axis.values.begin());
  }
  return result;
}

}  // namespace warpwright
