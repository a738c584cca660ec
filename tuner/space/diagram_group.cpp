#include "space/diagram_group.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace warpwright {
namespace {

// A division of small numbers is several times as fast on older processors.
std::uint64_t quotient(std::uint64_t a, std::uint64_t b) {
  if (b == 1) return a;
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

}  // namespace

DiagramGroup::DiagramGroup(const GroupProblem& problem, std::vector<Diagram> diagrams)
    : SpaceGroup(problem.group.variant, problem.group.axes, problem.cartesian_size()),
      diagrams_(std::move(diagrams)),
      steps_(problem.group.axes.size()) {
  for (std::size_t i = 0; i < problem.components.size(); ++i) {
    for (const int axis : problem.components[i]) {
      steps_[static_cast<std::size_t>(axis)].component = static_cast<std::uint32_t>(i);
    }
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
  plan_steps();
}

void DiagramGroup::plan_steps() {
  std::vector<std::size_t> first(diagrams_.size(), steps_.size());
  std::vector<std::size_t> last(diagrams_.size(), 0);
  for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
    const std::uint32_t component = steps_[axis].component;
    first[component] = std::min(first[component], axis);
    last[component] = axis;
  }
  for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
    Step& step = steps_[axis];
    step.first_open = static_cast<std::uint32_t>(open_.size());
    for (std::uint32_t other = 0; other < diagrams_.size(); ++other) {
      if (other == step.component) continue;
      if (first[other] > axis) {
        step.ahead *= diagrams_[other].count(diagrams_[other].root());
      } else if (last[other] > axis) {
        open_.push_back(other);
      }
    }
    step.end_open = static_cast<std::uint32_t>(open_.size());
  }
}

void DiagramGroup::start(Diagram::Node* nodes) const {
  for (std::size_t i = 0; i < diagrams_.size(); ++i) nodes[i] = diagrams_[i].root();
}

Point DiagramGroup::at(std::uint64_t index) const {
  Nodes reached(diagrams_.size());
  Diagram::Node* nodes = reached.data();
  start(nodes);
  Point point(steps_.size());
  for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
    const Step& step = steps_[axis];
    const std::uint64_t block = others(step, nodes);
    const Diagram::Edge& edge =
        diagrams_[step.component].locate(nodes[step.component], quotient(index, block));
    index -= edge.before * block;
    nodes[step.component] = edge.child;
    point[axis] = edge.value;
  }
  return point;
}

std::optional<std::uint64_t> DiagramGroup::index_of(const Point& point) const {
  if (count_ == 0) return std::nullopt;
  Nodes reached(diagrams_.size());
  Diagram::Node* nodes = reached.data();
  start(nodes);
  std::uint64_t index = 0;
  for (std::size_t axis = 0; axis < point.size(); ++axis) {
    const Step& step = steps_[axis];
    const Diagram::Edge* edge = diagrams_[step.component].find(nodes[step.component], point[axis]);
    if (edge == nullptr) return std::nullopt;
    if (edge->before != 0) index += edge->before * others(step, nodes);
    nodes[step.component] = edge->child;
  }
  return index;
}

std::vector<SearchSpace::Choice> DiagramGroup::choices(const Point& beginning) const {
  if (count_ == 0) return {};
  Nodes reached(diagrams_.size());
  Diagram::Node* nodes = reached.data();
  start(nodes);
  for (std::size_t axis = 0; axis < beginning.size(); ++axis) {
    const std::uint32_t component = steps_[axis].component;
    const Diagram::Edge* edge = diagrams_[component].find(nodes[component], beginning[axis]);
    if (edge == nullptr) return {};
    nodes[component] = edge->child;
  }
  const Step& step = steps_[beginning.size()];
  const Diagram& diagram = diagrams_[step.component];
  const std::uint64_t block = others(step, nodes);
  const std::span<const Diagram::Edge> edges = diagram.edges(nodes[step.component]);
  std::vector<SearchSpace::Choice> result;
  result.reserve(edges.size());
  for (const Diagram::Edge& edge : edges) {
    result.push_back({edge.value, diagram.count(edge.child) * block});
  }
  return result;
}

