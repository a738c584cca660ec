// Hints for Python and C++ syntax that this language does not have: they give the correct spelling
// of the user's own expression if there is one. A hint follows the quoted expression in a message.
// Internal to core.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/expr/expr_node.h"

namespace warpwright {

// "; write `a / b`: integers truncate" for `a // b`.
[[nodiscard]] std::string floor_division_hint(const ExprNode& a, const ExprNode& b);
// "; write `a != b`" for `a <> b`.
[[nodiscard]] std::string unequal_hint(const ExprNode& a, const ExprNode& b);
// "; write `x * x`" for `x ** 2`, "; write `1 << n`" for `2 ** n`.
[[nodiscard]] std::string power_hint(const ExprNode& base, const ExprNode& exponent);
// "; write `x == 1 || x == 2`" for `x in [1, 2]`. Without elements, the hint is a general one.
[[nodiscard]] std::string membership_hint(const ExprNode& item, std::span<const ExprNode> of,
                                          bool negated);
// "; write `c ? a : b`" for `a if c else b`.
[[nodiscard]] std::string conditional_hint(const ExprNode& condition, const ExprNode& then,
                                           const ExprNode& otherwise);
inline constexpr const char* kConditionalHint = "; write `condition ? then : otherwise`";

// Returns true if other languages have this function, so that it is worth parsing its arguments.
[[nodiscard]] bool is_foreign_function(std::string_view name);
[[nodiscard]] std::string foreign_function_hint(std::string_view name,
                                                std::span<const ExprNode> arguments);

// For names that are undefined here, such as True, None and math.pi. Returns nullopt for other
// names.
[[nodiscard]] std::optional<std::string> foreign_name_hint(std::string_view name);

}  // namespace warpwright
