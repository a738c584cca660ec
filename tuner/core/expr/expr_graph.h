// The integer expressions of several constraints as one graph, for solvers that assign slots one
// after another: equal subexpressions share a node, so each is evaluated once, as soon as the last
// slot below it has a value.
//
// Invariants: operands come before the nodes that read them; no two nodes are equal, and the
// operands of commutative operators are in a canonical order. A node that cannot be evaluated has
// the value kFault, which && || and ?: skip as evaluation does. The rare integer with that value
// also counts as a fault, so a fault means "evaluate the expression itself".
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/expr/checked_math.h"
#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

class ExprGraph {
 public:
  using Id = std::uint32_t;
  static constexpr std::int64_t kFault = std::numeric_limits<std::int64_t>::min();

  enum class Kind : std::uint8_t {
    kConstant,     // value
    kSlot,         // value is the slot's number
    kMath,         // a `op` b, of integer_math()
    kNot,          // a == 0
    kInvert,       // ~a
    kIsPow2,       // a is a power of two
    kAnd,          // a && b, 0 or 1
    kOr,           // a || b, 0 or 1
    kConditional,  // a ? b : c
  };
  struct Node {
    Kind kind = Kind::kConstant;
    ExprOp op = ExprOp::kNone;
    Id a = 0;
    Id b = 0;
    Id c = 0;
    std::int64_t value = 0;

    [[nodiscard]] int operand_count() const;
    friend bool operator==(const Node&, const Node&) = default;
  };

  // Adds a bound tree (BoundExpr::folded()) and returns the node of its root; nullopt when the tree
  // holds a real, a string or an operator of them. Nodes of a tree that was refused may stay.
  [[nodiscard]] std::optional<Id> add(const ExprNode& tree);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

  // Computes the node's value from the values of its operands: `values` has one for each node.
  // Slots and constants have no operands; their values are given.
  [[nodiscard]] static std::int64_t evaluate(const Node& node, const std::int64_t* values) noexcept;

  // A range for every value that the node takes while its operands stay inside theirs, as
  // BoundExpr::bounds(); the ranges of slots are given.
  [[nodiscard]] static Interval bounds(const Node& node, const Interval* operands) noexcept;
  // Returns true if the operator itself may fail inside those bounds, assuming valid operands.
  [[nodiscard]] static bool may_fault(const Node& node, const Interval* operands) noexcept;

 private:
  static constexpr Id kFree = std::numeric_limits<Id>::max();

  [[nodiscard]] Id intern(Node node);
  void grow_table();
  [[nodiscard]] Id constant(std::int64_t value);
  [[nodiscard]] std::optional<Id> add_operator(const ExprNode& tree);

  std::vector<Node> nodes_;
  std::vector<Id> table_;  // open addressing by content, kFree where free
};

// In the header because solvers spend their time here.
inline std::int64_t ExprGraph::evaluate(const Node& node, const std::int64_t* values) noexcept {
  const std::int64_t a = values[node.a];
  if (node.kind == Kind::kMath) {
    const std::int64_t b = values[node.b];
    if (a == kFault || b == kFault) return kFault;
    const MathResult result = integer_math(node.op, a, b);
    return result.fault == MathFault::kNone ? result.value : kFault;
  }
  if (a == kFault) return kFault;
  switch (node.kind) {
    case Kind::kNot:
      return a == 0 ? 1 : 0;
    case Kind::kInvert:
      return ~a;
    case Kind::kIsPow2:
      return is_power_of_two(a) ? 1 : 0;
    case Kind::kAnd:
      if (a == 0) return 0;
      return values[node.b] == kFault ? kFault : values[node.b] != 0;
    case Kind::kOr:
      if (a != 0) return 1;
      return values[node.b] == kFault ? kFault : values[node.b] != 0;
    case Kind::kConditional:
      return values[a != 0 ? node.b : node.c];
    default:
      return node.value;
  }
}

}  // namespace warpwright
