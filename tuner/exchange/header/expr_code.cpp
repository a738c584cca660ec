#include "exchange/header/expr_code.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/escape.h"
#include "core/expr/expr.h"
#include "exchange/header/identifiers.h"

namespace warpwright {
namespace {

// The function of warpwright_select.h that stands for an operator.
std::string_view function_name(ExprOp op) {
  switch (op) {
    case ExprOp::kNegate:
      return "negate";
    case ExprOp::kNot:
      return "not";
    case ExprOp::kInvert:
      return "invert";
    case ExprOp::kOr:
      return "or";
    case ExprOp::kAnd:
      return "and";
    case ExprOp::kBitOr:
      return "bit_or";
    case ExprOp::kBitXor:
      return "bit_xor";
    case ExprOp::kBitAnd:
      return "bit_and";
    case ExprOp::kEqual:
      return "equal";
    case ExprOp::kNotEqual:
      return "not_equal";
    case ExprOp::kLess:
      return "less";
    case ExprOp::kLessEqual:
      return "less_equal";
    case ExprOp::kGreater:
      return "greater";
    case ExprOp::kGreaterEqual:
      return "greater_equal";
    case ExprOp::kShiftLeft:
      return "shift_left";
    case ExprOp::kShiftRight:
      return "shift_right";
    case ExprOp::kAdd:
      return "add";
    case ExprOp::kSubtract:
      return "subtract";
    case ExprOp::kMultiply:
      return "multiply";
    case ExprOp::kDivide:
      return "divide";
    case ExprOp::kRemainder:
      return "remainder";
    case ExprOp::kMin:
      return "smaller";
    case ExprOp::kMax:
      return "larger";
    case ExprOp::kAbs:
      return "magnitude";
    case ExprOp::kCeilDiv:
      return "ceil_div";
    case ExprOp::kAlignUp:
      return "align_up";
    case ExprOp::kIsPow2:
      return "is_pow2";
    case ExprOp::kSizeof:
      return "bytes_of";
    case ExprOp::kLog2:
      return "log2_of";
    case ExprOp::kSqrt:
      return "root_of";
    case ExprOp::kNone:
      break;
  }
  return "choose";
}

std::string literal_code(const Value& value) {
  if (value.is_string()) return fmt::format("ww_text({})", c_literal(value.as_string()));
  if (value.is_real()) return fmt::format("ww_real({})", real_literal(value.as_real()));
  return fmt::format("ww_integer({})", integer_literal(value.as_integer()));
}

}  // namespace

std::string expr_code(const ExprNode& node, const CodeVariables& variables) {
  if (node.kind == ExprKind::kLiteral) return literal_code(node.literal);
  if (node.kind == ExprKind::kName) return variables.at(node.name);
  const std::string name = fmt::format("ww_{}", function_name(node.op));
  // min and max of more than two operands are evaluated pairwise.
  if (node.kind != ExprKind::kConditional && node.children.size() > 2) {
    std::string text = expr_code(node.children[0], variables);
    for (std::size_t i = 1; i < node.children.size(); ++i)
      text = fmt::format("{}({}, {})", name, text, expr_code(node.children[i], variables));
    return text;
  }
  std::string text = name + "(";
  for (std::size_t i = 0; i < node.children.size(); ++i)
    text += (i == 0 ? "" : ", ") + expr_code(node.children[i], variables);
  return text + ")";
}

std::string put_number(const std::string& member, const Expr& expr,
                       const CodeVariables& variables) {
  return fmt::format("      ww_put_number(&out.ok, &out.{}, {});\n", member,
                     expr_code(expr.root(), variables));
}

std::string put_numbers(const std::string& member, const std::vector<Expr>& list,
                        const CodeVariables& variables) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += put_number(fmt::format("{}[{}]", member, i), list[i], variables);
  return text;
}

}  // namespace warpwright
