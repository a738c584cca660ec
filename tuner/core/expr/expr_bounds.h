// Interval arithmetic over expression trees. Internal to core; BoundExpr::bounds is the way in.
// Sound for every value the expression takes; a configuration for which evaluation fails has no
// value.
#pragma once

#include <span>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

[[nodiscard]] Interval tree_bounds(const ExprNode& node, std::span<const Interval> slots) noexcept;

}  // namespace warpwright
