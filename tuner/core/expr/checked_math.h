// 64-bit integer arithmetic of the expression language, shared by the tree evaluator and the
// compiled fast path so that the two cannot disagree. Nothing throws: a result carries its fault.
// Internal to core.
#pragma once

#include <cstdint>
#include <limits>

#include "core/expr/expr_node.h"

namespace warpwright {

enum class MathFault : std::uint8_t { kNone, kOverflow, kDivisionByZero, kShiftCount, kAlignment };

struct MathResult {
  std::int64_t value = 0;
  MathFault fault = MathFault::kNone;
};

[[nodiscard]] constexpr bool is_power_of_two(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

// Operators of two integers other than && and ||.
[[nodiscard]] inline MathResult integer_math(ExprOp op, std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  MathResult result;
  const auto overflow_if = [&](bool overflow) {
    if (overflow) result.fault = MathFault::kOverflow;
  };
  switch (op) {
    case ExprOp::kAdd:
      overflow_if(__builtin_add_overflow(a, b, &result.value));
      break;
    case ExprOp::kSubtract:
      overflow_if(__builtin_sub_overflow(a, b, &result.value));
      break;
    case ExprOp::kMultiply:
      overflow_if(__builtin_mul_overflow(a, b, &result.value));
      break;
    case ExprOp::kDivide:
    case ExprOp::kRemainder:
      if (b == 0) {
        result.fault = MathFault::kDivisionByZero;
      } else if (b == -1) {
        // The processor traps on the lowest integer divided by -1.
        overflow_if(op == ExprOp::kDivide && a == kLowest);
        result.value = op == ExprOp::kDivide && a != kLowest ? -a : 0;
      } else if (((static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b)) >> 32) == 0) {
        // Small operands are the rule, and a 32-bit division is several times as fast on older
        // processors.
        const auto x = static_cast<std::uint32_t>(a);
        const auto y = static_cast<std::uint32_t>(b);
        result.value = op == ExprOp::kDivide ? x / y : x % y;
      } else {
        result.value = op == ExprOp::kDivide ? a / b : a % b;
      }
      break;
    case ExprOp::kShiftLeft:
    case ExprOp::kShiftRight:
      if (b < 0 || b > 63) {
        result.fault = MathFault::kShiftCount;
      } else if (op == ExprOp::kShiftRight) {
        result.value = a >> b;
      } else {
        result.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
        overflow_if((result.value >> b) != a);
      }
      break;
    case ExprOp::kBitAnd:
      result.value = a & b;
      break;
    case ExprOp::kBitOr:
      result.value = a | b;
      break;
    case ExprOp::kBitXor:
      result.value = a ^ b;
      break;
    case ExprOp::kEqual:
      result.value = a == b;
      break;
    case ExprOp::kNotEqual:
      result.value = a != b;
      break;
    case ExprOp::kLess:
      result.value = a < b;
      break;
    case ExprOp::kLessEqual:
      result.value = a <= b;
      break;
    case ExprOp::kGreater:
      result.value = a > b;
      break;
    case ExprOp::kGreaterEqual:
      result.value = a >= b;
      break;
    case ExprOp::kMin:
      result.value = b < a ? b : a;
      break;
    case ExprOp::kMax:
      result.value = a < b ? b : a;
      break;
    case ExprOp::kCeilDiv:
    case ExprOp::kAlignUp:
      if (b == 0) {
        result.fault = MathFault::kDivisionByZero;
      } else if (b < 0) {
        result.fault = MathFault::kAlignment;
      } else {
        result.value = a / b + (a % b > 0 ? 1 : 0);
        if (op == ExprOp::kAlignUp) {
          overflow_if(__builtin_mul_overflow(result.value, b, &result.value));
        }
      }
      break;
    default:
      result.fault = MathFault::kOverflow;
      break;
  }
  return result;
}

}  // namespace warpwright
