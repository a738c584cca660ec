// The fixed parts of written headers: the `Value` type of expressions with the operators that a
// contract uses, logarithms and roots that are constant expressions, and select() itself.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/expr/expr_node.h"
#include "exchange/header/expr_code.h"

namespace warpwright {

// In C, names begin with `prefix`.
[[nodiscard]] std::string header_values(const std::set<ExprOp>& operators, CodeLanguage language,
                                        const std::string& prefix);
// select(), with everything that it needs of Place, Board and the tables.
[[nodiscard]] std::string header_choice(CodeLanguage language, const std::string& prefix);
// What defines() and launch() are made with.
[[nodiscard]] std::string header_builders(CodeLanguage language, const std::string& prefix);
// log2(1 + |x|) with the sign of x, and the square root.
[[nodiscard]] std::string header_scales(CodeLanguage language, const std::string& prefix);

// Replaces each `$` by the prefix, in upper case where an upper-case letter follows.
[[nodiscard]] std::string expand_prefix(std::string_view text, const std::string& prefix);

}  // namespace warpwright
