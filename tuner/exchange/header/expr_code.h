// Expressions of contracts as C over the ww_value of shared/warpwright_select.h: same results, same
// faults, whatever the operands.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

// Names of expressions -> variables of type ww_value in the written code. All must be present.
using CodeVariables = std::map<std::string, std::string>;

// Calls of functions, ww_add(a, b); the result is a ww_value.
[[nodiscard]] std::string expr_code(const ExprNode& node, const CodeVariables& variables);

// Statements of a case that put values into members of `out`: member, or member[0], member[1], ...
// A value that is no number leaves out.ok 0.
[[nodiscard]] std::string put_number(const std::string& member, const Expr& expr,
                                     const CodeVariables& variables);
[[nodiscard]] std::string put_numbers(const std::string& member, const std::vector<Expr>& list,
                                      const CodeVariables& variables);

}  // namespace warpwright
