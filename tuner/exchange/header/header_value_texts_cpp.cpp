#include "exchange/header/header_value_texts.h"

namespace warpwright {
namespace {

constexpr std::string_view kType = R"(
// A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
// What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
// everything made of it.
struct Value {
  enum Kind { kFault, kInteger, kReal, kText };
  Kind kind = kFault;
  long long integer = 0;
  double real = 0;
  const char* text = nullptr;
  WARPWRIGHT_FN Value() {}
  WARPWRIGHT_FN Value(bool v) : kind(kInteger), integer(v ? 1 : 0) {}
  WARPWRIGHT_FN Value(int v) : kind(kInteger), integer(v) {}
  WARPWRIGHT_FN Value(long long v) : kind(kInteger), integer(v) {}
  WARPWRIGHT_FN Value(double v) : kind(v - v == 0 ? kReal : kFault), real(v) {}
  WARPWRIGHT_FN Value(const char* v) : kind(v != nullptr ? kText : kFault), text(v) {}
  WARPWRIGHT_FN bool number() const { return kind == kInteger || kind == kReal; }
  WARPWRIGHT_FN double as_real() const { return kind == kReal ? real : static_cast<double>(integer); }
};
WARPWRIGHT_DATA long long kLargest = 9223372036854775807LL;
WARPWRIGHT_DATA long long kLowest = -kLargest - 1;
WARPWRIGHT_FN bool integers(Value a, Value b) {
  return a.kind == Value::kInteger && b.kind == Value::kInteger;
}
WARPWRIGHT_FN bool numbers(Value a, Value b) { return a.number() && b.number(); }
WARPWRIGHT_FN bool holds(Value v) {
  return v.kind == Value::kReal ? v.real != 0 : v.kind == Value::kInteger && v.integer != 0;
}
WARPWRIGHT_FN bool same_text(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return false;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
)";

constexpr std::string_view kAdd = R"(WARPWRIGHT_FN Value operator+(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() + b.as_real();
  const bool over = b.integer > 0 ? a.integer > kLargest - b.integer : a.integer < kLowest - b.integer;
  return over ? Value() : Value(a.integer + b.integer);
}
)";

constexpr std::string_view kSubtract = R"(WARPWRIGHT_FN Value operator-(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() - b.as_real();
  const bool over = b.integer < 0 ? a.integer > kLargest + b.integer : a.integer < kLowest + b.integer;
  return over ? Value() : Value(a.integer - b.integer);
}
)";

constexpr std::string_view kNegate = R"(WARPWRIGHT_FN Value operator-(Value v) {
  return v.kind == Value::kReal ? Value(-v.real) : Value(0) - v;
}
)";

constexpr std::string_view kMagnitude = R"(WARPWRIGHT_FN Value magnitude(Value v) {
  if (v.kind == Value::kReal) return v.real < 0 ? -v.real : v.real;
  return v.kind == Value::kInteger && v.integer >= 0 ? v : Value(0) - v;
}
)";

constexpr std::string_view kMultiply = R"(WARPWRIGHT_FN Value operator*(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() * b.as_real();
  const long long x = a.integer;
  const long long y = b.integer;
  if (x == 0 || y == 0) return 0;
  const bool over = x > 0 ? (y > 0 ? x > kLargest / y : y < kLowest / x)
                          : (y > 0 ? x < kLowest / y : y < kLargest / x);
  return over ? Value() : Value(x * y);
}
)";

constexpr std::string_view kDivide = R"(WARPWRIGHT_FN Value operator/(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (b.as_real() == 0) return {};
  if (!integers(a, b)) return a.as_real() / b.as_real();
  if (b.integer == -1) return a.integer == kLowest ? Value() : Value(-a.integer);
  return a.integer / b.integer;
}
)";

constexpr std::string_view kRemainder = R"(WARPWRIGHT_FN Value operator%(Value a, Value b) {
  if (!integers(a, b) || b.integer == 0) return {};
  return b.integer == -1 ? 0 : a.integer % b.integer;
}
)";

