#include "output/header_values.h"

#include <string_view>
#include <vector>

namespace warpwright {
namespace {

// In C texts `$` stands for the prefix of all names.
struct Part {
  std::vector<ExprOp> needed_by;  // empty: always
  std::string_view cpp;
  std::string_view c;
};

constexpr std::string_view kTypeCpp = R"(
// A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
// What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
// everything made of it.
struct Value {
  enum Kind { kFault, kInteger, kReal, kText };
  Kind kind = kFault;
  long long integer = 0;
  double real = 0;
  const char* text = nullptr;
  constexpr Value() {}
  constexpr Value(bool v) : kind(kInteger), integer(v ? 1 : 0) {}
  constexpr Value(int v) : kind(kInteger), integer(v) {}
  constexpr Value(long long v) : kind(kInteger), integer(v) {}
  constexpr Value(double v) : kind(v - v == 0 ? kReal : kFault), real(v) {}
  constexpr Value(const char* v) : kind(v != nullptr ? kText : kFault), text(v) {}
  constexpr bool number() const { return kind == kInteger || kind == kReal; }
  constexpr double as_real() const { return kind == kReal ? real : static_cast<double>(integer); }
};
inline constexpr long long kLargest = 9223372036854775807LL;
inline constexpr long long kLowest = -kLargest - 1;
constexpr bool integers(Value a, Value b) {
  return a.kind == Value::kInteger && b.kind == Value::kInteger;
}
constexpr bool numbers(Value a, Value b) { return a.number() && b.number(); }
constexpr bool holds(Value v) {
  return v.kind == Value::kReal ? v.real != 0 : v.kind == Value::kInteger && v.integer != 0;
}
constexpr bool same_text(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return false;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
)";

constexpr std::string_view kTypeC = R"(
/* A value of the contract's expressions: a 64-bit integer (booleans are 0 and 1), a real, or a text.
   What cannot be evaluated (overflow, division by zero, a wrong type) is a fault, and so is
   everything made of it. */
enum $kind { $FAULT, $INTEGER, $REAL, $TEXT };
typedef struct {
  enum $kind kind;
  long long integer;
  double real;
  const char *text;
} $value;
static const long long $largest = 9223372036854775807LL;
static const long long $lowest = -9223372036854775807LL - 1;
static inline $value $fault(void) {
  const $value v = {$FAULT, 0, 0, 0};
  return v;
}
static inline $value $integer(long long integer) {
  const $value v = {$INTEGER, integer, 0, 0};
  return v;
}
static inline $value $real(double real) {
  const $value v = {$REAL, 0, real, 0};
  return real - real == 0 ? v : $fault();
}
static inline $value $text(const char *text) {
  const $value v = {$TEXT, 0, 0, text};
  return text != 0 ? v : $fault();
}
static inline int $number($value v) { return v.kind == $INTEGER || v.kind == $REAL; }
static inline int $integers($value a, $value b) { return a.kind == $INTEGER && b.kind == $INTEGER; }
static inline int $numbers($value a, $value b) { return $number(a) && $number(b); }
static inline double $as_real($value v) { return v.kind == $REAL ? v.real : (double)v.integer; }
static inline int $holds($value v) {
  return v.kind == $REAL ? v.real != 0 : v.kind == $INTEGER && v.integer != 0;
}
static inline int $same_text(const char *a, const char *b) {
  if (a == 0 || b == 0) return 0;
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}
)";

constexpr std::string_view kAddCpp = R"(constexpr Value operator+(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() + b.as_real();
  const bool over = b.integer > 0 ? a.integer > kLargest - b.integer : a.integer < kLowest - b.integer;
  return over ? Value() : Value(a.integer + b.integer);
}
)";
constexpr std::string_view kAddC = R"(static inline $value $add($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) + $as_real(b));
  if (b.integer > 0 ? a.integer > $largest - b.integer : a.integer < $lowest - b.integer)
    return $fault();
  return $integer(a.integer + b.integer);
}
)";

