// solve_space(): solves each variant's group separately, then joins them. A constraint that cannot
// be evaluated is reported here, once a configuration is found that no other constraint rejects.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/error.h"
#include "space/diagram_builder.h"
#include "space/graph_solver.h"
#include "space/group_problem.h"
#include "space/search_space.h"
#include "space/space_group.h"

namespace warpwright {
namespace {

// The space that joins the groups of several variants: indices run through one group after another.
class JoinedSpace : public SearchSpace {
 public:
  explicit JoinedSpace(std::vector<std::unique_ptr<SpaceGroup>> groups)
      : groups_(std::move(groups)) {
    for (const auto& group : groups_) {
      first_.push_back(count_);
      if (__builtin_add_overflow(count_, group->count(), &count_)) {
        throw user_error("the search space has more than 2^64 configurations; add constraints");
      }
    }
  }

  std::uint64_t count() const override { return count_; }

  double cartesian_size() const override {
    double size = 0;
    for (const auto& group : groups_) size += group->cartesian_size();
    return size;
  }

  Configuration at(std::uint64_t index) const override {
    const std::size_t g = group_of(index);
    return groups_[g]->configuration(groups_[g]->at(index - first_[g]));
  }

  std::optional<std::uint64_t> index_of(const Configuration& configuration) const override {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g]->variant() != configuration.variant) continue;
      const std::optional<Point> point = groups_[g]->point(configuration);
      const std::optional<std::uint64_t> index =
          point ? groups_[g]->index_of(*point) : std::nullopt;
      if (index) return first_[g] + *index;
    }
    return std::nullopt;
  }

  Place place_at(std::uint64_t index) const override {
    const std::size_t g = group_of(index);
    return {g, groups_[g]->at(index - first_[g])};
  }

  std::optional<std::uint64_t> index_of(const Place& place) const override {
    WARPWRIGHT_CHECK(
        place.group < groups_.size() && place.levels.size() == groups_[place.group]->axes().size(),
        "a place in another space");
    const std::optional<std::uint64_t> index = groups_[place.group]->index_of(place.levels);
    return index ? std::optional(first_[place.group] + *index) : std::nullopt;
  }

  std::vector<Choice> choices(const Place& beginning) const override {
    WARPWRIGHT_CHECK(beginning.group < groups_.size() &&
                         beginning.levels.size() < groups_[beginning.group]->axes().size(),
                     "the beginning of a place in another space");
    return groups_[beginning.group]->choices(beginning.levels);
  }

  std::vector<std::uint64_t> neighbours(std::uint64_t index) const override {
    const std::size_t g = group_of(index);
    std::vector<std::uint64_t> result = groups_[g]->neighbours(index - first_[g]);
    for (std::uint64_t& neighbour : result) neighbour += first_[g];
    return result;
  }

  void for_each(const std::function<bool(const Configuration&)>& visit) const override {
    for (const auto& group : groups_) {
      if (group->count() > 0 && !visit_group(*group, visit)) return;
    }
  }

  void for_each_place(const std::function<bool(const Place&)>& visit) const override {
    Place place;
    for (; place.group < groups_.size(); ++place.group) {
      if (!groups_[place.group]->for_each(place.levels, [&] { return visit(place); })) return;
    }
  }

  std::vector<Axis> axes(const std::string& variant) const override {
    for (const auto& group : groups_) {
      if (group->variant() == variant) return group->axes();
    }
    return {};
  }

  std::vector<std::string> variants() const override {
    std::vector<std::string> names;
    for (const auto& group : groups_) names.push_back(group->variant());
    return names;
  }

 private:
  [[nodiscard]] std::size_t group_of(std::uint64_t index) const {
    WARPWRIGHT_CHECK(index < count_, "an index beyond the end of the space");
    const auto after = std::upper_bound(first_.begin(), first_.end(), index);
    return static_cast<std::size_t>(after - first_.begin()) - 1;
  }

  // Reuses one configuration and assigns only the values that changed, because visiting is the
  // inner loop of exports.
  static bool visit_group(const SpaceGroup& group,
                          const std::function<bool(const Configuration&)>& visit) {
    Point previous = group.at(0);
    Configuration configuration = group.configuration(previous);
    std::vector<Value*> values;
    for (const Axis& axis : group.axes()) values.push_back(&configuration.values.at(axis.name));
    Point point;
    return group.for_each(point, [&] {
      for (std::size_t i = 0; i < point.size(); ++i) {
        if (point[i] == previous[i]) continue;
        *values[i] = group.axes()[i].values[point[i]];
        previous[i] = point[i];
      }
      return visit(configuration);
    });
  }

  std::vector<std::unique_ptr<SpaceGroup>> groups_;
  std::vector<std::uint64_t> first_;  // per group, the index of its first configuration
  std::uint64_t count_ = 0;
};