constexpr std::string_view kCeilDiv = R"(WARPWRIGHT_FN Value ceil_div(Value a, Value b) {
  if (!integers(a, b) || b.integer <= 0) return {};
  return a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0);
}
)";

constexpr std::string_view kAlignUp =
    R"(WARPWRIGHT_FN Value align_up(Value a, Value b) { return ceil_div(a, b) * b; }
)";

constexpr std::string_view kShiftLeft = R"(WARPWRIGHT_FN Value operator<<(Value a, Value b) {
  if (!integers(a, b) || b.integer < 0 || b.integer > 63) return {};
  const long long v =
      static_cast<long long>(static_cast<unsigned long long>(a.integer) << b.integer);
  return (v >> b.integer) == a.integer ? Value(v) : Value();
}
)";

constexpr std::string_view kShiftRight = R"(WARPWRIGHT_FN Value operator>>(Value a, Value b) {
  if (!integers(a, b) || b.integer < 0 || b.integer > 63) return {};
  return a.integer >> b.integer;
}
)";

constexpr std::string_view kBitAnd = R"(WARPWRIGHT_FN Value operator&(Value a, Value b) {
  return integers(a, b) ? Value(a.integer & b.integer) : Value();
}
)";

constexpr std::string_view kBitOr = R"(WARPWRIGHT_FN Value operator|(Value a, Value b) {
  return integers(a, b) ? Value(a.integer | b.integer) : Value();
}
)";

constexpr std::string_view kBitXor = R"(WARPWRIGHT_FN Value operator^(Value a, Value b) {
  return integers(a, b) ? Value(a.integer ^ b.integer) : Value();
}
)";

constexpr std::string_view kInvert = R"(WARPWRIGHT_FN Value operator~(Value v) {
  return v.kind == Value::kInteger ? Value(~v.integer) : Value();
}
)";

constexpr std::string_view kIsPow2 = R"(WARPWRIGHT_FN Value is_pow2(Value v) {
  if (v.kind != Value::kInteger) return {};
  return v.integer > 0 && (v.integer & (v.integer - 1)) == 0;
}
)";

// Integers compare as integers: as reals, neighbours beyond 2^53 would be equal.
constexpr std::string_view kLess = R"(WARPWRIGHT_FN Value operator<(Value a, Value b) {
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer < b.integer : a.as_real() < b.as_real();
}
)";

constexpr std::string_view kGreater =
    R"(WARPWRIGHT_FN Value operator>(Value a, Value b) { return b < a; }
)";

constexpr std::string_view kNot = R"(WARPWRIGHT_FN Value operator!(Value v) {
  return v.number() ? Value(!holds(v)) : Value();
}
)";

constexpr std::string_view kLessEqual =
    R"(WARPWRIGHT_FN Value operator<=(Value a, Value b) { return !(b < a); }
)";

constexpr std::string_view kGreaterEqual =
    R"(WARPWRIGHT_FN Value operator>=(Value a, Value b) { return !(a < b); }
)";

constexpr std::string_view kEqual = R"(WARPWRIGHT_FN Value operator==(Value a, Value b) {
  if (a.kind == Value::kText && b.kind == Value::kText) return same_text(a.text, b.text);
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer == b.integer : a.as_real() == b.as_real();
}
)";

constexpr std::string_view kNotEqual =
    R"(WARPWRIGHT_FN Value operator!=(Value a, Value b) { return !(a == b); }
)";

// Nothing has side effects, so both sides may be evaluated; a fault on the side that a short
// circuit skips does not count.
constexpr std::string_view kAnd = R"(WARPWRIGHT_FN Value operator&&(Value a, Value b) {
  if (!a.number()) return {};
  if (!holds(a)) return false;
  return b.number() ? Value(holds(b)) : Value();
}
)";

constexpr std::string_view kOr = R"(WARPWRIGHT_FN Value operator||(Value a, Value b) {
  if (!a.number()) return {};
  if (holds(a)) return true;
  return b.number() ? Value(holds(b)) : Value();
}
)";

