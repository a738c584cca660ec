#include "core/expr/expr_foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

// A spelling longer than this does not help; the message then shows the general form.
constexpr std::size_t kLongest = 120;
// The longest list that is written out as comparisons.
constexpr std::size_t kMaxCompared = 8;

ExprNode node_of(ExprKind kind, ExprOp op, std::vector<ExprNode> children) {
  ExprNode node;
  node.kind = kind;
  node.op = op;
  node.children = std::move(children);
  return node;
}

ExprNode operation(ExprOp op, const ExprNode& a, const ExprNode& b) {
  return node_of(ExprKind::kBinary, op, {a, b});
}

ExprNode called(ExprOp op, const ExprNode& a, const ExprNode& b) {
  return node_of(ExprKind::kCall, op, {a, b});
}

ExprNode integer_node(std::int64_t value) {
  ExprNode node;
  node.literal = value;
  return node;
}

// "; write `a / b`", or `general` if the expression itself is too long or contains a backquote.
std::string spelled(const ExprNode& node, std::string_view general, std::string_view why = "") {
  const std::string text = expr_text(node);
  const bool fits = text.size() <= kLongest && text.find('`') == std::string::npos;
  return fmt::format("; write `{}`{}", fits ? text : general, why);
}

bool is_literal(const ExprNode& node, double value) {
  return node.kind == ExprKind::kLiteral && node.literal.is_number() &&
         node.literal.as_real() == value;
}

bool holds_real(const ExprNode& node) {
  return (node.kind == ExprKind::kLiteral && node.literal.is_real()) ||
         std::any_of(node.children.begin(), node.children.end(), holds_real);
}

// Returns true if no operand in the text is a real; one real operand makes the quotient real.
bool is_integer_division(const ExprNode& node) {
  return node.kind == ExprKind::kBinary && node.op == ExprOp::kDivide && !holds_real(node);
}

constexpr std::string_view kTruncates = ": integers truncate";

struct ForeignFunction {
  std::string_view name;
  std::size_t arguments;  // number needed for a specific hint
  std::string (*hint)(std::span<const ExprNode> arguments);
  std::string_view general;
};

std::string rounded_down(std::span<const ExprNode> arguments) {
  if (is_integer_division(arguments[0])) return spelled(arguments[0], "a / b", kTruncates);
  return "; integers stay integers, and `a / b` of integers truncates";
}

std::string rounded_upwards(std::span<const ExprNode> arguments) {
  if (!is_integer_division(arguments[0])) return "; write `ceil_div(a, b)` for a / b rounded up";
  const std::vector<ExprNode>& parts = arguments[0].children;
  return spelled(called(ExprOp::kCeilDiv, parts[0], parts[1]), "ceil_div(a, b)");
}

std::string as_real(std::span<const ExprNode> arguments) {
  ExprNode one;
  one.literal = 1.0;
  return spelled(operation(ExprOp::kMultiply, one, arguments[0]), "1.0 * a");
}

std::string as_power(std::span<const ExprNode> arguments) {
  return power_hint(arguments[0], arguments[1]);
}

std::string as_conditional(std::span<const ExprNode> arguments) {
  return conditional_hint(arguments[0], arguments[1], arguments[2]);
}

std::string as_ceil_div(std::span<const ExprNode> arguments) {
  return spelled(called(ExprOp::kCeilDiv, arguments[0], arguments[1]), "ceil_div(a, b)");
}

std::string as_align_up(std::span<const ExprNode> arguments) {
  return spelled(called(ExprOp::kAlignUp, arguments[0], arguments[1]), "align_up(a, b)");
}

std::string as_log2(std::span<const ExprNode> arguments) {
  return spelled(node_of(ExprKind::kCall, ExprOp::kLog2, {arguments[0]}), "log2(a)");
}

std::string as_sqrt(std::span<const ExprNode> arguments) {
  return spelled(node_of(ExprKind::kCall, ExprOp::kSqrt, {arguments[0]}), "sqrt(a)");
}

constexpr std::string_view kNoLists =
    "; there are no lists here: name the size, or write the number";
