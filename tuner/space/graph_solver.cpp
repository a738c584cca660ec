#include "space/graph_solver.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

namespace warpwright {
namespace {

using Kind = ExprGraph::Kind;

constexpr double kWorthBounds = 16;                // assignments
constexpr double kWidest = 4611686018427387904.0;  // 2^62

// A set of levels as bits; the last bit represents all further levels.
std::uint64_t bit_of(int level) { return std::uint64_t{1} << std::min(level, 63); }

std::array<ExprGraph::Id, 3> operands_of(const ExprGraph::Node& node) {
  return {node.a, node.b, node.c};
}

}  // namespace

std::optional<SolvePlan> SolvePlan::make(const GroupProblem& problem, std::size_t component) {
  SolvePlan plan(problem);
  const std::vector<int>& axes = problem.components[component];
  plan.level_of_.assign(problem.group.axes.size(), -1);
  plan.levels_.resize(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    plan.levels_[i].axis = static_cast<std::size_t>(axes[i]);
    plan.level_of_[plan.levels_[i].axis] = static_cast<int>(i);
  }
  if (!plan.add_constraints(problem.component_constraints[component])) return std::nullopt;
  plan.place_nodes();
  for (std::size_t level = 0; level < axes.size(); ++level) {
    if (!plan.fill_columns(level)) return std::nullopt;
    plan.order_steps(level);
    plan.choose_bounds(level);
    plan.find_key(level);
  }
  return plan;
}

bool SolvePlan::add_constraints(std::span<const int> constraints) {
  for (const int index : constraints) {
    const BoundConstraint& constraint = problem_->constraints[static_cast<std::size_t>(index)];
    if (constraint.settled) continue;
    const std::vector<int>& slots = constraint.bound.slots();
    if (slots.size() == 1) return false;
    for (const int slot : slots) {
      if (problem_->integers[static_cast<std::size_t>(slot)].empty()) return false;
    }
    const std::optional<Id> root = graph_.add(constraint.bound.folded());
    if (!root) return false;
    roots_.push_back(*root);
  }
  return true;
}

// Determines which levels each node reads, its range of values, and whether it may fail.
void SolvePlan::place_nodes() {
  const std::vector<ExprGraph::Node>& nodes = graph_.nodes();
  facts_.resize(nodes.size());
  hulls_.resize(nodes.size());
  initial_values_.assign(nodes.size(), 0);
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const ExprGraph::Node& node = nodes[id];
    if (node.kind == Kind::kSlot) {
      const auto axis = static_cast<std::size_t>(node.value);
      facts_[id].first_level = facts_[id].last_level = level_of_[axis];
      hulls_[id] = problem_->hulls[axis];
      facts_[id].reads = bit_of(facts_[id].last_level);
      continue;
    }
    if (node.kind == Kind::kConstant) initial_values_[id] = node.value;
    facts_[id].may_fault = node.operand_count() > 0 && ExprGraph::may_fault(node, hulls_.data());
    for (int i = 0; i < node.operand_count(); ++i) {
      const Id operand = operands_of(node)[static_cast<std::size_t>(i)];
      facts_[id].last_level = std::max(facts_[id].last_level, facts_[operand].last_level);
      facts_[id].may_fault = facts_[id].may_fault || facts_[operand].may_fault;
      facts_[id].reads |= facts_[operand].reads;
      if (facts_[operand].first_level < 0) continue;
      if (facts_[id].first_level < 0 || facts_[operand].first_level < facts_[id].first_level) {
        facts_[id].first_level = facts_[operand].first_level;
      }
    }
    hulls_[id] = ExprGraph::bounds(node, hulls_.data());
    facts_[id].weight = 1;
    for (int i = 0; i < node.operand_count(); ++i) {
      const Id operand = operands_of(node)[static_cast<std::size_t>(i)];
      // Limited, because shared subexpressions are counted more than once here.
      if (facts_[operand].last_level == facts_[id].last_level && !has_column(operand)) {
        facts_[id].weight = std::min(facts_[id].weight + facts_[operand].weight, 1U << 20);
      }
    }
  }
  for (const Id root : roots_) {
    facts_[root].test = Test::kConstraint;
    Id left = root;
    while (nodes[left].kind == Kind::kAnd) {
      left = nodes[left].a;
      if (facts_[left].test == Test::kNone) facts_[left].test = Test::kLeftSide;
    }
  }
}

