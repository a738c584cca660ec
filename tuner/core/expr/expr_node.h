// The tree behind core/expr/expr.h, for the layers that walk it (bounds, folding, dependency
// checks). Invariants: a tree is at most kMaxExprDepth levels deep, so that recursion over it is
// safe; the children of a node are in source order; a minus sign in front of a number literal is
// folded into the literal; offsets refer to the expression's text, or in a subtree with `let` to
// that of its innermost_let().
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/value.h"
#include "core/source_location.h"

namespace warpwright {

inline constexpr int kMaxExprDepth = 200;
inline constexpr std::size_t kMaxExprLength = 10000;

enum class ExprKind { kLiteral, kName, kUnary, kBinary, kConditional, kCall };

enum class ExprOp {
  kNone,
  // unary
  kNegate,
  kNot,
  kInvert,
  // binary, from the loosest to the tightest
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kShiftLeft,
  kShiftRight,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  // functions
  kMin,
  kMax,
  kAbs,
  kCeilDiv,
  kAlignUp,
  kIsPow2,
  kSizeof,
  kLog2,
  kSqrt,
};

// A named expression written out where its name stood (core/expr/expr_lets.h).
struct ExprLet {
  std::string name;
  std::string text;  // as its author wrote it
  SourceLocation where;
  // The inner let, if the text is only the name of another let.
  std::shared_ptr<const ExprLet> inner;
};

struct ExprNode {
  ExprKind kind = ExprKind::kLiteral;
  ExprOp op = ExprOp::kNone;  // kUnary, kBinary, kCall
  int offset = 0;             // of the literal, name, operator or function in the expression's text
  int depth = 1;              // levels of this subtree
  int slot = -1;              // kName in a bound expression
  Value literal;              // kLiteral
  std::string name;           // kName
  std::vector<ExprNode> children;      // operands, arguments, or condition, then, else
  std::shared_ptr<const ExprLet> let;  // on the root of an expanded name
};

// The let whose text contains the operator, name or literal of `node`; `around` is the let that
// encloses the node.
[[nodiscard]] inline std::shared_ptr<const ExprLet> innermost_let(
    const ExprNode& node, const std::shared_ptr<const ExprLet>& around = nullptr) {
  std::shared_ptr<const ExprLet> let = node.let ? node.let : around;
  while (let && let->inner) let = let->inner;
  return let;
}

// Prints canonically with the fewest parentheses, as Expr::to_string() does.
[[nodiscard]] std::string expr_text(const ExprNode& node);

// The spelling of an operator: "%", "<=", "ceil_div".
[[nodiscard]] std::string_view expr_op_spelling(ExprOp op);

// The precedence of a node's text, from 1 (?:) to 13 (literals, names, calls).
[[nodiscard]] int expr_precedence(const ExprNode& node);
[[nodiscard]] int expr_op_precedence(ExprOp binary_op);
inline constexpr int kConditionalPrecedence = 1;
inline constexpr int kUnaryPrecedence = 12;
inline constexpr int kPrimaryPrecedence = 13;

// Returns true for comparisons: one cannot be the left operand of another of the same precedence
// without parentheses.
[[nodiscard]] bool is_comparison(ExprOp op);

}  // namespace warpwright