// Throws Error (user) if the groups together have more than 2^64 configurations.
std::unique_ptr<SearchSpace> join_groups(std::vector<std::unique_ptr<SpaceGroup>> groups) {
  return std::make_unique<JoinedSpace>(std::move(groups));
}

// Repeats the failed evaluation to obtain its message, and names the configuration.
[[noreturn]] void throw_fault(const GroupProblem& problem, int constraint, const Point& point) {
  std::vector<Value> values;
  Configuration configuration;
  configuration.variant = problem.group.variant;
  for (std::size_t i = 0; i < point.size(); ++i) {
    values.push_back(problem.group.axes[i].values[point[i]]);
    configuration.values[problem.group.axes[i].name] = values.back();
  }
  const BoundConstraint& failing = problem.constraints[static_cast<std::size_t>(constraint)];
  try {
    (void)failing.bound.holds(std::span<const Value>(values));
  } catch (Error& error) {
    error.add_context(fmt::format("in configuration {}", configuration.to_string()));
    throw;
  }
  check_failed("the constraint fails to evaluate", __FILE__, __LINE__,
               "a constraint that failed to evaluate does so no longer");
}

// The index of a constraint without parameters that cannot be evaluated, or -1.
int constant_fault(const GroupProblem& problem) {
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const BoundExpr& bound = problem.constraints[i].bound;
    if (bound.slots().empty() &&
        bound.test(std::span<const Value>()) == BoundExpr::Verdict::kFault) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// All values of one parameter.
Diagram free_diagram(const std::vector<std::uint32_t>& domain) {
  std::vector<Diagram::Edge> edges;
  edges.reserve(domain.size());
  for (const std::uint32_t value : domain) edges.push_back({value, Diagram::kTerminal, 0});
  Diagram diagram;
  diagram.set_root(diagram.add(edges));
  diagram.freeze();
  return diagram;
}

// A component's diagram without explanations of rejections; nullopt if it is empty or if only a
// DiagramBuilder can solve it.
std::optional<Diagram> solve_quickly(const GroupProblem& problem, std::size_t component) {
  const std::vector<int>& axes = problem.components[component];
  const std::vector<int>& constraints = problem.component_constraints[component];
  const bool settled = std::all_of(constraints.begin(), constraints.end(), [&](int index) {
    return problem.constraints[static_cast<std::size_t>(index)].settled;
  });
  // Parameters that share no constraint are components of their own.
  if (settled) return free_diagram(problem.domains[static_cast<std::size_t>(axes[0])]);
  std::optional<SolvePlan> plan = SolvePlan::make(problem, component);
  if (!plan) return std::nullopt;
  std::optional<Diagram> diagram = GraphSolver(problem, *std::move(plan)).build();
  return diagram && !diagram->empty() ? std::move(diagram) : std::nullopt;
}

// The first configuration of a component's diagram.
void first_of(const Diagram& diagram, const std::vector<int>& axes, Point& point) {
  Diagram::Node node = diagram.root();
  for (const int axis : axes) {
    const Diagram::Edge& edge = diagram.edges(node)[0];
    point[static_cast<std::size_t>(axis)] = edge.value;
    node = edge.child;
  }
}

std::unique_ptr<SpaceGroup> solve_group(const SpaceDefinition::Group& group,
                                        const Environment& constants,
                                        std::vector<Emptied>& emptied) {
  GroupProblem problem(group, constants);
  std::vector<Diagram> diagrams(problem.components.size());
  if (problem.emptied_by() != nullptr) {
    emptied.push_back(explain_empty(problem, problem.emptied_by()));
    return std::make_unique<DiagramGroup>(problem, std::move(diagrams));
  }
  int failed = constant_fault(problem);
  // A configuration that no constraint rejects, to be named if a constraint fails to evaluate.
  Point witness(group.axes.size());
  for (std::size_t i = 0; i < problem.components.size(); ++i) {
    const std::vector<int>& axes = problem.components[i];
    if (std::optional<Diagram> diagram = solve_quickly(problem, i)) {
      diagrams[i] = *std::move(diagram);
      first_of(diagrams[i], axes, witness);
      continue;
    }
    DiagramBuilder builder(problem, i);
    diagrams[i] = builder.build();
    if (builder.fault()) {
      failed = builder.fault()->constraint;
      for (std::size_t level = 0; level < axes.size(); ++level) {
        witness[static_cast<std::size_t>(axes[level])] = builder.fault()->values[level];
      }
    } else if (diagrams[i].empty()) {
      emptied.push_back(
          explain_empty(problem, last_blocker(problem, problem.component_constraints[i])));
      return std::make_unique<DiagramGroup>(problem, std::move(diagrams));
    } else {
      first_of(diagrams[i], axes, witness);
    }
  }
  if (failed >= 0) throw_fault(problem, failed, witness);
  return std::make_unique<DiagramGroup>(problem, std::move(diagrams));
}

// The row's values, in the order of the axes.
std::vector<Value> values_of(const SpaceDefinition::Group& group,
                             const std::map<std::string, Value>& row) {
  std::vector<Value> values;
  for (const SearchSpace::Axis& axis : group.axes) {
    const auto given = row.find(axis.name);
    WARPWRIGHT_CHECK(given != row.end(), "a preset row without one of its parameters");
    values.push_back(given->second);
  }
  return values;
}

using AxisLevels = std::vector<std::map<Value, std::uint32_t>>;

AxisLevels levels_of(const SpaceDefinition::Group& group) {
  AxisLevels levels(group.axes.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (const Value& value : group.axes[i].values)
      levels[i].try_emplace(value, static_cast<std::uint32_t>(levels[i].size()));
  }
  return levels;
}

Point point_of(const AxisLevels& levels, const std::vector<Value>& values) {
  Point point;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto found = levels[i].find(values[i]);
    WARPWRIGHT_CHECK(found != levels[i].end(), "a preset row with a value outside its axis");
    point.push_back(found->second);
  }
  return point;
}

