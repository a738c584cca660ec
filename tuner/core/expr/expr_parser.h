// A precedence-climbing (Pratt) parser for the expression language. Internal to core; use
// Expr::parse.
#pragma once

#include <string_view>

#include "core/expr/expr_lexer.h"
#include "core/expr/expr_node.h"

namespace warpwright {

// Throws ExprFault on a syntax error, an unknown function, a wrong number of arguments, or an
// expression that is too long or nested too deeply to be evaluated by recursion.
[[nodiscard]] ExprNode parse_expression(std::string_view text);

}  // namespace warpwright
