#include "core/expr/expr_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpwright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Interval kUnknown{-kInfinity, kInfinity};
// Integers up to here are exact in a double; beyond, a bound is widened by one step.
constexpr double kExact = 9007199254740992.0;
// Below this, a quotient of integers that is not whole never rounds to a whole number.
constexpr double kExactQuotient = kExact / 8;

bool is_point(Interval x) { return x.low == x.high; }
bool contains(Interval x, double value) { return x.low <= value && value <= x.high; }
double size_of(Interval x) { return std::max(std::fabs(x.low), std::fabs(x.high)); }
bool certainly_false(Interval x) { return x.low == 0 && x.high == 0; }
bool certainly_true(Interval x) { return !contains(x, 0); }

double widen_down(double x) { return std::fabs(x) > kExact ? std::nextafter(x, -kInfinity) : x; }
double widen_up(double x) { return std::fabs(x) > kExact ? std::nextafter(x, kInfinity) : x; }

// NaN results from infinities that cancel; the range is unknown then.
Interval make(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return kUnknown;
  return {widen_down(low), widen_up(high)};
}

Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// Converts a truth to 0 and 1.
Interval truth(bool can_be_false, bool can_be_true) {
  return {can_be_false ? 0.0 : 1.0, can_be_true ? 1.0 : 0.0};
}

// For functions that are monotone in each argument: the extremes lie at the corners.
template <typename Function>
Interval corners(Interval a, Interval b, Function f) {
  const std::array<double, 4> v = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low),
                                   f(a.high, b.high)};
  double low = v[0];
  double high = v[0];
  for (const double x : v) {
    if (std::isnan(x)) return kUnknown;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  return make(low, high);
}

// The quotient may be of integers or of reals, so the result contains both.
Interval divide(Interval a, Interval b) {
  if (contains(b, 0)) {
    // Division by zero has no value, and otherwise an integer divisor is at least 1 in magnitude;
    // reals may come closer to 0.
    return kUnknown;
  }
  const Interval real = corners(a, b, [](double x, double y) { return x / y; });
  const double slack = size_of(a) > kExactQuotient ? 1 : 0;
  return {std::min(real.low, std::trunc(real.low)) - slack,
          std::max(real.high, std::trunc(real.high)) + slack};
}

// The remainder of integers: less than the divisor in magnitude, at most the dividend in magnitude,
// and with the dividend's sign.
Interval remainder(Interval a, Interval b) {
  const double divisor = size_of(b);
  const double smallest = contains(b, 0) ? 0 : std::min(std::fabs(b.low), std::fabs(b.high));
  const double dividend = size_of(a);
  if (dividend < smallest) return a;
  if (is_point(a) && is_point(b) && dividend <= kExact && b.low != 0) {
    const double exact = std::fmod(a.low, b.low);
    return {exact, exact};
  }
  const double most = std::max(0.0, divisor - 1);
  return make(a.low < 0 ? -std::min(most, -a.low) : 0, a.high > 0 ? std::min(most, a.high) : 0);
}

// A shift count outside 0 to 63 fails to evaluate, so only counts inside matter.
Interval shift(ExprOp op, Interval a, Interval b) {
  const Interval count = {std::clamp(b.low, 0.0, 63.0), std::clamp(b.high, 0.0, 63.0)};
  if (op == ExprOp::kShiftLeft) {
    return corners(a, count, [](double x, double s) { return x * std::exp2(s); });
  }
  return corners(a, count, [](double x, double s) { return std::floor(x / std::exp2(s)); });
}

// Negative operands set the sign bit; tuning constraints have none, so a finer bound is not worth
// the code.
Interval bitwise(ExprOp op, Interval a, Interval b) {
  if (a.low < 0 || b.low < 0) return kUnknown;
  if (op == ExprOp::kBitAnd) return make(0, std::min(a.high, b.high));
  const double larger = std::max(a.high, b.high);
  if (larger > kExact) return kUnknown;
  // Neither | nor ^ sets a bit above the highest one of its operands.
  double ceiling = 1;
  while (ceiling <= larger) ceiling *= 2;
  return make(op == ExprOp::kBitOr ? std::max(a.low, b.low) : 0, ceiling - 1);
}

// Strings arrive here as unknown ranges, which leave both answers possible.
Interval compare(ExprOp op, Interval a, Interval b) {
  switch (op) {
    case ExprOp::kLess:
      return truth(a.high >= b.low, a.low < b.high);
    case ExprOp::kLessEqual:
      return truth(a.high > b.low, a.low <= b.high);
    case ExprOp::kGreater:
      return compare(ExprOp::kLess, b, a);
    case ExprOp::kGreaterEqual:
      return compare(ExprOp::kLessEqual, b, a);
    default:
      break;
  }
  const bool can_be_equal = a.low <= b.high && b.low <= a.high;
  const bool can_differ = !(is_point(a) && is_point(b) && a.low == b.low);
  return op == ExprOp::kEqual ? truth(can_differ, can_be_equal) : truth(can_be_equal, can_differ);
}