// The first constraint that rejects the point, or nullptr. Throws the fault of a constraint that
// cannot be evaluated unless another one rejects the point, which is the same rule as for solved
// groups.
const BoundConstraint* rejecting(const GroupProblem& problem, const std::vector<Value>& values,
                                 const Point& point) {
  int failed = -1;
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const BoundConstraint& constraint = problem.constraints[i];
    const BoundExpr::Verdict verdict = constraint.bound.test(std::span<const Value>(values));
    if (verdict == BoundExpr::Verdict::kFalse) return &constraint;
    if (verdict == BoundExpr::Verdict::kFault) failed = static_cast<int>(i);
  }
  if (failed >= 0) throw_fault(problem, failed, point);
  return nullptr;
}

std::unique_ptr<SpaceGroup> solve_rows(const SpaceDefinition::Group& group,
                                       const Environment& constants,
                                       std::vector<Emptied>& emptied) {
  const GroupProblem problem(group, constants);
  const AxisLevels levels = levels_of(group);
  std::vector<Point> accepted;
  const BoundConstraint* last = nullptr;
  for (const std::map<std::string, Value>& row : group.rows) {
    const std::vector<Value> values = values_of(group, row);
    Point point = point_of(levels, values);
    if (const BoundConstraint* rejected_by = rejecting(problem, values, point)) {
      last = rejected_by;
    } else {
      accepted.push_back(std::move(point));
    }
  }
  if (accepted.empty()) {
    Emptied reasons = explain_empty(problem, last);
    reasons.combinations = static_cast<double>(group.rows.size());
    // The solver's counts refer to the free space, not to the presets.
    reasons.rejections.clear();
    emptied.push_back(std::move(reasons));
  }
  return std::make_unique<RowGroup>(group.variant, group.axes, std::move(accepted),
                                    group.rows.size());
}

}  // namespace

std::unique_ptr<SearchSpace> solve_space(const SpaceDefinition& definition, bool allow_empty) {
  std::vector<std::unique_ptr<SpaceGroup>> groups;
  std::vector<Emptied> emptied;
  for (const SpaceDefinition::Group& group : definition.groups) {
    Environment constants(&definition.constants);
    if (!group.variant.empty()) constants.set("variant", group.variant);
    groups.push_back(group.rows.empty() ? solve_group(group, constants, emptied)
                                        : solve_rows(group, constants, emptied));
  }
  std::unique_ptr<SearchSpace> space = join_groups(std::move(groups));
  if (space->count() == 0 && !allow_empty) {
    if (emptied.empty()) throw user_error("the search space is empty: it has no variant");
    throw empty_space_error(emptied);
  }
  return space;
}

}  // namespace warpwright
