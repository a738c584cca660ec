#include "space/space_group.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/error.h"

namespace warpwright {

SpaceGroup::SpaceGroup(std::string variant, std::vector<SearchSpace::Axis> axes,
                       double cartesian_size)
    : variant_(std::move(variant)), axes_(std::move(axes)), cartesian_size_(cartesian_size) {}

Configuration SpaceGroup::configuration(const Point& point) const {
  Configuration result;
  result.variant = variant_;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    result.values.emplace(axes_[i].name, axes_[i].values[point[i]]);
  }
  return result;
}

std::optional<Point> SpaceGroup::point(const Configuration& configuration) const {
  if (configuration.values.size() != axes_.size()) return std::nullopt;
  Point result;
  for (const SearchSpace::Axis& axis : axes_) {
    const auto given = configuration.values.find(axis.name);
    if (given == configuration.values.end()) return std::nullopt;
    const auto listed = std::find(axis.values.begin(), axis.values.end(), given->second);
    if (listed == axis.values.end()) return std::nullopt;
    result.push_back(static_cast<std::uint32_t>(listed - axis.values.begin()));
  }
  return result;
}

// By probing: a parameter has few values, and asking for an index is one walk.
std::vector<std::uint64_t> SpaceGroup::neighbours(std::uint64_t index) const {
  std::vector<std::uint64_t> result;
  Point probe = at(index);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const std::uint32_t own = probe[i];
    for (std::uint32_t value = 0; value < axes_[i].values.size(); ++value) {
      if (value == own) continue;
      probe[i] = value;
      if (const std::optional<std::uint64_t> found = index_of(probe)) result.push_back(*found);
    }
    probe[i] = own;
  }
  std::sort(result.begin(), result.end());
  return result;
}

DiagramGroup::DiagramGroup(const GroupProblem& problem, std::vector<Diagram> diagrams)
    : SpaceGroup(problem.group.variant, problem.group.axes, problem.cartesian_size()),
      diagrams_(std::move(diagrams)),
      component_of_(problem.group.axes.size()) {
  for (std::size_t i = 0; i < problem.components.size(); ++i) {
    for (const int axis : problem.components[i]) component_of_[static_cast<std::size_t>(axis)] = i;
  }
  const bool empty = std::any_of(diagrams_.begin(), diagrams_.end(),
                                 [](const Diagram& diagram) { return diagram.empty(); });
  if (empty || problem.emptied_by() != nullptr) return;
  count_ = 1;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (const Diagram& diagram : diagrams_) {
    if (__builtin_mul_overflow(count_, diagram.count(diagram.root()), &count_) || count_ > kMost) {
      throw user_error("the search space has more than 2^63 configurations; add constraints");
    }
  }
}

DiagramGroup::Cursor DiagramGroup::start() const {
  Cursor cursor;
  for (const Diagram& diagram : diagrams_) cursor.nodes.push_back(diagram.root());
  cursor.ways = count_;
  return cursor;
}

// At each axis the configurations left fall into blocks, one per edge: the edge's own completions
// times those of the other components, which do not depend on it.
Point DiagramGroup::at(std::uint64_t index) const {
  Cursor cursor = start();
  Point point;
  for (const std::size_t component : component_of_) {
    const Diagram& diagram = diagrams_[component];
    Diagram::Node& node = cursor.nodes[component];
    const std::uint64_t others = cursor.ways / diagram.count(node);
    const Diagram::Edge& edge = diagram.locate(node, index / others);
    index -= edge.before * others;
    node = edge.child;
    cursor.ways = diagram.count(node) * others;
    point.push_back(edge.value);
  }
  return point;
}

std::optional<std::uint64_t> DiagramGroup::index_of(const Point& point) const {
  if (count_ == 0) return std::nullopt;
  Cursor cursor = start();
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const Diagram& diagram = diagrams_[component_of_[axis]];
    Diagram::Node& node = cursor.nodes[component_of_[axis]];
    const Diagram::Edge* edge = diagram.find(node, point[axis]);
    if (edge == nullptr) return std::nullopt;
    const std::uint64_t others = cursor.ways / diagram.count(node);
    index += edge->before * others;
    node = edge->child;
    cursor.ways = diagram.count(node) * others;
  }
  return index;
}

std::vector<SearchSpace::Choice> DiagramGroup::choices(const Point& beginning) const {
  if (count_ == 0) return {};
  Cursor cursor = start();
  for (std::size_t axis = 0; axis < beginning.size(); ++axis) {
    const Diagram& diagram = diagrams_[component_of_[axis]];
    Diagram::Node& node = cursor.nodes[component_of_[axis]];
    const Diagram::Edge* edge = diagram.find(node, beginning[axis]);
    if (edge == nullptr) return {};
    cursor.ways = cursor.ways / diagram.count(node) * diagram.count(edge->child);
    node = edge->child;
  }
  const std::size_t component = component_of_[beginning.size()];
  const Diagram& diagram = diagrams_[component];
  const Diagram::Node node = cursor.nodes[component];
  const std::uint64_t others = cursor.ways / diagram.count(node);
  std::vector<SearchSpace::Choice> result;
  for (const Diagram::Edge& edge : diagram.edges(node))
    result.push_back({edge.value, diagram.count(edge.child) * others});
  return result;
}

bool DiagramGroup::for_each(const std::function<bool(const Point&)>& visit) const {
  if (count_ == 0) return true;
  std::vector<Diagram::Node> nodes = start().nodes;
  Point point(component_of_.size());
  return walk(0, nodes, point, visit);
}

bool DiagramGroup::walk(std::size_t axis, std::vector<Diagram::Node>& nodes, Point& point,
                        const std::function<bool(const Point&)>& visit) const {
  if (axis == point.size()) return visit(point);
  const std::size_t component = component_of_[axis];
  const Diagram::Node node = nodes[component];
  for (const Diagram::Edge& edge : diagrams_[component].edges(node)) {
    point[axis] = edge.value;
    nodes[component] = edge.child;
    if (!walk(axis + 1, nodes, point, visit)) return false;
  }
  nodes[component] = node;
  return true;
}

RowGroup::RowGroup(std::string variant, std::vector<SearchSpace::Axis> axes,
                   std::vector<Point> points, std::size_t listed)
    : SpaceGroup(std::move(variant), std::move(axes), static_cast<double>(listed)) {
  for (Point& point : points) {
    if (index_.try_emplace(point, points_.size()).second) points_.push_back(std::move(point));
  }
}

Point RowGroup::at(std::uint64_t index) const { return points_[index]; }

std::optional<std::uint64_t> RowGroup::index_of(const Point& point) const {
  const auto found = index_.find(point);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<SearchSpace::Choice> RowGroup::choices(const Point& beginning) const {
  std::map<std::uint32_t, std::uint64_t> ways;
  for (const Point& point : points_) {
    if (std::equal(beginning.begin(), beginning.end(), point.begin()))
      ++ways[point[beginning.size()]];
  }
  std::vector<SearchSpace::Choice> result;
  for (const auto& [level, count] : ways) result.push_back({level, count});
  return result;
}

bool RowGroup::for_each(const std::function<bool(const Point&)>& visit) const {
  return std::all_of(points_.begin(), points_.end(), visit);
}

}  // namespace warpwright
