// Interval arithmetic over expression trees. Internal to core; use BoundExpr::bounds. Sound for
// every value that the expression takes; a configuration for which evaluation fails has no value.
#pragma once

#include <span>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

[[nodiscard]] Interval tree_bounds(const ExprNode& node, std::span<const Interval> slots) noexcept;

// The bounds of one operator, computed from those of its operands; && and || count as operators
// here.
[[nodiscard]] Interval unary_bounds(ExprOp op, Interval a) noexcept;
[[nodiscard]] Interval binary_bounds(ExprOp op, Interval a, Interval b) noexcept;
[[nodiscard]] Interval conditional_bounds(Interval condition, Interval then,
                                          Interval otherwise) noexcept;

}  // namespace warpwright
