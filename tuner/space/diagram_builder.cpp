#include "space/diagram_builder.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/error.h"

namespace warpwright {
DiagramBuilder::DiagramBuilder(GroupProblem& problem, std::size_t component, std::size_t max_bytes)
    : problem_(problem),
      axes_(problem.components[component]),
      constraints_(problem.component_constraints[component]),
      max_bytes_(max_bytes),
      levels_(axes_.size()),
      integer_only_(problem.constraints.size()),
      needs_values_(problem.group.axes.size()),
      chosen_(axes_.size()),
      integers_(problem.group.axes.size()),
      values_(problem.group.axes.size()),
      intervals_(problem.hulls) {
  plan();
}

bool DiagramBuilder::reads_integers(const BoundConstraint& constraint) const {
  const std::vector<int>& slots = constraint.bound.slots();
  return constraint.bound.integer_only() && std::none_of(slots.begin(), slots.end(), [&](int slot) {
           return problem_.integers[static_cast<std::size_t>(slot)].empty();
         });
}

// Decides for each level which constraints to test there, which to bound, and what identifies the
// remainder.
void DiagramBuilder::plan() {
  std::vector<std::size_t> level_of(problem_.group.axes.size());
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    levels_[i].axis = static_cast<std::size_t>(axes_[i]);
    level_of[levels_[i].axis] = i;
  }
  // For each level, the last level of any constraint that reads its parameter.
  std::vector<std::size_t> last_read(axes_.size(), 0);
  for (const int index : constraints_) {
    const BoundConstraint& constraint = problem_.constraints[static_cast<std::size_t>(index)];
    const std::vector<int>& slots = constraint.bound.slots();
    integer_only_[static_cast<std::size_t>(index)] = reads_integers(constraint);
    if (!reads_integers(constraint)) {
      for (const int slot : slots) needs_values_[static_cast<std::size_t>(slot)] = true;
    }
    const std::size_t last = level_of[static_cast<std::size_t>(slots.back())];
    for (const int slot : slots) {
      const std::size_t level = level_of[static_cast<std::size_t>(slot)];
      last_read[level] = std::max(last_read[level], last);
      if (level != last) levels_[level].partial.push_back({index});
    }
    levels_[last].complete.push_back(index);
  }
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    // Test cheap constraints first.
    std::stable_partition(levels_[i].complete.begin(), levels_[i].complete.end(), [&](int index) {
      return integer_only_[static_cast<std::size_t>(index)];
    });
    plan_key(i, last_read);
  }
}

// The state of a level, packed into 64 bits. If it includes every earlier parameter, no state
// occurs twice, and a cache would only waste memory.
void DiagramBuilder::plan_key(std::size_t level, std::span<const std::size_t> last_read) {
  Level& plan = levels_[level];
  int bits = 0;
  for (std::size_t earlier = 0; earlier < level; ++earlier) {
    if (last_read[earlier] < level) continue;
    const std::size_t values = problem_.group.axes[levels_[earlier].axis].values.size();
    const int width = static_cast<int>(std::bit_width(values - 1));
    plan.key.push_back({static_cast<int>(earlier), width});
    bits += width;
  }
  plan.cached = plan.key.size() < level && bits <= 64;
}

Diagram DiagramBuilder::build() {
  const Diagram::Node root = solve(0);
  diagram_.set_root(root);
  diagram_.freeze();
  return std::move(diagram_);
}

Diagram::Node DiagramBuilder::solve(std::size_t level) {
  if (level == levels_.size()) return Diagram::kTerminal;
  Level& plan = levels_[level];
  if (!plan.cached) return solve_uncached(level);
  const std::uint64_t key = state_of(plan);
  if (const Diagram::Node* known = plan.cache.find(key)) return *known;
  const Diagram::Node node = solve_uncached(level);
  remember(plan, key, node);
  return node;
}

std::uint64_t DiagramBuilder::state_of(const Level& plan) const {
  std::uint64_t key = 0;
  for (const KeyPart& part : plan.key) {
    // A single part of 64 bits leaves nothing to shift.
    key = part.bits == 64 ? 0 : key << part.bits;
    key |= chosen_[static_cast<std::size_t>(part.level)];
  }
  return key;
}

void DiagramBuilder::remember(Level& plan, std::uint64_t key, Diagram::Node node) {
  const std::size_t before = plan.cache.bytes();
  plan.cache.insert(key, node);
  cache_bytes_ += plan.cache.bytes() - before;
}

