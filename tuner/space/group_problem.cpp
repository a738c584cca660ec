#include "space/group_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/words.h"

namespace warpwright {
namespace {

std::vector<std::string> names_of(const std::vector<SearchSpace::Axis>& axes) {
  std::vector<std::string> names;
  for (const SearchSpace::Axis& axis : axes) names.push_back(axis.name);
  return names;
}

// The axis' values as integers; empty if one of them is a real or a string.
std::vector<std::int64_t> integers_of(const SearchSpace::Axis& axis) {
  std::vector<std::int64_t> integers;
  for (const Value& value : axis.values) {
    if (!value.is_integer() && !value.is_bool()) return {};
    integers.push_back(value.as_integer());
  }
  return integers;
}

// Unknown for strings, so that bounds decide nothing.
Interval hull_of(const SearchSpace::Axis& axis, const std::vector<std::uint32_t>& domain) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Interval hull{kInfinity, -kInfinity};
  for (const std::uint32_t i : domain) {
    const Value& value = axis.values[i];
    if (value.is_string()) return {-kInfinity, kInfinity};
    hull.low = std::min(hull.low, value.as_real());
    hull.high = std::max(hull.high, value.as_real());
  }
  return hull;
}

// Union-find with path halving.
int find_root(std::vector<int>& parent, int axis) {
  while (parent[static_cast<std::size_t>(axis)] != axis) {
    axis = parent[static_cast<std::size_t>(axis)] =
        parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(axis)])];
  }
  return axis;
}

}  // namespace

GroupProblem::GroupProblem(const SpaceDefinition::Group& definition, const Environment& constants)
    : group(definition) {
  const std::vector<std::string> names = names_of(group.axes);
  for (const SearchSpace::Axis& axis : group.axes) {
    if (axis.values.empty()) {
      throw user_error(fmt::format("parameter '{}' has no values", axis.name));
    }
    integers.push_back(integers_of(axis));
    domains.emplace_back(axis.values.size());
    std::iota(domains.back().begin(), domains.back().end(), 0);
  }
  constraints.reserve(group.constraints.size());
  for (const ConstraintSpec& spec : group.constraints) {
    constraints.emplace_back(spec, names, constants);
  }
  filter_domains();
  for (std::size_t i = 0; i < domains.size(); ++i) {
    hulls.push_back(hull_of(group.axes[i], domains[i]));
  }
  split();
}

double GroupProblem::cartesian_size() const {
  double size = 1;
  for (const SearchSpace::Axis& axis : group.axes) size *= static_cast<double>(axis.values.size());
  return size;
}

// A value for which a constraint fails to evaluate is kept: another constraint may yet reject it,
// and if none does, the solver reports the failure with a complete configuration.
void GroupProblem::filter_domains() {
  std::vector<Value> values(group.axes.size());
  for (BoundConstraint& constraint : constraints) {
    const std::vector<int>& slots = constraint.bound.slots();
    if (slots.empty()) {
      if (constraint.bound.test(std::span<const Value>(values)) == BoundExpr::Verdict::kFalse) {
        ++constraint.rejected;
        if (emptied_by_ == nullptr) emptied_by_ = &constraint;
      }
      continue;
    }
    if (slots.size() != 1) continue;
    const auto axis = static_cast<std::size_t>(slots[0]);
    constraint.settled = true;
    std::erase_if(domains[axis], [&](std::uint32_t i) {
      values[axis] = group.axes[axis].values[i];
      const BoundExpr::Verdict verdict = constraint.bound.test(std::span<const Value>(values));
      if (verdict == BoundExpr::Verdict::kFault) constraint.settled = false;
      if (verdict != BoundExpr::Verdict::kFalse) return false;
      ++constraint.rejected;
      return true;
    });
    if (domains[axis].empty() && emptied_by_ == nullptr) emptied_by_ = &constraint;
  }
}

// Parameters that share a constraint form one component; a parameter without constraints is a
// component of its own.
void GroupProblem::split() {
  std::vector<int> parent(group.axes.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const BoundConstraint& constraint : constraints) {
    const std::vector<int>& slots = constraint.bound.slots();
    for (const int slot : slots) {
      parent[static_cast<std::size_t>(find_root(parent, slot))] = find_root(parent, slots[0]);
    }
  }
  std::vector<int> component_of(group.axes.size(), -1);
  for (int axis = 0; axis < static_cast<int>(group.axes.size()); ++axis) {
    int& component = component_of[static_cast<std::size_t>(find_root(parent, axis))];
    if (component < 0) {
      component = static_cast<int>(components.size());
      components.emplace_back();
      component_constraints.emplace_back();
    }
    components[static_cast<std::size_t>(component)].push_back(axis);
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const std::vector<int>& slots = constraints[i].bound.slots();
    if (slots.empty()) continue;
    const int component = component_of[static_cast<std::size_t>(find_root(parent, slots[0]))];
    component_constraints[static_cast<std::size_t>(component)].push_back(static_cast<int>(i));
  }
}

Emptied explain_empty(const GroupProblem& problem, const BoundConstraint* blocker) {
  Emptied emptied;
  emptied.variant = problem.group.variant;
  emptied.combinations = problem.cartesian_size();
  for (const BoundConstraint& constraint : problem.constraints) {
    if (constraint.rejected == 0) continue;
    emptied.rejections.emplace_back(constraint.spec->expr.text(), constraint.rejected);
  }
  if (blocker == nullptr) return emptied;
  emptied.where = blocker->spec->expr.where();
  emptied.expression = blocker->spec->expr.text();
  emptied.because = blocker->spec->because;
  return emptied;
}

const BoundConstraint* last_blocker(const GroupProblem& problem,
                                    const std::vector<int>& constraints) {
  const BoundConstraint* blocker = nullptr;
  for (const int index : constraints) {
    const BoundConstraint& candidate = problem.constraints[static_cast<std::size_t>(index)];
    if (candidate.rejected == 0) continue;
    if (blocker == nullptr || candidate.deepest > blocker->deepest ||
        (candidate.deepest == blocker->deepest && candidate.rejected > blocker->rejected)) {
      blocker = &candidate;
    }
  }
  return blocker;
}

Error empty_space_error(const std::vector<Emptied>& groups) {
  std::string text = "no configuration is valid";
  for (const Emptied& group : groups) {
    const std::string variant =
        group.variant.empty() ? "" : fmt::format("variant {}: ", group.variant);
    text += fmt::format("{}{}\"{}\" removed the last of {:.0f} combinations",
                        groups.size() > 1 ? "\n  " : ": ", variant, group.expression,
                        group.combinations);
    if (!group.because.empty()) text += fmt::format(" ({})", group.because);
    if (group.rejections.size() < 2) continue;
    for (const auto& [expression, count] : group.rejections) {
      text += fmt::format("\n{}\"{}\" rejected {}", groups.size() > 1 ? "    " : "  ", expression,
                          plural(count, "partial or whole assignment"));
    }
  }
  text += "\n  relax a constraint or list more values";
  return user_error(groups.front().where, text);
}

}  // namespace warpwright
