// Reads the constraints of a kernel.yaml and of a sweep.
#include <fmt/format.h>

#include "core/expr/expr_node.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

// Returns true if the expression compares or combines comparisons. A plain number would hold unless
// it is 0, which is never intended.
bool is_condition(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::kLiteral:
      return node.literal.is_bool();
    case ExprKind::kName:
      return false;
    case ExprKind::kUnary:
      return node.op == ExprOp::kNot;
    case ExprKind::kCall:
      return node.op == ExprOp::kIsPow2;
    case ExprKind::kConditional:
      return is_condition(node.children[1]) && is_condition(node.children[2]);
    case ExprKind::kBinary:
      break;
  }
  switch (node.op) {
    case ExprOp::kOr:
    case ExprOp::kAnd:
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
    case ExprOp::kLess:
    case ExprOp::kLessEqual:
    case ExprOp::kGreater:
    case ExprOp::kGreaterEqual:
      return true;
    case ExprOp::kBitOr:
    case ExprOp::kBitXor:
    case ExprOp::kBitAnd:
      return is_condition(node.children[0]) && is_condition(node.children[1]);
    default:
      return false;
  }
}

// Arithmetic and operators that bind tighter may be the left side of a comparison without
// parentheses.
std::string as_operand(const Expr& expr) {
  const ExprNode& root = expr.root();
  const bool looser = root.kind == ExprKind::kConditional ||
                      (root.kind == ExprKind::kBinary && root.op <= ExprOp::kGreaterEqual);
  return looser ? "(" + expr.text() + ")" : expr.text();
}

}  // namespace

std::vector<ConstraintSpec> read_constraints(const YamlReader& section) {
  std::vector<ConstraintSpec> constraints;
  for (const YamlReader& item : section.items()) {
    ConstraintSpec constraint;
    if (item.is_map()) {
      const YamlMap map = item.map({"expr", "because"});
      constraint.expr = map.require("expr", "expr: \"THREADS % 32 == 0\"").expression();
      if (const auto because = map.find("because")) constraint.because = because->text();
    } else {
      constraint.expr = item.expression();
    }
    if (!is_condition(constraint.expr.root())) {
      throw user_error(constraint.expr.where(),
                       fmt::format("the constraint '{}' is not a condition; compare it with "
                                   "something, as in `{} != 0`",
                                   constraint.expr.text(), as_operand(constraint.expr)));
    }
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

}  // namespace warpwright