constexpr std::string_view kChoose = R"(WARPWRIGHT_FN Value choose(Value v, Value a, Value b) {
  return v.number() ? (holds(v) ? a : b) : Value();
}
)";

constexpr std::string_view kSmaller = R"(WARPWRIGHT_FN Value smaller(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (integers(a, b)) return b.integer < a.integer ? b : a;
  return b.as_real() < a.as_real() ? b.as_real() : a.as_real();
}
)";

constexpr std::string_view kLarger = R"(WARPWRIGHT_FN Value larger(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (integers(a, b)) return a.integer < b.integer ? b : a;
  return a.as_real() < b.as_real() ? b.as_real() : a.as_real();
}
)";

constexpr std::string_view kLog2 = R"(WARPWRIGHT_FN Value log2_of(Value v) {
  return v.number() && v.as_real() > 0 ? Value(log2(v.as_real())) : Value();
}
)";

constexpr std::string_view kRoot = R"(WARPWRIGHT_FN Value root_of(Value v) {
  return v.number() && v.as_real() >= 0 ? Value(root(v.as_real())) : Value();
}
)";

// An initialiser list in a loop would need <initializer_list>, which NVRTC has not.
constexpr std::string_view kBytesTable = R"(WARPWRIGHT_FN Value bytes_of(Value v) {
  if (v.kind != Value::kText) return {};
  const char* const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                   "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  for (int i = 0; i < 15; ++i) {
    if (same_text(v.text, names[i])) return bytes[i];
  }
  return {};
}
)";

constexpr std::string_view kScales = R"(
// Without <cmath>, so that everything is a constant expression, also for NVRTC.
WARPWRIGHT_FN double log2(double v) {
  int exponent = 0;
  for (; v >= 4294967296.0; v /= 4294967296.0) exponent += 32;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v < 1; v *= 2) --exponent;
  if (v > 1.4142135623730951) {
    v /= 2;
    ++exponent;
  }
  const double t = (v - 1) / (v + 1);
  double sum = 0;
  for (int i = 23; i >= 1; i -= 2) sum = sum * t * t + 1.0 / i;
  return exponent + 2.885390081777927 * t * sum;
}
WARPWRIGHT_FN double root(double v) {
  double scale = 1;
  for (; v >= 4; v /= 4) scale *= 2;
  for (; v > 0 && v < 1; v *= 4) scale /= 2;
  double r = (1 + v) / 2;
  for (int i = 0; i < 6; ++i) r = (r + v / r) / 2;
  return v > 0 ? r * scale : 0;
}
// log2(1 + |v|) with the sign of v.
WARPWRIGHT_FN double size_scale(double v) { return v < 0 ? -log2(1 - v) : log2(1 + v); }
)";

constexpr ValueTexts kTexts = {
    .type = kType,
    .add = kAdd,
    .subtract = kSubtract,
    .negate = kNegate,
    .magnitude = kMagnitude,
    .multiply = kMultiply,
    .divide = kDivide,
    .remainder = kRemainder,
    .ceil_div = kCeilDiv,
    .align_up = kAlignUp,
    .shift_left = kShiftLeft,
    .shift_right = kShiftRight,
    .bit_and = kBitAnd,
    .bit_or = kBitOr,
    .bit_xor = kBitXor,
    .invert = kInvert,
    .is_pow2 = kIsPow2,
    .less = kLess,
    .greater = kGreater,
    .logical_not = kNot,
    .less_equal = kLessEqual,
    .greater_equal = kGreaterEqual,
    .equal = kEqual,
    .not_equal = kNotEqual,
    .logical_and = kAnd,
    .logical_or = kOr,
    .choose = kChoose,
    .smaller = kSmaller,
    .larger = kLarger,
    .log2 = kLog2,
    .root = kRoot,
    .bytes_table = kBytesTable,
    .scales = kScales,
};

}  // namespace

const ValueTexts& cpp_value_texts() { return kTexts; }

}  // namespace warpwright
