// The configurations of one variant behind one interface: solved from constraints (DiagramGroup) or
// listed as presets (RowGroup). A point is the index of each parameter's value, in the order of the
// axes. Internal to space.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "space/diagram.h"
#include "space/group_problem.h"
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
  // What the next axis goes on with. Precondition: `beginning` lacks an axis.
  [[nodiscard]] virtual std::vector<SearchSpace::Choice> choices(const Point& beginning) const = 0;
  // Runs until `visit` returns false, which is then the result.
  virtual bool for_each(const std::function<bool(const Point&)>& visit) const = 0;

  // Indices of the valid points that differ from `index` in one parameter, ascending.
  [[nodiscard]] std::vector<std::uint64_t> neighbours(std::uint64_t index) const;

  [[nodiscard]] const std::string& variant() const { return variant_; }
  [[nodiscard]] const std::vector<SearchSpace::Axis>& axes() const { return axes_; }
  [[nodiscard]] double cartesian_size() const { return cartesian_size_; }
  [[nodiscard]] Configuration configuration(const Point& point) const;
  // nullopt when a parameter is missing, unknown, or has a value that is not listed.
  [[nodiscard]] std::optional<Point> point(const Configuration& configuration) const;

 private:
  std::string variant_;
  std::vector<SearchSpace::Axis> axes_;
  double cartesian_size_;
};

// The product of independent diagrams, one per component, walked together in the order of the axes:
// the number of ways to complete a point is the product of what each component's current node
// counts, so the product is never built.
class DiagramGroup : public SpaceGroup {
 public:
  // Throws Error (user) when the product counts more than 2^63 configurations.
  DiagramGroup(const GroupProblem& problem, std::vector<Diagram> diagrams);

  [[nodiscard]] std::uint64_t count() const override { return count_; }
  [[nodiscard]] Point at(std::uint64_t index) const override;
  [[nodiscard]] std::optional<std::uint64_t> index_of(const Point& point) const override;
  [[nodiscard]] std::vector<SearchSpace::Choice> choices(const Point& beginning) const override;
  bool for_each(const std::function<bool(const Point&)>& visit) const override;

 private:
  // The node that each component has reached, and the number of ways to complete the point from
  // here.
  struct Cursor {
    std::vector<Diagram::Node> nodes;
    std::uint64_t ways = 0;
  };
  [[nodiscard]] Cursor start() const;
  bool walk(std::size_t axis, std::vector<Diagram::Node>& nodes, Point& point,
            const std::function<bool(const Point&)>& visit) const;

  std::vector<Diagram> diagrams_;
  std::vector<std::size_t> component_of_;  // per axis
  std::uint64_t count_ = 0;
};

// Listed points, in their listed order, each once. There may be tens of thousands: recordings of
// other tuners list what they measured.
class RowGroup : public SpaceGroup {
 public:
  RowGroup(std::string variant, std::vector<SearchSpace::Axis> axes, std::vector<Point> points,
           std::size_t listed);

  [[nodiscard]] std::uint64_t count() const override { return points_.size(); }
  [[nodiscard]] Point at(std::uint64_t index) const override;
  [[nodiscard]] std::optional<std::uint64_t> index_of(const Point& point) const override;
  [[nodiscard]] std::vector<SearchSpace::Choice> choices(const Point& beginning) const override;
  bool for_each(const std::function<bool(const Point&)>& visit) const override;

 private:
  std::vector<Point> points_;
  std::map<Point, std::uint64_t> index_;
};

}  // namespace warpwright
