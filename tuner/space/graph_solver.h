// Solves one component of a GroupProblem by its SolvePlan: backtracking in canonical order over the
// values of shared subexpressions, in which no state is solved twice. The result is the same
// diagram as that of DiagramBuilder, in a fraction of the time, but without explanations:
// rejections are not counted and faults are not located. Internal to space.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "space/diagram.h"
#include "space/solve_plan.h"
#include "space/solver_limits.h"
#include "space/state_cache.h"

namespace warpwright {

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
