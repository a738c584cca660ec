#include "space/space_group.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "core/error.h"

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

namespace {

// The contribution of one axis to the hash of a point. The hash is a sum, so a neighbour's hash
// takes one step.
std::uint64_t hash_of_level(std::size_t axis, std::uint32_t level) {
  std::uint64_t h = (static_cast<std::uint64_t>(axis + 1) << 32 | level) * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 32);
}

std::uint64_t hash_of_point(const Point& point) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) sum += hash_of_level(i, point[i]);
  return sum;
}

}  // namespace

RowGroup::RowGroup(std::string variant, std::vector<SearchSpace::Axis> axes,
                   std::vector<Point> points, std::size_t listed)
    : SpaceGroup(std::move(variant), std::move(axes), static_cast<double>(listed)),
      slots_(std::bit_ceil(2 * points.size() + 2)) {
  WARPWRIGHT_CHECK(points.size() < kFree, "rows are listed one by one");
  for (Point& point : points) {
    const std::uint64_t hash = hash_of_point(point);
    Slot& slot = slots_[static_cast<std::size_t>(&slot_of(point, hash) - slots_.data())];
    if (slot.row != kFree) continue;
    slot = {hash, static_cast<std::uint32_t>(points_.size())};
    points_.push_back(std::move(point));
  }
  sorted_.resize(points_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::sort(sorted_.begin(), sorted_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return points_[a] < points_[b]; });
}

// The slot of the point, or the free slot where it would be stored.
const RowGroup::Slot& RowGroup::slot_of(const Point& point, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  while (slots_[place].row != kFree &&
         (slots_[place].hash != hash || points_[slots_[place].row] != point)) {
    place = (place + 1) & mask;
  }
  return slots_[place];
}

std::optional<std::uint64_t> RowGroup::index_of(const Point& point) const {
  const Slot& slot = slot_of(point, hash_of_point(point));
  return slot.row == kFree ? std::nullopt : std::optional<std::uint64_t>(slot.row);
}

// Sorted rows with a common beginning are contiguous, and among these so are those with the same
// next value.
std::vector<SearchSpace::Choice> RowGroup::choices(const Point& beginning) const {
  const std::size_t length = beginning.size();
  const auto compared = [&](std::uint32_t row) {
    return std::lexicographical_compare_three_way(
        points_[row].begin(), points_[row].begin() + static_cast<std::ptrdiff_t>(length),
        beginning.begin(), beginning.end());
  };
  auto first = std::partition_point(sorted_.begin(), sorted_.end(),
                                    [&](std::uint32_t row) { return compared(row) < 0; });
  const auto end = std::partition_point(first, sorted_.end(),
                                        [&](std::uint32_t row) { return compared(row) == 0; });
  std::vector<SearchSpace::Choice> result;
  while (first != end) {
    const std::uint32_t level = points_[*first][length];
    const auto next = std::partition_point(
        first, end, [&](std::uint32_t row) { return points_[row][length] == level; });
    result.push_back({level, static_cast<std::uint64_t>(next - first)});
    first = next;
  }
  return result;
}

bool RowGroup::for_each(Point& point, const std::function<bool()>& visit) const {
  return std::all_of(points_.begin(), points_.end(), [&](const Point& row) {
    point = row;
    return visit();
  });
}

// Probes every value: a parameter has few, and each look-up is one step of a hash.
std::vector<std::uint64_t> RowGroup::neighbours(std::uint64_t index) const {
  std::vector<std::uint64_t> result;
  Point probe = points_[index];
  const std::uint64_t hash = hash_of_point(probe);
  for (std::size_t i = 0; i < probe.size(); ++i) {
    const std::uint32_t own = probe[i];
    const std::uint64_t rest = hash - hash_of_level(i, own);
    for (std::uint32_t level = 0; level < axes()[i].values.size(); ++level) {
      if (level == own) continue;
      probe[i] = level;
      const Slot& slot = slot_of(probe, rest + hash_of_level(i, level));
      if (slot.row != kFree) result.push_back(slot.row);
    }
    probe[i] = own;
  }
  std::sort(result.begin(), result.end());
  return result;
}

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
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  for (const Diagram& diagram : diagrams_) {
    if (__builtin_mul_overflow(count_, diagram.count(diagram.root()), &count_) || count_ > kMax) {
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
