#include "space/graph_solver.h"

#include <utility>
namespace warpwright {
namespace {

constexpr std::uint64_t kCacheYield = 16;  // a cache is kept if one in this many lookups hits

}  // namespace

GraphSolver::GraphSolver(const GroupProblem& problem, SolvePlan plan, std::size_t max_bytes)
    : problem_(problem),
      plan_(std::move(plan)),
      max_bytes_(max_bytes),
      levels_(plan_.levels()),
      caches_(levels_.size()),
      places_(levels_.size()),
      values_(plan_.initial_values()) {}

std::optional<Diagram> GraphSolver::build() {
  const Diagram::Node root = solve(0);
  if (fault_) return std::nullopt;
  diagram_.set_root(root);
  diagram_.freeze();
  return std::move(diagram_);
}

Diagram::Node GraphSolver::solve(std::size_t level) {
  if (level == levels_.size()) return Diagram::kTerminal;
  const Level& plan = levels_[level];
  if (!plan.cached) return solve_uncached(level);
  const std::uint64_t key = state_of(plan);
  Cache& cache = caches_[level];
  ++cache.asked;
  if (const Diagram::Node* known = cache.states.find(key)) {
    ++cache.found;
    return *known;
  }
  const Diagram::Node node = solve_uncached(level);
  if (!plan.cached) return node;  // the cache was dropped
  const std::size_t before = cache.states.bytes();
  cache.states.insert(key, node);
  cache_bytes_ += cache.states.bytes() - before;
  return node;
}

std::uint64_t GraphSolver::state_of(const Level& plan) const {
  std::uint64_t key = 0;
  for (const SolvePlan::KeyPart& part : plan.key) {
    // A single part of 64 bits leaves nothing to shift.
    key = part.bits == 64 ? 0 : key << part.bits;
    if (part.level >= 0) {
      key |= places_[static_cast<std::size_t>(part.level)];
    } else {
      const std::int64_t value = values_[part.node];
      key |= value == ExprGraph::kFault
                 ? part.fault
                 : static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(part.low);
    }
  }
  return key;
}

// Gathers the edges of one node on the shared stack; the nodes below it push and pop their edges
// above `base`. A constraint that cannot be evaluated is a fault only if no other constraint
// rejects the assignment, so the others are solved first.
Diagram::Node GraphSolver::solve_uncached(std::size_t level) {
  const Level& plan = levels_[level];
  Diagram::Node child = Diagram::kTerminal;
  if (plan.same_rest) {
    child = solve(level + 1);
    if (child == Diagram::kNone) return child;
  }
  const std::size_t base = pending_.size();
  const std::int64_t* row = plan.rows.data();
  for (std::size_t place = 0; place < plan.domain.size(); ++place) {
    if (++steps_ % kResourceCheck == 0) require_resources(level);
    places_[level] = static_cast<std::uint32_t>(place);
    for (const SolvePlan::Id column : plan.columns) values_[column] = *row++;
    const Check verdict = check(plan);
    if (verdict == Check::kRejected || (!plan.bounds.empty() && pruned(level))) continue;
    if (!plan.same_rest) child = solve(level + 1);
    if (child == Diagram::kNone) continue;
    if (verdict == Check::kFault) fault_ = true;
    if (fault_) return Diagram::kNone;
    pending_.push_back({plan.domain[place], child, 0});
  }
  const Diagram::Node node = diagram_.add(std::span(pending_).subspan(base));
  pending_.resize(base);
  return node;
}

GraphSolver::Check GraphSolver::check(const Level& plan) {
  Check result = Check::kAccepted;
  for (const SolvePlan::Step& step : plan.steps) {
    const std::int64_t value = ExprGraph::evaluate(step.node, values_.data());
    values_[step.target] = value;
    if (step.test == SolvePlan::Test::kNone) continue;
    if (value == 0) return Check::kRejected;
    if (value == ExprGraph::kFault && step.test == SolvePlan::Test::kConstraint) {
      result = Check::kFault;
    }
  }
  return result;
}

bool GraphSolver::pruned(std::size_t level) {
  Level& plan = levels_[level];
  for (const SolvePlan::Load& load : plan.loads) {
    const auto value = static_cast<double>(values_[load.node]);
    plan.registers[load.target] = {value, value};
  }
  std::size_t step = 0;
  for (std::size_t i = 0; i < plan.bounds.size(); ++i) {
    SolvePlan::Bound& bound = plan.bounds[i];
    for (; step < bound.end; ++step) {
      const SolvePlan::BoundStep& next = plan.bound_steps[step];
      plan.registers[next.target] = ExprGraph::bounds(next.node, plan.registers.data());
    }
    ++bound.tries;
    const Interval result = plan.registers[bound.result];
    if (result.low == 0 && result.high == 0) {
      ++bound.prunes;
      return true;
    }
    if (bound.tries >= kBoundsTrial && bound.prunes * kBoundsYield < bound.tries) {
      plan_.drop_bound(level, i);
      // Skip the other bounds this time: they are not worth running the rebuilt steps again.
      return false;
    }
  }
  return false;
}

void GraphSolver::require_resources(std::size_t level) {
  if (diagram_.bytes() + cache_bytes_ > max_bytes_) drop_caches();
  const std::size_t axis = levels_[level].axis;
  require_solver_resources(diagram_.bytes() + cache_bytes_, max_bytes_, steps_,
                           problem_.group.axes[axis].name);
}

// Drops the caches with low hit rates, so that the solver does not run out of memory.
void GraphSolver::drop_caches() {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    Cache& cache = caches_[level];
    if (!levels_[level].cached || cache.found * kCacheYield >= cache.asked) continue;
    levels_[level].cached = false;
    cache_bytes_ -= cache.states.bytes();
    cache.states = StateCache();
  }
}

}  // namespace warpwright