constexpr std::array<ForeignFunction, 17> kForeignFunctions = {{
    {"len", 9, nullptr, kNoLists},
    {"int", 1, rounded_down, "; write `a / b`: integers truncate"},
    {"floor", 1, rounded_down, "; write `a / b`: integers truncate"},
    {"trunc", 1, rounded_down, "; write `a / b`: integers truncate"},
    {"ceil", 1, rounded_upwards, "; write `ceil_div(a, b)`"},
    {"float", 1, as_real, "; write `1.0 * a`"},
    {"pow", 2, as_power, "; write products"},
    {"if", 3, as_conditional, kConditionalHint},
    {"cdiv", 2, as_ceil_div, "; write `ceil_div(a, b)`"},
    {"div_up", 2, as_ceil_div, "; write `ceil_div(a, b)`"},
    {"divup", 2, as_ceil_div, "; write `ceil_div(a, b)`"},
    {"div_ceil", 2, as_ceil_div, "; write `ceil_div(a, b)`"},
    {"round_up", 2, as_align_up, "; write `align_up(a, b)`"},
    {"roundup", 2, as_align_up, "; write `align_up(a, b)`"},
    {"log2f", 1, as_log2, "; write `log2(a)`"},
    {"math.log2", 1, as_log2, "; write `log2(a)`"},
    {"math.sqrt", 1, as_sqrt, "; write `sqrt(a)`"},
}};

constexpr std::string_view kMathPrefix = "math.";

const ForeignFunction* find_foreign(std::string_view name) {
  const auto find = [](std::string_view wanted) {
    return std::find_if(kForeignFunctions.begin(), kForeignFunctions.end(),
                        [&](const ForeignFunction& one) { return one.name == wanted; });
  };
  auto found = find(name);
  if (found == kForeignFunctions.end() && name.starts_with(kMathPrefix))
    found = find(name.substr(kMathPrefix.size()));
  return found == kForeignFunctions.end() ? nullptr : &*found;
}

}  // namespace

std::string floor_division_hint(const ExprNode& a, const ExprNode& b) {
  return spelled(operation(ExprOp::kDivide, a, b), "a / b", kTruncates);
}

std::string unequal_hint(const ExprNode& a, const ExprNode& b) {
  return spelled(operation(ExprOp::kNotEqual, a, b), "a != b");
}

std::string power_hint(const ExprNode& base, const ExprNode& exponent) {
  if (base.literal.is_integer() && is_literal(base, 2))
    return spelled(operation(ExprOp::kShiftLeft, integer_node(1), exponent), "1 << n");
  if (is_literal(exponent, 0.5))
    return spelled(node_of(ExprKind::kCall, ExprOp::kSqrt, {base}), "sqrt(a)");
  if (is_literal(exponent, 2)) return spelled(operation(ExprOp::kMultiply, base, base), "a * a");
  if (is_literal(exponent, 3)) {
    return spelled(operation(ExprOp::kMultiply, operation(ExprOp::kMultiply, base, base), base),
                   "a * a * a");
  }
  return "; there is no power: write products, or `1 << n` for one of 2";
}

std::string membership_hint(const ExprNode& item, std::span<const ExprNode> of, bool negated) {
  const char* general = negated ? "x != a && x != b" : "x == a || x == b";
  if (of.empty() || of.size() > kMaxCompared) return fmt::format("; write `{}`", general);
  const ExprOp compare = negated ? ExprOp::kNotEqual : ExprOp::kEqual;
  ExprNode all = operation(compare, item, of[0]);
  for (const ExprNode& one : of.subspan(1))
    all = operation(negated ? ExprOp::kAnd : ExprOp::kOr, all, operation(compare, item, one));
  return spelled(all, general);
}

std::string conditional_hint(const ExprNode& condition, const ExprNode& then,
                             const ExprNode& otherwise) {
  return spelled(node_of(ExprKind::kConditional, ExprOp::kNone, {condition, then, otherwise}),
                 "condition ? then : otherwise");
}

bool is_foreign_function(std::string_view name) { return find_foreign(name) != nullptr; }

std::string foreign_function_hint(std::string_view name, std::span<const ExprNode> arguments) {
  const ForeignFunction* function = find_foreign(name);
  if (function == nullptr) return "";
  return arguments.size() == function->arguments && function->hint != nullptr
             ? function->hint(arguments)
             : std::string(function->general);
}

std::optional<std::string> foreign_name_hint(std::string_view name) {
  if (name == "True" || name == "TRUE") return "; write `true`";
  if (name == "False" || name == "FALSE") return "; write `false`";
  if (name == "None" || name == "null" || name == "nullptr" || name == "NULL")
    return "; nothing is empty here: write a number, or text to compare with";
  if (name.starts_with(kMathPrefix)) return "; write the number";
  return std::nullopt;
}

}  // namespace warpwright