constexpr std::string_view kSubtractCpp = R"(constexpr Value operator-(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (!integers(a, b)) return a.as_real() - b.as_real();
  const bool over = b.integer < 0 ? a.integer > kLargest + b.integer : a.integer < kLowest + b.integer;
  return over ? Value() : Value(a.integer - b.integer);
}
)";
constexpr std::string_view kSubtractC = R"(static inline $value $subtract($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) - $as_real(b));
  if (b.integer < 0 ? a.integer > $largest + b.integer : a.integer < $lowest + b.integer)
    return $fault();
  return $integer(a.integer - b.integer);
}
)";

constexpr std::string_view kNegateCpp = R"(constexpr Value operator-(Value v) {
  return v.kind == Value::kReal ? Value(-v.real) : Value(0) - v;
}
)";
constexpr std::string_view kNegateC = R"(static inline $value $negate($value v) {
  return v.kind == $REAL ? $real(-v.real) : $subtract($integer(0), v);
}
)";

constexpr std::string_view kMagnitudeCpp = R"(constexpr Value magnitude(Value v) {
  if (v.kind == Value::kReal) return v.real < 0 ? -v.real : v.real;
  return v.kind == Value::kInteger && v.integer >= 0 ? v : Value(0) - v;
}
)";
constexpr std::string_view kMagnitudeC = R"(static inline $value $magnitude($value v) {
  if (v.kind == $REAL) return $real(v.real < 0 ? -v.real : v.real);
  return v.kind == $INTEGER && v.integer >= 0 ? v : $subtract($integer(0), v);
}
)";

constexpr std::string_view kMultiplyCpp = R"(constexpr Value operator*(Value a, Value b) {
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
constexpr std::string_view kMultiplyC = R"(static inline $value $multiply($value a, $value b) {
  const long long x = a.integer;
  const long long y = b.integer;
  if (!$numbers(a, b)) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) * $as_real(b));
  if (x == 0 || y == 0) return $integer(0);
  if (x > 0 ? (y > 0 ? x > $largest / y : y < $lowest / x)
            : (y > 0 ? x < $lowest / y : y < $largest / x))
    return $fault();
  return $integer(x * y);
}
)";

constexpr std::string_view kDivideCpp = R"(constexpr Value operator/(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (b.as_real() == 0) return {};
  if (!integers(a, b)) return a.as_real() / b.as_real();
  if (b.integer == -1) return a.integer == kLowest ? Value() : Value(-a.integer);
  return a.integer / b.integer;
}
)";
constexpr std::string_view kDivideC = R"(static inline $value $divide($value a, $value b) {
  if (!$numbers(a, b) || $as_real(b) == 0) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) / $as_real(b));
  if (b.integer == -1) return a.integer == $lowest ? $fault() : $integer(-a.integer);
  return $integer(a.integer / b.integer);
}
)";

constexpr std::string_view kRemainderCpp = R"(constexpr Value operator%(Value a, Value b) {
  if (!integers(a, b) || b.integer == 0) return {};
  return b.integer == -1 ? 0 : a.integer % b.integer;
}
)";
constexpr std::string_view kRemainderC = R"(static inline $value $remainder($value a, $value b) {
  if (!$integers(a, b) || b.integer == 0) return $fault();
  return $integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
)";

constexpr std::string_view kCeilDivCpp = R"(constexpr Value ceil_div(Value a, Value b) {
  if (!integers(a, b) || b.integer <= 0) return {};
  return a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0);
}
)";
constexpr std::string_view kCeilDivC = R"(static inline $value $ceil_div($value a, $value b) {
  if (!$integers(a, b) || b.integer <= 0) return $fault();
  return $integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
)";

constexpr std::string_view kAlignUpCpp =
    R"(constexpr Value align_up(Value a, Value b) { return ceil_div(a, b) * b; }
)";
constexpr std::string_view kAlignUpC =
    R"(static inline $value $align_up($value a, $value b) { return $multiply($ceil_div(a, b), b); }
)";

