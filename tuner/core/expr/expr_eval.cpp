#include "core/expr/expr_eval.h"

#include <fmt/format.h>

#include <cmath>
#include <compare>
#include <cstdint>

#include "core/error.h"
#include "core/expr/checked_math.h"
#include "core/expr/expr.h"

namespace warpwright {
namespace {

[[noreturn]] void fail(const ExprNode& node, std::string what) {
  throw ExprFault{node.offset, std::move(what), ""};
}

std::string describe(const Value& value) {
  return value.is_string() ? fmt::format("string '{}'", value.as_string())
                           : fmt::format("{} {}", value.type_name(), value.to_string());
}

std::string describe(const Value& a, const Value& b) {
  return fmt::format("{} and {}", describe(a), describe(b));
}

[[noreturn]] void wrong_type(const ExprNode& node, std::string_view wanted,
                             const std::string& got) {
  const bool call = node.kind == ExprKind::kCall;
  fail(node, fmt::format("{}{}{} needs {}, got {}", call ? "" : "'", expr_op_spelling(node.op),
                         call ? "()" : "'", wanted, got));
}

// A bool takes part in integer arithmetic as 0 or 1.
bool integral(const Value& value) { return value.is_integer() || value.is_bool(); }

Value checked(const ExprNode& node, MathResult result) {
  switch (result.fault) {
    case MathFault::kNone:
      break;
    case MathFault::kOverflow:
      fail(node, "overflow of 64 bits");
    case MathFault::kDivisionByZero:
      fail(node, "division by zero");
    case MathFault::kShiftCount:
      fail(node, "shift count outside 0 to 63");
    case MathFault::kAlignment:
      fail(node, fmt::format("{}() needs a positive divisor", expr_op_spelling(node.op)));
  }
  return result.value;
}

// Infinities and NaN are not allowed in an expression: comparisons with them would pass or fail by
// accident.
Value finite(const ExprNode& node, double value) {
  if (!std::isfinite(value)) fail(node, "overflow of a real");
  return value;
}

Value real_arithmetic(const ExprNode& node, double a, double b) {
  switch (node.op) {
    case ExprOp::kAdd:
      return finite(node, a + b);
    case ExprOp::kSubtract:
      return finite(node, a - b);
    case ExprOp::kMultiply:
      return finite(node, a * b);
    case ExprOp::kDivide:
      if (b == 0) fail(node, "division by zero");
      return finite(node, a / b);
    case ExprOp::kMin:
      return b < a ? b : a;
    case ExprOp::kMax:
      return a < b ? b : a;
    default:
      break;
  }
  check_failed("arithmetic operator", __FILE__, __LINE__, "not an operator of reals");
}

// Integers compare as integers: as reals, neighbours beyond 2^53 would be equal.
Value compare(const ExprNode& node, const Value& a, const Value& b) {
  const bool equality = node.op == ExprOp::kEqual || node.op == ExprOp::kNotEqual;
  if (a.is_string() != b.is_string()) {
    wrong_type(node, "two numbers or two strings", describe(a, b));
  }
  if (a.is_string() && !equality) wrong_type(node, "numbers", describe(a, b));
  std::partial_ordering order = std::partial_ordering::equivalent;
  if (a.is_string()) {
    order = a.as_string() <=> b.as_string();
  } else if (integral(a) && integral(b)) {
    order = a.as_integer() <=> b.as_integer();
  } else {
    order = a.as_real() <=> b.as_real();
  }
  switch (node.op) {
    case ExprOp::kEqual:
      return order == 0;
    case ExprOp::kNotEqual:
      return order != 0;
    case ExprOp::kLess:
      return order < 0;
    case ExprOp::kLessEqual:
      return order <= 0;
    case ExprOp::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Value apply_two(const ExprNode& node, const Value& a, const Value& b) {
  if (is_comparison(node.op)) return compare(node, a, b);
  const bool integers = integral(a) && integral(b);
  switch (node.op) {
    case ExprOp::kAdd:
    case ExprOp::kSubtract:
    case ExprOp::kMultiply:
    case ExprOp::kDivide:
    case ExprOp::kMin:
    case ExprOp::kMax:
      if (a.is_string() || b.is_string()) wrong_type(node, "numbers", describe(a, b));
      if (!integers) return real_arithmetic(node, a.as_real(), b.as_real());
      break;
    default:
      if (!integers) wrong_type(node, "integers", describe(a, b));
  }
  return checked(node, integer_math(node.op, a.as_integer(), b.as_integer()));
}

Value apply_one(const ExprNode& node, const Value& a) {
  switch (node.op) {
    case ExprOp::kNot:
      if (a.is_string()) wrong_type(node, "a number", describe(a));
      return !a.as_bool();
    case ExprOp::kInvert:
    case ExprOp::kIsPow2:
      if (!integral(a)) wrong_type(node, "an integer", describe(a));
      if (node.op == ExprOp::kIsPow2) return is_power_of_two(a.as_integer());
      return ~a.as_integer();
    case ExprOp::kNegate:
      if (a.is_real()) return -a.as_real();
      if (a.is_string()) wrong_type(node, "a number", describe(a));
      return checked(node, integer_math(ExprOp::kSubtract, 0, a.as_integer()));
    case ExprOp::kAbs:
      if (a.is_real()) return std::fabs(a.as_real());
      if (a.is_string()) wrong_type(node, "a number", describe(a));
      if (a.as_integer() >= 0) return a.as_integer();
      return checked(node, integer_math(ExprOp::kSubtract, 0, a.as_integer()));
    case ExprOp::kLog2:
      if (a.is_string() || !(a.as_real() > 0)) wrong_type(node, "a positive number", describe(a));
      return finite(node, std::log2(a.as_real()));
    case ExprOp::kSqrt:
      if (a.is_string() || !(a.as_real() >= 0)) {
        wrong_type(node, "a number that is not negative", describe(a));
      }
      return finite(node, std::sqrt(a.as_real()));
    case ExprOp::kSizeof: {
      const std::optional<int> bytes =
          a.is_string() ? dtype_bytes(a.as_string()) : std::optional<int>{};
      if (!bytes) wrong_type(node, "a dtype like f32", describe(a));
      return *bytes;
    }
    default:
      break;
  }
  check_failed("unary operator", __FILE__, __LINE__, "not an operator of one operand");
}

Value evaluate_node(const ExprNode& node, const NameSource& names) {
  const auto child = [&](std::size_t i) { return evaluate_tree(node.children[i], names); };
  const auto truth = [&](std::size_t i) { return truth_of(child(i), node.children[i]); };
  switch (node.kind) {
    case ExprKind::kLiteral:
      return node.literal;
    case ExprKind::kName:
      return names.value_of(node);
    case ExprKind::kUnary:
      return apply_one(node, child(0));
    case ExprKind::kBinary:
      if (node.op == ExprOp::kAnd) return truth(0) && truth(1);
      if (node.op == ExprOp::kOr) return truth(0) || truth(1);
      break;
    case ExprKind::kConditional:
      return truth(0) ? child(1) : child(2);
    case ExprKind::kCall:
      if (node.children.size() == 1) return apply_one(node, child(0));
      break;
  }
  // min and max of several arguments are taken pairwise; every other node here has two operands.
  Value result = child(0);
  for (std::size_t i = 1; i < node.children.size(); ++i) result = apply_two(node, result, child(i));
  return result;
}

}  // namespace

bool truth_of(const Value& value, const ExprNode& node) {
  if (value.is_string()) {
    throw ExprFault{node.offset, fmt::format("expected a condition, got {}", describe(value)), "",
                    innermost_let(node)};
  }
  return value.as_bool();
}

Value evaluate_tree(const ExprNode& node, const NameSource& names) {
  if (!node.let) return evaluate_node(node, names);
  try {
    return evaluate_node(node, names);
  } catch (ExprFault& fault) {
    // The innermost let is the one whose text the offset refers to.
    if (!fault.let) fault.let = innermost_let(node);
    throw;
  }
}

}  // namespace warpwright
