// Expressions of contracts as C over the ww_value of shared/warpwright_select.h: same results, same
// faults, whatever the operands.
#pragma once

#include <map>
#include <string>

#include "core/expr/expr_node.h"

namespace warpwright {

// Names of expressions -> variables of type ww_value in the written code. All must be present.
using CodeVariables = std::map<std::string, std::string>;

// Calls of functions, ww_add(a, b); the result is a ww_value.
[[nodiscard]] std::string expr_code(const ExprNode& node, const CodeVariables& variables);

}  // namespace warpwright