constexpr std::string_view kShiftLeftCpp = R"(constexpr Value operator<<(Value a, Value b) {
  if (!integers(a, b) || b.integer < 0 || b.integer > 63) return {};
  const long long v =
      static_cast<long long>(static_cast<unsigned long long>(a.integer) << b.integer);
  return (v >> b.integer) == a.integer ? Value(v) : Value();
}
)";
constexpr std::string_view kShiftLeftC = R"(static inline $value $shift_left($value a, $value b) {
  long long v;
  if (!$integers(a, b) || b.integer < 0 || b.integer > 63) return $fault();
  v = (long long)((unsigned long long)a.integer << b.integer);
  return (v >> b.integer) == a.integer ? $integer(v) : $fault();
}
)";
constexpr std::string_view kShiftRightCpp = R"(constexpr Value operator>>(Value a, Value b) {
  if (!integers(a, b) || b.integer < 0 || b.integer > 63) return {};
  return a.integer >> b.integer;
}
)";
constexpr std::string_view kShiftRightC = R"(static inline $value $shift_right($value a, $value b) {
  if (!$integers(a, b) || b.integer < 0 || b.integer > 63) return $fault();
  return $integer(a.integer >> b.integer);
}
)";

constexpr std::string_view kBitAndCpp = R"(constexpr Value operator&(Value a, Value b) {
  return integers(a, b) ? Value(a.integer & b.integer) : Value();
}
)";
constexpr std::string_view kBitAndC = R"(static inline $value $bit_and($value a, $value b) {
  return $integers(a, b) ? $integer(a.integer & b.integer) : $fault();
}
)";
constexpr std::string_view kBitOrCpp = R"(constexpr Value operator|(Value a, Value b) {
  return integers(a, b) ? Value(a.integer | b.integer) : Value();
}
)";
constexpr std::string_view kBitOrC = R"(static inline $value $bit_or($value a, $value b) {
  return $integers(a, b) ? $integer(a.integer | b.integer) : $fault();
}
)";
constexpr std::string_view kBitXorCpp = R"(constexpr Value operator^(Value a, Value b) {
  return integers(a, b) ? Value(a.integer ^ b.integer) : Value();
}
)";
constexpr std::string_view kBitXorC = R"(static inline $value $bit_xor($value a, $value b) {
  return $integers(a, b) ? $integer(a.integer ^ b.integer) : $fault();
}
)";
constexpr std::string_view kInvertCpp = R"(constexpr Value operator~(Value v) {
  return v.kind == Value::kInteger ? Value(~v.integer) : Value();
}
)";
constexpr std::string_view kInvertC = R"(static inline $value $invert($value v) {
  return v.kind == $INTEGER ? $integer(~v.integer) : $fault();
}
)";
constexpr std::string_view kIsPow2Cpp = R"(constexpr Value is_pow2(Value v) {
  if (v.kind != Value::kInteger) return {};
  return v.integer > 0 && (v.integer & (v.integer - 1)) == 0;
}
)";
constexpr std::string_view kIsPow2C = R"(static inline $value $is_pow2($value v) {
  if (v.kind != $INTEGER) return $fault();
  return $integer(v.integer > 0 && (v.integer & (v.integer - 1)) == 0);
}
)";

