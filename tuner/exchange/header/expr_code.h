// Writes expressions of contracts as C over the ww_value of shared/warpwright_select.h: same
// results and same faults for all operands.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

// Maps names in expressions to variables of type ww_value in the written code. All must be present.
using CodeVariables = std::map<std::string, std::string>;

// Nested function calls such as ww_add(a, b); the result is a ww_value.
[[nodiscard]] std::string expr_code(const ExprNode& node, const CodeVariables& variables);

// Statements of a case that store values in members of `out`: member, or member[0], member[1], ...
// If a value is not a number, out.ok stays 0.
[[nodiscard]] std::string put_number(const std::string& member, const Expr& expr,
                                     const CodeVariables& variables);
[[nodiscard]] std::string put_numbers(const std::string& member, const std::vector<Expr>& list,
                                      const CodeVariables& variables);

}  // namespace warpwright