// Gathers the edges of one node on the shared stack; the nodes below it push and pop their edges
// above `base`.
Diagram::Node DiagramBuilder::solve_uncached(std::size_t level) {
  Level& plan = levels_[level];
  const std::size_t base = pending_.size();
  for (const std::uint32_t value : problem_.domains[plan.axis]) {
    if (++steps_ % kResourceCheck == 0) require_resources(level);
    chosen_[level] = value;
    assign(plan, value);
    const Check verdict = check(level);
    if (verdict == Check::kRejected) continue;
    if (verdict == Check::kFault) {
      const int constraint = faulty_constraint_;
      if (!find_witness(level + 1)) continue;
      fault_ = EvaluationFault{constraint, chosen_};
    }
    if (fault_) break;
    const Diagram::Node child = solve(level + 1);
    if (fault_) break;
    if (child != Diagram::kNone) pending_.push_back({value, child, 0});
  }
  intervals_[plan.axis] = problem_.hulls[plan.axis];
  const Diagram::Node node = diagram_.add(std::span(pending_).subspan(base));
  pending_.resize(base);
  return node;
}

// Stores only the forms of the value that some constraint reads.
void DiagramBuilder::assign(Level& level, std::uint32_t value) {
  const std::size_t axis = level.axis;
  const Value& chosen = problem_.group.axes[axis].values[value];
  if (!problem_.integers[axis].empty()) integers_[axis] = problem_.integers[axis][value];
  if (needs_values_[axis]) values_[axis] = chosen;
  if (!level.partial.empty() && chosen.is_number()) {
    intervals_[axis] = {chosen.as_real(), chosen.as_real()};
  }
}

BoundExpr::Verdict DiagramBuilder::test(int index) const {
  const auto which = static_cast<std::size_t>(index);
  const BoundConstraint& constraint = problem_.constraints[which];
  return integer_only_[which] ? constraint.bound.test(std::span<const std::int64_t>(integers_))
                              : constraint.bound.test(std::span<const Value>(values_));
}

// A fault does not end the test: if a later constraint rejects the assignment, there is nothing to
// report.
DiagramBuilder::Check DiagramBuilder::check(std::size_t level) {
  Check result = Check::kAccepted;
  for (const int index : levels_[level].complete) {
    BoundConstraint& constraint = problem_.constraints[static_cast<std::size_t>(index)];
    switch (test(index)) {
      case BoundExpr::Verdict::kTrue:
        break;
      case BoundExpr::Verdict::kFalse:
        ++constraint.rejected;
        constraint.deepest = std::max(constraint.deepest, static_cast<int>(level));
        return Check::kRejected;
      case BoundExpr::Verdict::kFault:
        faulty_constraint_ = index;
        result = Check::kFault;
        break;
    }
  }
  return pruned(level) ? Check::kRejected : result;
}

bool DiagramBuilder::pruned(std::size_t level) {
  for (Partial& partial : levels_[level].partial) {
    if (!partial.active) continue;
    BoundConstraint& constraint =
        problem_.constraints[static_cast<std::size_t>(partial.constraint)];
    const Interval bounds = constraint.bound.bounds(intervals_);
    ++partial.tries;
    if (bounds.low == 0 && bounds.high == 0) {
      ++partial.prunes;
      ++constraint.rejected;
      constraint.deepest = std::max(constraint.deepest, static_cast<int>(level));
      return true;
    }
    if (partial.tries >= kBoundsTrial && partial.prunes * kBoundsYield < partial.tries) {
      partial.active = false;
    }
  }
  return false;
}

// Backtracks without a diagram and stops at the first assignment that survives. A state without
// such an assignment is recorded as empty, as solve() would find it, and is searched only once.
bool DiagramBuilder::find_witness(std::size_t level) {
  if (level == levels_.size()) return true;
  Level& plan = levels_[level];
  const std::uint64_t key = plan.cached ? state_of(plan) : 0;
  if (plan.cached) {
    if (const Diagram::Node* known = plan.cache.find(key)) return *known != Diagram::kNone;
  }
  bool found = false;
  for (const std::uint32_t value : problem_.domains[plan.axis]) {
    if (++steps_ % kResourceCheck == 0) require_resources(level);
    chosen_[level] = value;
    assign(plan, value);
    found = check(level) != Check::kRejected && find_witness(level + 1);
    if (found) break;
  }
  intervals_[plan.axis] = problem_.hulls[plan.axis];
  if (!found && plan.cached) remember(plan, key, Diagram::kNone);
  return found;
}

void DiagramBuilder::require_resources(std::size_t level) const {
  require_solver_resources(diagram_.bytes() + cache_bytes_, max_bytes_, steps_,
                           problem_.group.axes[levels_[level].axis].name);
}

}  // namespace warpwright