// Integers compare as integers: as reals, neighbours beyond 2^53 would be equal.
constexpr std::string_view kLessCpp = R"(constexpr Value operator<(Value a, Value b) {
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer < b.integer : a.as_real() < b.as_real();
}
)";
constexpr std::string_view kLessC = R"(static inline $value $less($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  return $integer($integers(a, b) ? a.integer < b.integer : $as_real(a) < $as_real(b));
}
)";
constexpr std::string_view kGreaterCpp =
    R"(constexpr Value operator>(Value a, Value b) { return b < a; }
)";
constexpr std::string_view kGreaterC =
    R"(static inline $value $greater($value a, $value b) { return $less(b, a); }
)";
constexpr std::string_view kNotCpp = R"(constexpr Value operator!(Value v) {
  return v.number() ? Value(!holds(v)) : Value();
}
)";
constexpr std::string_view kNotC = R"(static inline $value $not($value v) {
  return $number(v) ? $integer(!$holds(v)) : $fault();
}
)";
constexpr std::string_view kLessEqualCpp =
    R"(constexpr Value operator<=(Value a, Value b) { return !(b < a); }
)";
constexpr std::string_view kLessEqualC =
    R"(static inline $value $less_equal($value a, $value b) { return $not($less(b, a)); }
)";
constexpr std::string_view kGreaterEqualCpp =
    R"(constexpr Value operator>=(Value a, Value b) { return !(a < b); }
)";
constexpr std::string_view kGreaterEqualC =
    R"(static inline $value $greater_equal($value a, $value b) { return $not($less(a, b)); }
)";
constexpr std::string_view kEqualCpp = R"(constexpr Value operator==(Value a, Value b) {
  if (a.kind == Value::kText && b.kind == Value::kText) return same_text(a.text, b.text);
  if (!numbers(a, b)) return {};
  return integers(a, b) ? a.integer == b.integer : a.as_real() == b.as_real();
}
)";
constexpr std::string_view kEqualC = R"(static inline $value $equal($value a, $value b) {
  if (a.kind == $TEXT && b.kind == $TEXT) return $integer($same_text(a.text, b.text));
  if (!$numbers(a, b)) return $fault();
  return $integer($integers(a, b) ? a.integer == b.integer : $as_real(a) == $as_real(b));
}
)";
constexpr std::string_view kNotEqualCpp =
    R"(constexpr Value operator!=(Value a, Value b) { return !(a == b); }
)";
constexpr std::string_view kNotEqualC =
    R"(static inline $value $not_equal($value a, $value b) { return $not($equal(a, b)); }
)";

// Nothing has side effects, so both sides may be evaluated; a fault on the side that a short
// circuit skips does not count.
constexpr std::string_view kAndCpp = R"(constexpr Value operator&&(Value a, Value b) {
  if (!a.number()) return {};
  if (!holds(a)) return false;
  return b.number() ? Value(holds(b)) : Value();
}
)";
constexpr std::string_view kAndC = R"(static inline $value $and($value a, $value b) {
  if (!$number(a)) return $fault();
  if (!$holds(a)) return $integer(0);
  return $number(b) ? $integer($holds(b)) : $fault();
}
)";
constexpr std::string_view kOrCpp = R"(constexpr Value operator||(Value a, Value b) {
  if (!a.number()) return {};
  if (holds(a)) return true;
  return b.number() ? Value(holds(b)) : Value();
}
)";
constexpr std::string_view kOrC = R"(static inline $value $or($value a, $value b) {
  if (!$number(a)) return $fault();
  if ($holds(a)) return $integer(1);
  return $number(b) ? $integer($holds(b)) : $fault();
}
)";
constexpr std::string_view kChooseCpp = R"(constexpr Value choose(Value v, Value a, Value b) {
  return v.number() ? (holds(v) ? a : b) : Value();
}
)";
constexpr std::string_view kChooseC =
    R"(static inline $value $choose($value v, $value a, $value b) {
  return $number(v) ? ($holds(v) ? a : b) : $fault();
}
)";

constexpr std::string_view kSmallerCpp = R"(constexpr Value smaller(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (integers(a, b)) return b.integer < a.integer ? b : a;
  return b.as_real() < a.as_real() ? b.as_real() : a.as_real();
}
)";
constexpr std::string_view kSmallerC = R"(static inline $value $smaller($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if ($integers(a, b)) return b.integer < a.integer ? b : a;
  return $real($as_real(b) < $as_real(a) ? $as_real(b) : $as_real(a));
}
)";
constexpr std::string_view kLargerCpp = R"(constexpr Value larger(Value a, Value b) {
  if (!numbers(a, b)) return {};
  if (integers(a, b)) return a.integer < b.integer ? b : a;
  return a.as_real() < b.as_real() ? b.as_real() : a.as_real();
}
)";
constexpr std::string_view kLargerC = R"(static inline $value $larger($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if ($integers(a, b)) return a.integer < b.integer ? b : a;
  return $real($as_real(a) < $as_real(b) ? $as_real(b) : $as_real(a));
}
)";

