// Solves one component of a GroupProblem whose constraints are integer expressions by a plan: for
// each level, i.e. for each parameter in canonical order, what to evaluate, what to test, what to
// bound, and what the remainder depends on. Constraints share one expression graph, so a common
// subexpression is evaluated once, at the level of its last parameter. Internal to space.
//
// The remainder below a level depends on the values of the subexpressions that cross it, not on the
// parameters in them: with `x * y <= 64`, 2 * 8 and 4 * 4 leave the same remainder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/expr/expr_graph.h"
#include "space/diagram.h"
#include "space/group_problem.h"
#include "space/solver_resources.h"

namespace warpwright {

class SolvePlan {
 public:
  using Id = ExprGraph::Id;

  // A constraint that is false rejects the assignment. So does the left side of `a && b`, before b
  // can be evaluated; a left side that cannot be evaluated decides nothing by itself.
  enum class Test : std::uint8_t { kNone, kConstraint, kLeftSide };
  struct Step {
    ExprGraph::Node node;
    Id target = 0;
    Test test = Test::kNone;
  };
  // A part of a level's state: the position of an earlier parameter's value in its domain, or the
  // value of a node counted from `low`; `fault` represents a value that cannot be evaluated.
  struct KeyPart {
    int level = -1;
    Id node = 0;
    std::int64_t low = 0;
    std::uint64_t fault = 0;
    int bits = 0;
  };
  // Interval arithmetic over numbered registers; `loads` copy nodes with known values.
  struct Load {
    std::uint32_t target = 0;
    Id node = 0;
  };
  struct BoundStep {
    ExprGraph::Node node;  // operands are registers
    std::uint32_t target = 0;
  };
  // A constraint with parameters below the level. Bounds that rarely prune cost more than they
  // save, so each is monitored and dropped if it is not worthwhile.
  struct Bound {
    Id root = 0;
    std::uint32_t result = 0;  // a register
    std::size_t end = 0;       // end of its steps, which begin at the previous bound's end
    std::uint32_t tries = 0;
    std::uint32_t prunes = 0;
  };
  struct Level {
    std::size_t axis = 0;
    std::vector<std::uint32_t> domain;  // ascending indices into the parameter's values
    // Nodes that read only the level's parameter, and their values, one row per element of the
    // domain.
    std::vector<Id> columns;
    std::vector<std::int64_t> rows;
    std::vector<Step> steps;
    std::vector<Interval> registers;
    std::vector<Load> loads;
    std::vector<BoundStep> bound_steps;
    std::vector<Bound> bounds;
    std::vector<KeyPart> key;
    bool cached = false;  // states may recur
    // True if the next level's state does not depend on this level's value.
    bool same_rest = true;
  };

  // Returns nullopt if some constraint is not an integer expression, or if one with a single
  // parameter cannot be evaluated for a value of its domain.
  [[nodiscard]] static std::optional<SolvePlan> make(const GroupProblem& problem,
                                                     std::size_t component);

  [[nodiscard]] std::vector<Level>& levels() { return levels_; }
  // The initial value of each node: the value of a constant, 0 for all others.
  [[nodiscard]] const std::vector<std::int64_t>& initial_values() const { return initial_values_; }
  // Drops a bound and rebuilds the level's steps.
  void drop_bound(std::size_t level, std::size_t bound);

 private:
  explicit SolvePlan(const GroupProblem& problem) : problem_(&problem) {}

  [[nodiscard]] bool add_constraints(std::span<const int> constraints);
  void place_nodes();
  [[nodiscard]] bool fill_columns(std::size_t level);
  void order_steps(std::size_t level);
  void schedule(Id id, int level, std::vector<Step>& steps);
  void choose_bounds(std::size_t level);
  void order_bounds(std::size_t level);
  [[nodiscard]] std::uint32_t bound_register(Id id, std::size_t level,
                                             std::vector<std::uint32_t>& registers);
  void find_key(std::size_t level);
  [[nodiscard]] bool follows_from(Id id, const std::vector<bool>& known, int& steps) const;
  [[nodiscard]] std::vector<Id> crossing(std::size_t level) const;
  [[nodiscard]] KeyPart place_part(int level) const;
  [[nodiscard]] std::optional<KeyPart> key_part(Id id) const;

  // Static properties of a node of the graph.
  struct Facts {
    int first_level = -1;  // first level of the parameters below it; -1 for constants
    int last_level = -1;
    std::uint64_t reads = 0;   // the set of levels below it
    std::uint32_t weight = 0;  // approximate cost of evaluating it at its last level
    Test test = Test::kNone;
    bool scheduled = false;
    bool may_fault = false;  // it, or a node that it reads
  };
  // A node that reads only one parameter has a column instead of a step.
  [[nodiscard]] bool has_column(Id id) const {
    return facts_[id].last_level >= 0 && facts_[id].first_level == facts_[id].last_level;
  }

  const GroupProblem* problem_;
  ExprGraph graph_;
  std::vector<Id> roots_;  // one per unsettled constraint
  std::vector<Level> levels_;
  std::vector<int> level_of_;                 // per axis of the group; -1: in another component
  std::vector<Facts> facts_;                  // per node
  std::vector<Interval> hulls_;               // per node, for the full domains
  std::vector<std::int64_t> initial_values_;  // per node
};

// Solves one component of a GroupProblem by its SolvePlan: backtracking in canonical order over the
// values of shared subexpressions, in which no state is solved twice. The result is the same
// diagram as that of DiagramBuilder, in a fraction of the time, but without explanations:
// rejections are not counted and faults are not located.
class GraphSolver {
 public:
  // `problem` must outlive this.
  GraphSolver(const GroupProblem& problem, SolvePlan plan,
              std::size_t max_bytes = kDefaultSolverBytes);
  GraphSolver(const GraphSolver&) = delete;
  GraphSolver& operator=(const GraphSolver&) = delete;

  // Returns nullopt if a constraint cannot be evaluated for an assignment that no other constraint
  // rejects. Throws Error (user) if the diagram exceeds `max_bytes` or the search tries too many
  // values.
  [[nodiscard]] std::optional<Diagram> build();

 private:
  using Level = SolvePlan::Level;
  enum class Check { kAccepted, kRejected, kFault };

  [[nodiscard]] Diagram::Node solve(std::size_t level);
  [[nodiscard]] Diagram::Node solve_uncached(std::size_t level);
  [[nodiscard]] Check check(const Level& plan);
  [[nodiscard]] bool pruned(std::size_t level);
  [[nodiscard]] std::uint64_t state_of(const Level& plan) const;
  void require_resources(std::size_t level);
  void drop_caches();

  const GroupProblem& problem_;
  SolvePlan plan_;
  std::size_t max_bytes_;
  std::vector<Level>& levels_;  // those of plan_
  // Counts lookups, because only they show whether states recur.
  struct Cache {
    StateCache states;
    std::uint64_t asked = 0;
    std::uint64_t found = 0;
  };
  std::vector<Cache> caches_;  // per level
  Diagram diagram_;
  std::vector<Diagram::Edge> pending_;  // edges of the nodes under construction, a stack
  std::vector<std::uint32_t> places_;   // per level, the place of its value in the domain
  std::vector<std::int64_t> values_;    // per node of the graph
  bool fault_ = false;
  std::size_t cache_bytes_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace warpwright
