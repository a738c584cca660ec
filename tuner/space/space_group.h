// The configurations of one variant behind one interface: solved from constraints (diagram_group)
// or listed as presets (row_group). A point is the index of each parameter's value, in the order of
// the axes. Internal to space.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "space/search_space.h"

namespace warpwright {

using Point = std::vector<std::uint32_t>;

class SpaceGroup {
 public:
  SpaceGroup(std::string variant, std::vector<SearchSpace::Axis> axes, double cartesian_size);
  virtual ~SpaceGroup() = default;
  SpaceGroup(const SpaceGroup&) = delete;
  SpaceGroup& operator=(const SpaceGroup&) = delete;

  [[nodiscard]] virtual std::uint64_t count() const = 0;
  // Precondition: index < count().
  [[nodiscard]] virtual Point at(std::uint64_t index) const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> index_of(const Point& point) const = 0;
  // The choices for the next axis after `beginning`. Precondition: `beginning` lacks an axis.
  [[nodiscard]] virtual std::vector<SearchSpace::Choice> choices(const Point& beginning) const = 0;
  // Writes one point after another into `point` until `visit` returns false. Returns false if
  // `visit` did.
  virtual bool for_each(Point& point, const std::function<bool()>& visit) const = 0;
  // Indices of the valid points that differ from `index` in one parameter, ascending.
  // Precondition: index < count().
  [[nodiscard]] virtual std::vector<std::uint64_t> neighbours(std::uint64_t index) const = 0;

  [[nodiscard]] const std::string& variant() const { return variant_; }
  [[nodiscard]] const std::vector<SearchSpace::Axis>& axes() const { return axes_; }
  [[nodiscard]] double cartesian_size() const { return cartesian_size_; }
  [[nodiscard]] Configuration configuration(const Point& point) const;
  // Returns nullopt if a parameter is missing, unknown, or has a value that is not listed.
  [[nodiscard]] std::optional<Point> point(const Configuration& configuration) const;

 private:
  std::string variant_;
  std::vector<SearchSpace::Axis> axes_;
  std::vector<std::size_t> by_name_;  // axes in the order of their names
  double cartesian_size_;
};

}  // namespace warpwright