constexpr std::string_view kLog2Cpp = R"(constexpr Value log2_of(Value v) {
  return v.number() && v.as_real() > 0 ? Value(log2(v.as_real())) : Value();
}
)";
constexpr std::string_view kLog2C = R"(static inline $value $log2_of($value v) {
  return $number(v) && $as_real(v) > 0 ? $real($log2($as_real(v))) : $fault();
}
)";
constexpr std::string_view kRootCpp = R"(constexpr Value root_of(Value v) {
  return v.number() && v.as_real() >= 0 ? Value(root(v.as_real())) : Value();
}
)";
constexpr std::string_view kRootC = R"(static inline $value $root_of($value v) {
  return $number(v) && $as_real(v) >= 0 ? $real($root($as_real(v))) : $fault();
}
)";

// An initialiser list in a loop would need <initializer_list>, which NVRTC has not.
constexpr std::string_view kBytesTableCpp = R"(constexpr Value bytes_of(Value v) {
  if (v.kind != Value::kText) return {};
  constexpr const char* names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                   "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  constexpr int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  for (int i = 0; i < 15; ++i) {
    if (same_text(v.text, names[i])) return bytes[i];
  }
  return {};
}
)";
constexpr std::string_view kBytesTableC = R"(static inline $value $bytes_of($value v) {
  static const char *const names[] = {"f64", "i64", "u64", "f32", "i32", "u32", "f16", "bf16",
                                      "i16", "u16", "i8",  "u8",  "e4m3", "e5m2", "bool"};
  static const int bytes[] = {8, 8, 8, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1};
  int i;
  if (v.kind != $TEXT) return $fault();
  for (i = 0; i < 15; ++i) {
    if ($same_text(v.text, names[i])) return $integer(bytes[i]);
  }
  return $fault();
}
)";

constexpr std::string_view kScalesCpp = R"(
// Without <cmath>, so that everything is a constant expression, also for NVRTC.
constexpr double log2(double v) {
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
constexpr double root(double v) {
  double scale = 1;
  for (; v >= 4; v /= 4) scale *= 2;
  for (; v > 0 && v < 1; v *= 4) scale /= 2;
  double r = (1 + v) / 2;
  for (int i = 0; i < 6; ++i) r = (r + v / r) / 2;
  return v > 0 ? r * scale : 0;
}
// log2(1 + |v|) with the sign of v.
constexpr double size_scale(double v) { return v < 0 ? -log2(1 - v) : log2(1 + v); }
)";
constexpr std::string_view kScalesC = R"(
/* Without <math.h>, so that nothing has to be linked. */
static inline double $log2(double v) {
  int exponent = 0;
  int i;
  double t;
  double sum = 0;
  for (; v >= 4294967296.0; v /= 4294967296.0) exponent += 32;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v < 1; v *= 2) --exponent;
  if (v > 1.4142135623730951) {
    v /= 2;
    ++exponent;
  }
  t = (v - 1) / (v + 1);
  for (i = 23; i >= 1; i -= 2) sum = sum * t * t + 1.0 / i;
  return exponent + 2.885390081777927 * t * sum;
}
static inline double $root(double v) {
  double scale = 1;
  double r;
  int i;
  for (; v >= 4; v /= 4) scale *= 2;
  for (; v > 0 && v < 1; v *= 4) scale /= 2;
  r = (1 + v) / 2;
  for (i = 0; i < 6; ++i) r = (r + v / r) / 2;
  return v > 0 ? r * scale : 0;
}
/* log2(1 + |v|) with the sign of v. */
static inline double $size_scale(double v) { return v < 0 ? -$log2(1 - v) : $log2(1 + v); }
)";