// A divisor below 1 fails to evaluate.
Interval ceil_div(ExprOp op, Interval a, Interval b) {
  const Interval divisor = {std::max(1.0, b.low), std::max(1.0, b.high)};
  if (op == ExprOp::kAlignUp) return make(a.low, a.high + divisor.high - 1);
  const Interval q = corners(a, divisor, [](double x, double y) { return std::ceil(x / y); });
  const double slack = size_of(a) > kExactQuotient ? 1 : 0;
  return {q.low - slack, q.high + slack};
}

Interval two_operands(ExprOp op, Interval a, Interval b) {
  if (is_comparison(op)) return compare(op, a, b);
  switch (op) {
    case ExprOp::kAdd:
      return make(a.low + b.low, a.high + b.high);
    case ExprOp::kSubtract:
      return make(a.low - b.high, a.high - b.low);
    case ExprOp::kMultiply:
      return corners(a, b, [](double x, double y) { return x * y; });
    case ExprOp::kDivide:
      return divide(a, b);
    case ExprOp::kRemainder:
      return remainder(a, b);
    case ExprOp::kShiftLeft:
    case ExprOp::kShiftRight:
      return shift(op, a, b);
    case ExprOp::kBitAnd:
    case ExprOp::kBitOr:
    case ExprOp::kBitXor:
      return bitwise(op, a, b);
    case ExprOp::kMin:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case ExprOp::kMax:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case ExprOp::kCeilDiv:
    case ExprOp::kAlignUp:
      return ceil_div(op, a, b);
    case ExprOp::kAnd:
      return truth(!certainly_true(a) || !certainly_true(b),
                   !certainly_false(a) && !certainly_false(b));
    case ExprOp::kOr:
      return truth(!certainly_true(a) && !certainly_true(b),
                   !certainly_false(a) || !certainly_false(b));
    default:
      return kUnknown;
  }
}

Interval one_operand(ExprOp op, Interval a) {
  switch (op) {
    case ExprOp::kNegate:
      return {-a.high, -a.low};
    case ExprOp::kNot:
      return truth(!certainly_false(a), !certainly_true(a));
    case ExprOp::kInvert:
      return make(-a.high - 1, -a.low - 1);
    case ExprOp::kAbs: {
      const double larger = size_of(a);
      return {contains(a, 0) ? 0 : std::min(std::fabs(a.low), std::fabs(a.high)), larger};
    }
    case ExprOp::kIsPow2:
      return truth(true, a.high >= 1);
    case ExprOp::kLog2:
      // The library's logarithm need not be monotone to the last bit.
      return a.high > 0
                 ? Interval{a.low > 0 ? std::nextafter(std::log2(a.low), -kInfinity) : -kInfinity,
                            std::nextafter(std::log2(a.high), kInfinity)}
                 : kUnknown;
    case ExprOp::kSqrt:
      return a.high >= 0 ? Interval{std::sqrt(std::max(0.0, a.low)), std::sqrt(a.high)} : kUnknown;
    default:
      return kUnknown;
  }
}

}  // namespace

Interval tree_bounds(const ExprNode& node, std::span<const Interval> slots) noexcept {
  const auto child = [&](std::size_t i) { return tree_bounds(node.children[i], slots); };
  switch (node.kind) {
    case ExprKind::kLiteral: {
      if (node.literal.is_string()) return kUnknown;
      const double value = node.literal.as_real();
      return make(value, value);
    }
    case ExprKind::kName: {
      if (node.slot < 0) return kUnknown;
      const Interval slot = slots[static_cast<std::size_t>(node.slot)];
      return make(slot.low, slot.high);
    }
    case ExprKind::kUnary:
      return one_operand(node.op, child(0));
    case ExprKind::kBinary: {
      const Interval a = child(0);
      if (node.op == ExprOp::kAnd && certainly_false(a)) return a;
      if (node.op == ExprOp::kOr && certainly_true(a)) return {1, 1};
      return two_operands(node.op, a, child(1));
    }
    case ExprKind::kConditional: {
      const Interval condition = child(0);
      if (certainly_true(condition)) return child(1);
      if (certainly_false(condition)) return child(2);
      return hull(child(1), child(2));
    }
    case ExprKind::kCall: {
      if (node.children.size() == 1) return one_operand(node.op, child(0));
      Interval result = child(0);
      for (std::size_t i = 1; i < node.children.size(); ++i) {
        result = two_operands(node.op, result, child(i));
      }
      return result;
    }
  }
  return kUnknown;
}

Interval unary_bounds(ExprOp op, Interval a) noexcept { return one_operand(op, a); }

Interval binary_bounds(ExprOp op, Interval a, Interval b) noexcept {
  return two_operands(op, a, b);
}

Interval conditional_bounds(Interval condition, Interval then, Interval otherwise) noexcept {
  if (certainly_true(condition)) return then;
  if (certainly_false(condition)) return otherwise;
  return hull(then, otherwise);
}

}  // namespace warpwright
