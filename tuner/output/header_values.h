// The fixed parts of written headers: the `Value` type of expressions with the operators that a
// contract uses, logarithms and roots that are constant expressions, and select() itself.
#pragma once

#include <set>
#include <string>

#include "core/expr_node.h"
#include "output/expr_code.h"

namespace warpwright {

// In C, names begin with `prefix`.
[[nodiscard]] std::string header_values(const std::set<ExprOp>& operators, CodeLanguage language,
                                        const std::string& prefix);
// log2(1 + |x|) with the sign of x, and the square root.
[[nodiscard]] std::string header_scales(CodeLanguage language, const std::string& prefix);

}  // namespace warpwright