// In an order in which each part finds what it uses.
const std::vector<Part>& operator_parts() {
  using Op = ExprOp;
  static const std::vector<Part> parts = {
      {{Op::kAdd}, kAddCpp, kAddC},
      {{Op::kSubtract, Op::kNegate, Op::kAbs}, kSubtractCpp, kSubtractC},
      {{Op::kNegate}, kNegateCpp, kNegateC},
      {{Op::kAbs}, kMagnitudeCpp, kMagnitudeC},
      {{Op::kMultiply, Op::kAlignUp}, kMultiplyCpp, kMultiplyC},
      {{Op::kDivide}, kDivideCpp, kDivideC},
      {{Op::kRemainder}, kRemainderCpp, kRemainderC},
      {{Op::kCeilDiv, Op::kAlignUp}, kCeilDivCpp, kCeilDivC},
      {{Op::kAlignUp}, kAlignUpCpp, kAlignUpC},
      {{Op::kShiftLeft}, kShiftLeftCpp, kShiftLeftC},
      {{Op::kShiftRight}, kShiftRightCpp, kShiftRightC},
      {{Op::kBitAnd}, kBitAndCpp, kBitAndC},
      {{Op::kBitOr}, kBitOrCpp, kBitOrC},
      {{Op::kBitXor}, kBitXorCpp, kBitXorC},
      {{Op::kInvert}, kInvertCpp, kInvertC},
      {{Op::kIsPow2}, kIsPow2Cpp, kIsPow2C},
      {{Op::kNot, Op::kNotEqual, Op::kLessEqual, Op::kGreaterEqual}, kNotCpp, kNotC},
      {{Op::kLess, Op::kGreater, Op::kLessEqual, Op::kGreaterEqual}, kLessCpp, kLessC},
      {{Op::kGreater}, kGreaterCpp, kGreaterC},
      {{Op::kLessEqual}, kLessEqualCpp, kLessEqualC},
      {{Op::kGreaterEqual}, kGreaterEqualCpp, kGreaterEqualC},
      {{Op::kEqual, Op::kNotEqual}, kEqualCpp, kEqualC},
      {{Op::kNotEqual}, kNotEqualCpp, kNotEqualC},
      {{Op::kAnd}, kAndCpp, kAndC},
      {{Op::kOr}, kOrCpp, kOrC},
      {{Op::kNone}, kChooseCpp, kChooseC},
      {{Op::kMin}, kSmallerCpp, kSmallerC},
      {{Op::kMax}, kLargerCpp, kLargerC},
      {{Op::kSizeof}, kBytesTableCpp, kBytesTableC},
      {{Op::kLog2}, kLog2Cpp, kLog2C},
      {{Op::kSqrt}, kRootCpp, kRootC},
  };
  return parts;
}

}  // namespace

std::string expand_prefix(std::string_view text, const std::string& prefix) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
      continue;
    }
    const bool constant = i + 1 < text.size() && text[i + 1] >= 'A' && text[i + 1] <= 'Z';
    for (const char c : prefix)
      result += constant && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return result;
}

std::string header_values(const std::set<ExprOp>& operators, CodeLanguage language,
                          const std::string& prefix) {
  const bool c = language == CodeLanguage::kC;
  std::string text(c ? kTypeC : kTypeCpp);
  for (const Part& part : operator_parts()) {
    for (const ExprOp op : part.needed_by) {
      if (!operators.contains(op)) continue;
      text += c ? part.c : part.cpp;
      break;
    }
  }
  return c ? expand_prefix(text, prefix) : text;
}

std::string header_scales(CodeLanguage language, const std::string& prefix) {
  return language == CodeLanguage::kC ? expand_prefix(kScalesC, prefix) : std::string(kScalesCpp);
}

}  // namespace warpwright
