#include <fmt/format.h>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {
namespace {

void print(const ExprNode& node, std::string& out);

void print_child(const ExprNode& child, bool parentheses, std::string& out) {
  if (parentheses) out += '(';
  print(child, out);
  if (parentheses) out += ')';
}

// Prints a literal in the form that the lexer reads back.
void print_literal(const Value& value, std::string& out) {
  if (!value.is_string()) {
    out += value.to_string();
    return;
  }
  out += '\'';
  for (const char c : value.as_string()) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

// Operators associate to the left, so an equal precedence needs parentheses on the right only;
// comparisons, which do not chain, need them on both sides.
void print_binary(const ExprNode& node, std::string& out) {
  const int precedence = expr_op_precedence(node.op);
  const int left = expr_precedence(node.children[0]);
  print_child(node.children[0], left < precedence || (left == precedence && is_comparison(node.op)),
              out);
  out += fmt::format(" {} ", expr_op_spelling(node.op));
  print_child(node.children[1], expr_precedence(node.children[1]) <= precedence, out);
}

void print_call(const ExprNode& node, std::string& out) {
  out += expr_op_spelling(node.op);
  out += '(';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const ExprNode& child = node.children[i];
    if (i > 0) out += ", ";
    const bool dtype = node.op == ExprOp::kSizeof && child.kind == ExprKind::kLiteral &&
                       child.literal.is_string() && dtype_bytes(child.literal.as_string());
    if (dtype) {
      out += child.literal.as_string();
    } else {
      print(child, out);
    }
  }
  out += ')';
}

void print(const ExprNode& node, std::string& out) {
  switch (node.kind) {
    case ExprKind::kLiteral:
      print_literal(node.literal, out);
      break;
    case ExprKind::kName:
      out += node.name;
      break;
    case ExprKind::kUnary: {
      const ExprNode& operand = node.children[0];
      // "-(-A)" rather than "--A", which reads like a decrement.
      const bool again = node.op == ExprOp::kNegate && operand.op == ExprOp::kNegate;
      // A literal after a minus sign would be read as a negative literal.
      const bool number = node.op == ExprOp::kNegate && operand.kind == ExprKind::kLiteral;
      out += expr_op_spelling(node.op);
      print_child(operand, again || number || expr_precedence(operand) < kUnaryPrecedence, out);
      break;
    }
    case ExprKind::kBinary:
      print_binary(node, out);
      break;
    case ExprKind::kConditional:
      print_child(node.children[0], expr_precedence(node.children[0]) <= kConditionalPrecedence,
                  out);
      out += " ? ";
      print(node.children[1], out);
      out += " : ";
      print(node.children[2], out);
      break;
    case ExprKind::kCall:
      print_call(node, out);
      break;
  }
}

}  // namespace

std::string_view expr_op_spelling(ExprOp op) {
  switch (op) {
    case ExprOp::kNone:
      return "";
    case ExprOp::kNegate:
      return "-";
    case ExprOp::kNot:
      return "!";
    case ExprOp::kInvert:
      return "~";
    case ExprOp::kOr:
      return "||";
    case ExprOp::kAnd:
      return "&&";
    case ExprOp::kBitOr:
      return "|";
    case ExprOp::kBitXor:
      return "^";
    case ExprOp::kBitAnd:
      return "&";
    case ExprOp::kEqual:
      return "==";
    case ExprOp::kNotEqual:
      return "!=";
    case ExprOp::kLess:
      return "<";
    case ExprOp::kLessEqual:
      return "<=";
    case ExprOp::kGreater:
      return ">";
    case ExprOp::kGreaterEqual:
      return ">=";
    case ExprOp::kShiftLeft:
      return "<<";
    case ExprOp::kShiftRight:
      return ">>";
    case ExprOp::kAdd:
      return "+";
    case ExprOp::kSubtract:
      return "-";
    case ExprOp::kMultiply:
      return "*";
    case ExprOp::kDivide:
      return "/";
    case ExprOp::kRemainder:
      return "%";
    case ExprOp::kMin:
      return "min";
    case ExprOp::kMax:
      return "max";
    case ExprOp::kAbs:
      return "abs";
    case ExprOp::kCeilDiv:
      return "ceil_div";
    case ExprOp::kAlignUp:
      return "align_up";
    case ExprOp::kIsPow2:
      return "is_pow2";
    case ExprOp::kSizeof:
      return "sizeof";
    case ExprOp::kLog2:
      return "log2";
    case ExprOp::kSqrt:
      return "sqrt";
  }
  return "";
}

int expr_op_precedence(ExprOp op) {
  switch (op) {
    case ExprOp::kOr:
      return 2;
    case ExprOp::kAnd:
      return 3;
    case ExprOp::kBitOr:
      return 4;
    case ExprOp::kBitXor:
      return 5;
    case ExprOp::kBitAnd:
      return 6;
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
      return 7;
    case ExprOp::kLess:
    case ExprOp::kLessEqual:
    case ExprOp::kGreater:
    case ExprOp::kGreaterEqual:
      return 8;
    case ExprOp::kShiftLeft:
    case ExprOp::kShiftRight:
      return 9;
    case ExprOp::kAdd:
    case ExprOp::kSubtract:
      return 10;
    case ExprOp::kMultiply:
    case ExprOp::kDivide:
    case ExprOp::kRemainder:
      return 11;
    default:
      return kPrimaryPrecedence;
  }
}

int expr_precedence(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::kUnary:
      return kUnaryPrecedence;
    case ExprKind::kBinary:
      return expr_op_precedence(node.op);
    case ExprKind::kConditional:
      return kConditionalPrecedence;
    default:
      return kPrimaryPrecedence;
  }
}

bool is_comparison(ExprOp op) { return op >= ExprOp::kEqual && op <= ExprOp::kGreaterEqual; }

std::string expr_text(const ExprNode& node) {
  std::string out;
  print(node, out);
  return out;
}

std::string Expr::to_string() const { return expr_text(*root_); }

}  // namespace warpwright
