// Expressions of contracts as C++ and C over the `Value` type that the written headers define: same
// results, same faults, whatever the operands. exchange/header/header_values.cpp holds that type.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/expr/expr_node.h"

namespace warpwright {

enum class CodeLanguage { kCpp, kC };

// Names of expressions -> variables of type Value in the written code. All must be present.
using CodeVariables = std::map<std::string, std::string>;

// C++ is written with operators as the contract has them; C with calls of functions that begin with
// `prefix`: "ww_swiglu_" gives ww_swiglu_add(a, b). The result is of type Value.
[[nodiscard]] std::string expr_code(const ExprNode& node, const CodeVariables& variables,
                                    CodeLanguage language, const std::string& prefix);

// The operators that the code of `node` needs, added to `operators`.
void collect_operators(const ExprNode& node, std::set<ExprOp>& operators);

}  // namespace warpwright