// Removes from the level's domain the values that a left side rejects by themselves. Constants that
// failed to fold have no level and no step: they are evaluated once, with the first level. Returns
// false if a value is the integer that stands for a fault.
bool SolvePlan::fill_columns(std::size_t level) {
  const std::vector<ExprGraph::Node>& nodes = graph_.nodes();
  Level& plan = levels_[level];
  if (level == 0) {
    for (std::size_t id = 0; id < nodes.size(); ++id) {
      if (facts_[id].last_level < 0 && nodes[id].operand_count() > 0) {
        initial_values_[id] = ExprGraph::evaluate(nodes[id], initial_values_.data());
      }
    }
  }
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    if (facts_[id].last_level == static_cast<int>(level) && has_column(static_cast<Id>(id))) {
      plan.columns.push_back(static_cast<Id>(id));
    }
  }
  const std::vector<std::uint32_t>& values = problem_->domains[plan.axis];
  plan.domain.reserve(values.size());
  plan.rows.reserve(values.size() * plan.columns.size());
  std::vector<std::int64_t> row = initial_values_;
  for (const std::uint32_t value : values) {
    bool rejected = false;
    for (const Id id : plan.columns) {
      row[id] = nodes[id].kind == Kind::kSlot ? problem_->integers[plan.axis][value]
                                              : ExprGraph::evaluate(nodes[id], row.data());
      if (nodes[id].kind == Kind::kSlot && row[id] == ExprGraph::kFault) return false;
      rejected = rejected || (facts_[id].test != Test::kNone && row[id] == 0);
    }
    if (rejected) continue;
    plan.domain.push_back(value);
    for (const Id id : plan.columns) plan.rows.push_back(row[id]);
  }
  return true;
}

void SolvePlan::schedule(Id id, int level, std::vector<Step>& steps) {
  if (facts_[id].scheduled || facts_[id].last_level != level || has_column(id)) return;
  facts_[id].scheduled = true;
  const ExprGraph::Node& node = graph_.nodes()[id];
  for (int i = 0; i < node.operand_count(); ++i) {
    schedule(operands_of(node)[static_cast<std::size_t>(i)], level, steps);
  }
  steps.push_back({node, id, facts_[id].test});
}

// Whole constraints come first, cheapest first, then left sides, then nodes that only lower levels
// read.
void SolvePlan::order_steps(std::size_t level) {
  std::vector<Id> order;
  for (std::size_t id = 0; id < graph_.nodes().size(); ++id) {
    if (facts_[id].last_level != static_cast<int>(level) || has_column(static_cast<Id>(id)))
      continue;
    order.push_back(static_cast<Id>(id));
  }
  const auto rank = [&](Id id) {
    const int group = facts_[id].test == Test::kConstraint ? 0
                      : facts_[id].test == Test::kLeftSide ? 1
                                                           : 2;
    return std::pair(group, group < 2 ? facts_[id].weight : 0);
  };
  std::sort(order.begin(), order.end(),
            [&](Id a, Id b) { return std::pair(rank(a), a) < std::pair(rank(b), b); });
  for (const Id id : order) schedule(id, static_cast<int>(level), levels_[level].steps);
}

// Bounds are used only for constraints that can be evaluated for every assignment, because they
// would hide a fault, and only if more assignments remain than the bounds cost.
void SolvePlan::choose_bounds(std::size_t level) {
  Level& plan = levels_[level];
  for (const Id root : roots_) {
    if (facts_[root].last_level <= static_cast<int>(level) || facts_[root].may_fault) continue;
    if ((facts_[root].reads & bit_of(static_cast<int>(level))) == 0) continue;
    double left = 1;
    for (int next = static_cast<int>(level) + 1; next <= facts_[root].last_level; ++next) {
      left *= static_cast<double>(
          problem_->domains[levels_[static_cast<std::size_t>(next)].axis].size());
    }
    if (left < kWorthBounds) continue;
    plan.bounds.push_back({root, 0, 0, 0, 0});
  }
  order_bounds(level);
}

void SolvePlan::order_bounds(std::size_t level) {
  Level& plan = levels_[level];
  plan.registers.clear();
  plan.loads.clear();
  plan.bound_steps.clear();
  if (plan.bounds.empty()) return;
  constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint32_t> registers(graph_.nodes().size(), kNone);
  for (Bound& bound : plan.bounds) {
    bound.result = bound_register(bound.root, level, registers);
    bound.end = plan.bound_steps.size();
  }
}

// Returns the register of a node's bounds and adds the steps that compute it.
std::uint32_t SolvePlan::bound_register(Id id, std::size_t level,
                                        std::vector<std::uint32_t>& registers) {
  constexpr std::uint32_t kNone = 0xffffffff;
  if (registers[id] != kNone) return registers[id];
  Level& plan = levels_[level];
  const int current = static_cast<int>(level);
  if (facts_[id].last_level >= 0 && facts_[id].last_level <= current) {
    registers[id] = static_cast<std::uint32_t>(plan.registers.size());
    plan.registers.emplace_back();
    plan.loads.push_back({registers[id], id});
    return registers[id];
  }
  if (facts_[id].last_level < 0 || facts_[id].first_level > current) {
    registers[id] = static_cast<std::uint32_t>(plan.registers.size());
    plan.registers.push_back(hulls_[id]);
    return registers[id];
  }
  ExprGraph::Node node = graph_.nodes()[id];
  const int operands = node.operand_count();
  if (operands > 0) node.a = bound_register(node.a, level, registers);
  if (operands > 1) node.b = bound_register(node.b, level, registers);
  if (operands > 2) node.c = bound_register(node.c, level, registers);
  registers[id] = static_cast<std::uint32_t>(plan.registers.size());
  plan.registers.emplace_back();
  plan.bound_steps.push_back({node, registers[id]});
  return registers[id];
}

