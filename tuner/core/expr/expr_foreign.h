// What Python and C++ write that this language does not: hints that give the right spelling of the
// very expression where there is one. Hints follow the quoted expression in a message. Internal to
// core.
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
// "; write `x == 1 || x == 2`" for `x in [1, 2]`. Without elements it says what to write in
// general.
[[nodiscard]] std::string membership_hint(const ExprNode& item, std::span<const ExprNode> of,
                                          bool negated);
// "; write `c ? a : b`" for `a if c else b`.
[[nodiscard]] std::string conditional_hint(const ExprNode& condition, const ExprNode& then,
                                           const ExprNode& otherwise);
inline constexpr const char* kConditionalHint = "; write `condition ? then : otherwise`";

// Whether other languages have this function, so that its arguments are worth reading.
[[nodiscard]] bool is_foreign_function(std::string_view name);
[[nodiscard]] std::string foreign_function_hint(std::string_view name,
                                                std::span<const ExprNode> arguments);

// For names that nothing has: True, None, math.pi. nullopt for names that say nothing.
[[nodiscard]] std::optional<std::string> foreign_name_hint(std::string_view name);

}  // namespace warpwright