bool DiagramGroup::for_each(Point& point, const std::function<bool()>& visit) const {
  if (count_ == 0) return true;
  Nodes reached(diagrams_.size());
  start(reached.data());
  point.assign(steps_.size(), 0);
  return walk(0, reached.data(), point, visit);
}

bool DiagramGroup::walk(std::size_t axis, Diagram::Node* nodes, Point& point,
                        const std::function<bool()>& visit) const {
  if (axis == point.size()) return visit();
  const std::uint32_t component = steps_[axis].component;
  const Diagram::Node node = nodes[component];
  for (const Diagram::Edge& edge : diagrams_[component].edges(node)) {
    point[axis] = edge.value;
    nodes[component] = edge.child;
    if (!walk(axis + 1, nodes, point, visit)) return false;
  }
  nodes[component] = node;
  return true;
}

// Produces ascending order without sorting: of two neighbours with a smaller value, the one that
// changes the earlier axis comes first; of two with a larger value, the one that changes the later
// axis.
std::vector<std::uint64_t> DiagramGroup::neighbours(std::uint64_t index) const {
  Nodes reached(diagrams_.size());
  Diagram::Node* nodes = reached.data();
  start(nodes);
  std::vector<Passed> way(steps_.size());
  std::uint64_t rest = index;
  for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
    const Step& step = steps_[axis];
    Passed& passed = way[axis];
    passed.node = nodes[step.component];
    passed.others = others(step, nodes);
    passed.edge = &diagrams_[step.component].locate(passed.node, quotient(rest, passed.others));
    rest -= passed.edge->before * passed.others;
    nodes[step.component] = passed.edge->child;
  }
  std::vector<std::uint64_t> result;
  result.reserve(2 * steps_.size());
  const auto add = [&](std::size_t axis, const Diagram::Edge* edge, const Diagram::Edge* end) {
    for (; edge != end; ++edge) {
      if (const auto found = shifted(axis, *edge, way, index)) result.push_back(*found);
    }
  };
  for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
    const auto edges = diagrams_[steps_[axis].component].edges(way[axis].node);
    add(axis, edges.data(), way[axis].edge);
  }
  for (std::size_t axis = steps_.size(); axis-- > 0;) {
    const auto edges = diagrams_[steps_[axis].component].edges(way[axis].node);
    add(axis, way[axis].edge + 1, edges.data() + edges.size());
  }
  return result;
}

// The index of the point that takes `other` at the axis and keeps the other values. Only the axis'
// own component takes a different path, and only until that path meets a node of the old one; until
// then it changes the block sizes of the other components.
std::optional<std::uint64_t> DiagramGroup::shifted(std::size_t axis, const Diagram::Edge& other,
                                                   std::span<const Passed> way,
                                                   std::uint64_t index) const {
  const std::uint32_t component = steps_[axis].component;
  const Diagram& diagram = diagrams_[component];
  // Differences may wrap around; the final sum is correct.
  index += (other.before - way[axis].edge->before) * way[axis].others;
  Diagram::Node node = other.child;
  Diagram::Node old = way[axis].edge->child;
  while (node != old) {
    const Passed& passed = way[++axis];
    if (steps_[axis].component == component) {
      const Diagram::Edge* edge = diagram.find(node, passed.edge->value);
      if (edge == nullptr) return std::nullopt;
      index += (edge->before - passed.edge->before) * passed.others;
      node = edge->child;
      old = passed.edge->child;
    } else if (passed.edge->before != 0) {
      const std::uint64_t block = quotient(passed.others, diagram.count(old));
      index += passed.edge->before * block * (diagram.count(node) - diagram.count(old));
    }
  }
  return index;
}

}  // namespace warpwright