void SolvePlan::drop_bound(std::size_t level, std::size_t bound) {
  levels_[level].bounds.erase(levels_[level].bounds.begin() + static_cast<std::ptrdiff_t>(bound));
  order_bounds(level);
}

// Returns true if the node's value follows from those of `known` nodes. Gives up after a number of
// steps, because graphs with much sharing have very many paths; giving up only makes states longer.
bool SolvePlan::follows_from(Id id, const std::vector<bool>& known, int& steps) const {
  const ExprGraph::Node& node = graph_.nodes()[id];
  if (node.kind == Kind::kSlot || --steps < 0) return false;
  for (int i = 0; i < node.operand_count(); ++i) {
    const Id operand = operands_of(node)[static_cast<std::size_t>(i)];
    if (!known[operand] && !follows_from(operand, known, steps)) return false;
  }
  return true;
}

// A small set of nodes of earlier levels that determines everything that this and later levels
// read.
std::vector<SolvePlan::Id> SolvePlan::crossing(std::size_t level) const {
  const std::vector<ExprGraph::Node>& nodes = graph_.nodes();
  const int current = static_cast<int>(level);
  std::vector<bool> known(nodes.size(), false);
  std::vector<Id> candidates;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    if (facts_[id].last_level < current) continue;
    for (int i = 0; i < nodes[id].operand_count(); ++i) {
      const Id operand = operands_of(nodes[id])[static_cast<std::size_t>(i)];
      if (facts_[operand].last_level < 0 || facts_[operand].last_level >= current || known[operand])
        continue;
      known[operand] = true;
      candidates.push_back(operand);
    }
  }
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
  std::erase_if(candidates, [&](Id id) {
    int steps = 100;
    known[id] = !follows_from(id, known, steps);
    return !known[id];
  });
  return candidates;
}

// The key part for the position of an earlier level's value in its domain.
SolvePlan::KeyPart SolvePlan::place_part(int level) const {
  KeyPart part;
  part.level = level;
  const std::size_t values = levels_[static_cast<std::size_t>(level)].domain.size();
  part.bits = static_cast<int>(std::bit_width(std::max<std::size_t>(values, 1) - 1));
  return part;
}

// Returns nullopt if the node's values have no small range.
std::optional<SolvePlan::KeyPart> SolvePlan::key_part(Id id) const {
  if (graph_.nodes()[id].kind == Kind::kSlot) return place_part(facts_[id].last_level);
  const Interval hull = hulls_[id];
  if (!(hull.low > -kWidest && hull.high < kWidest)) return std::nullopt;
  KeyPart part;
  part.node = id;
  part.low = static_cast<std::int64_t>(std::floor(hull.low));
  part.fault = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::ceil(hull.high))) -
               static_cast<std::uint64_t>(part.low) + 1;
  part.bits = static_cast<int>(std::bit_width(facts_[id].may_fault ? part.fault : part.fault - 1));
  return part;
}

// The state of a level, packed into 64 bits: the values that cross it, or the parameters that they
// are computed from if those take fewer bits. If it includes every earlier parameter that has a
// choice, no state occurs twice, and a cache would only waste memory.
void SolvePlan::find_key(std::size_t level) {
  if (level == 0) return;
  Level& plan = levels_[level];
  const std::vector<Id> nodes = crossing(level);
  std::uint64_t read = 0;
  bool narrow = true;
  for (const Id id : nodes) {
    read |= facts_[id].reads;
    const std::optional<KeyPart> part = key_part(id);
    narrow = narrow && part.has_value();
    if (part) plan.key.push_back(*part);
    if (facts_[id].last_level == static_cast<int>(level) - 1) {
      levels_[level - 1].same_rest = false;
    }
  }
  const auto bits_of = [](const std::vector<KeyPart>& parts) {
    int bits = 0;
    for (const KeyPart& part : parts) bits += part.bits;
    return bits;
  };
  if (!narrow || bits_of(plan.key) > 64) {
    plan.key.clear();
    for (int earlier = 0; earlier < static_cast<int>(level); ++earlier) {
      if ((read & bit_of(earlier)) != 0) plan.key.push_back(place_part(earlier));
    }
    if (bits_of(plan.key) > 64) return;
  }
  std::vector<bool> distinct(level, false);
  for (const KeyPart& part : plan.key) {
    if (part.level >= 0) distinct[static_cast<std::size_t>(part.level)] = true;
  }
  std::erase_if(plan.key, [](const KeyPart& part) { return part.bits == 0; });
  for (std::size_t earlier = 0; earlier < level; ++earlier) {
    if (levels_[earlier].domain.size() > 1 && !distinct[earlier]) plan.cached = true;
  }
}

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
