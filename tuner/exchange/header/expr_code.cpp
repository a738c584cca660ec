#include "exchange/header/expr_code.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/expr/expr.h"
#include "exchange/header/identifiers.h"

namespace warpwright {
namespace {

// The function that stands for an operator, in C for all of them.
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

class Writer {
 public:
  Writer(const CodeVariables& variables, CodeLanguage language, const std::string& prefix)
      : variables_(variables), c_(language == CodeLanguage::kC), prefix_(prefix) {}

  [[nodiscard]] std::string write(const ExprNode& node) const {
    switch (node.kind) {
      case ExprKind::kLiteral:
        return literal(node.literal, /*wrapped=*/true);
      case ExprKind::kName:
        return variables_.at(node.name);
      case ExprKind::kUnary:
        return c_ ? call(node) : unary(node);
      case ExprKind::kBinary:
        return c_ ? call(node) : binary(node);
      case ExprKind::kConditional:
      case ExprKind::kCall:
        return call(node);
    }
    return "";
  }

 private:
  // Next to a Value, C++ converts a plain literal; two plain ones would be added as ints.
  [[nodiscard]] std::string literal(const Value& value, bool wrapped) const {
    std::string text;
    std::string_view maker;
    if (value.is_string()) {
      text = text_literal(value.as_string());
      maker = "text";
    } else if (value.is_real()) {
      text = real_literal(value.as_real());
      maker = "real";
    } else {
      text = integer_literal(value.as_integer());
      maker = "integer";
    }
    if (c_) return fmt::format("{}{}({})", prefix_, maker, text);
    return wrapped ? fmt::format("Value({})", text) : text;
  }

  // min and max of several are taken pairwise.
  [[nodiscard]] std::string call(const ExprNode& node) const {
    const std::string name = fmt::format("{}{}", c_ ? prefix_ : "", function_name(node.op));
    if (node.kind == ExprKind::kConditional || node.children.size() < 3) {
      std::string text = name + "(";
      for (std::size_t i = 0; i < node.children.size(); ++i)
        text += (i == 0 ? "" : ", ") + write(node.children[i]);
      return text + ")";
    }
    std::string text = write(node.children[0]);
    for (std::size_t i = 1; i < node.children.size(); ++i)
      text = fmt::format("{}({}, {})", name, text, write(node.children[i]));
    return text;
  }

  [[nodiscard]] std::string unary(const ExprNode& node) const {
    const ExprNode& operand = node.children[0];
    const std::string text = write(operand);
    const bool plain = operand.kind == ExprKind::kName || operand.kind == ExprKind::kCall ||
                       operand.kind == ExprKind::kLiteral;
    return std::string(expr_op_spelling(node.op)) + (plain ? text : "(" + text + ")");
  }

  [[nodiscard]] std::string binary(const ExprNode& node) const {
    const bool other_literal = node.children[1].kind == ExprKind::kLiteral;
    return fmt::format("{} {} {}", operand(node, 0, other_literal), expr_op_spelling(node.op),
                       operand(node, 1, node.children[0].kind == ExprKind::kLiteral));
  }

  [[nodiscard]] std::string operand(const ExprNode& parent, std::size_t index,
                                    bool other_literal) const {
    const ExprNode& child = parent.children[index];
    if (child.kind == ExprKind::kLiteral) return literal(child.literal, other_literal);
    if (child.op == ExprOp::kNot) return "(" + write(child) + ")";  // as compilers suggest
    if (child.kind != ExprKind::kBinary) return write(child);
    return readable(parent.op, child.op, index) ? write(child) : "(" + write(child) + ")";
  }

  // Only what no compiler warns about goes without parentheses: a*b + c, a + b < c, a < b && c,
  // a && b && c.
  static bool readable(ExprOp parent, ExprOp child, std::size_t index) {
    if (parent == child)
      return index == 0 && (parent == ExprOp::kAdd || parent == ExprOp::kMultiply ||
                            parent == ExprOp::kAnd || parent == ExprOp::kOr);
    const bool product =
        child == ExprOp::kMultiply || child == ExprOp::kDivide || child == ExprOp::kRemainder;
    const bool sum = child == ExprOp::kAdd || child == ExprOp::kSubtract;
    if (parent == ExprOp::kAdd || parent == ExprOp::kSubtract)
      return product || (sum && index == 0);
    if (parent == ExprOp::kMultiply || parent == ExprOp::kDivide || parent == ExprOp::kRemainder)
      return product && index == 0;
    if (is_comparison(parent)) return product || sum;
    if (parent == ExprOp::kAnd) return product || sum || is_comparison(child);
    if (parent == ExprOp::kOr) return product || sum || is_comparison(child);
    return false;
  }

  const CodeVariables& variables_;
  bool c_;
  const std::string& prefix_;
};

}  // namespace

std::string expr_code(const ExprNode& node, const CodeVariables& variables, CodeLanguage language,
                      const std::string& prefix) {
  return Writer(variables, language, prefix).write(node);
}

void collect_operators(const ExprNode& node, std::set<ExprOp>& operators) {
  if (node.kind == ExprKind::kConditional) operators.insert(ExprOp::kNone);
  if (node.op != ExprOp::kNone) operators.insert(node.op);
  for (const ExprNode& child : node.children) collect_operators(child, operators);
}

}  // namespace warpwright
