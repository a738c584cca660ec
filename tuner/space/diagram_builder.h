// Solves one component of a GroupProblem into a Diagram. Backtracking in canonical order tests each
// constraint as soon as its last parameter is assigned, prunes partial assignments by interval
// bounds, and never solves the same remainder twice: the remainder below a level depends only on
// the assigned parameters that later constraints still read.
//
// A constraint that fails to evaluate (a division by zero) is a fault only if no other constraint
// rejects the assignment, in whatever order they are tested. Internal to space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "space/diagram.h"
#include "space/group_problem.h"
#include "space/solver_resources.h"

namespace warpwright {

// An assignment that every constraint accepts except `constraint`, which cannot be evaluated for
// it.
struct EvaluationFault {
  int constraint = 0;                 // index into GroupProblem::constraints
  std::vector<std::uint32_t> values;  // value indices, in the order of the component's axes
};

class DiagramBuilder {
 public:
  // Counts rejections in `problem`, which must outlive this.
  DiagramBuilder(GroupProblem& problem, std::size_t component,
                 std::size_t max_bytes = kDefaultSolverBytes);

  // Throws Error (user) if the diagram exceeds `max_bytes` or the search tries more than
  // kMaxSolverSteps values.
  [[nodiscard]] Diagram build();
  // Set by build(); the diagram is then incomplete.
  [[nodiscard]] const std::optional<EvaluationFault>& fault() const { return fault_; }

 private:
  // Interval bounds that rarely prune cost more than they save, so each is monitored and dropped if
  // it is not worthwhile.
  struct Partial {
    int constraint = 0;
    std::uint32_t tries = 0;
    std::uint32_t prunes = 0;
    bool active = true;
  };
  struct KeyPart {
    int level = 0;
    int bits = 0;
  };
  struct Level {
    std::size_t axis = 0;
    std::vector<int> complete;     // constraints whose last parameter this is
    std::vector<Partial> partial;  // constraints that read this parameter and a later one
    std::vector<KeyPart> key;      // the earlier parameters that this level and later ones read
    bool cached = false;
    StateCache cache;
  };

  // Returns true if the constraint can be tested with 64-bit integers alone.
  [[nodiscard]] bool reads_integers(const BoundConstraint& constraint) const;
  void plan();
  void plan_key(std::size_t level, std::span<const std::size_t> last_level);
  [[nodiscard]] Diagram::Node solve(std::size_t level);
  [[nodiscard]] Diagram::Node solve_uncached(std::size_t level);
  void assign(Level& level, std::uint32_t value);
  enum class Check { kAccepted, kRejected, kFault };
  [[nodiscard]] Check check(std::size_t level);
  [[nodiscard]] BoundExpr::Verdict test(int index) const;
  [[nodiscard]] bool pruned(std::size_t level);
  // Returns true if some assignment of the remaining levels is rejected by no constraint; it is
  // left in chosen_.
  [[nodiscard]] bool find_witness(std::size_t level);
  // The values chosen above a cached level, as far as the level depends on them.
  [[nodiscard]] std::uint64_t state_of(const Level& plan) const;
  void remember(Level& plan, std::uint64_t key, Diagram::Node node);
  void require_resources(std::size_t level) const;

  GroupProblem& problem_;
  const std::vector<int>& axes_;
  const std::vector<int>& constraints_;
  std::size_t max_bytes_;
  std::vector<Level> levels_;
  std::vector<bool> integer_only_;  // per constraint of the group
  std::vector<bool> needs_values_;  // per axis of the group: some constraint reads it as a Value
  Diagram diagram_;
  std::vector<Diagram::Edge> pending_;  // edges of the nodes under construction, a stack
  std::vector<std::uint32_t> chosen_;   // per level
  std::vector<std::int64_t> integers_;  // per axis of the group, as the constraints read them
  std::vector<Value> values_;
  std::vector<Interval> intervals_;
  std::optional<EvaluationFault> fault_;
  int faulty_constraint_ = -1;
  std::size_t cache_bytes_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace warpwright
