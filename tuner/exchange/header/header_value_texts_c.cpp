#include "exchange/header/header_value_texts.h"

namespace warpwright {
namespace {

constexpr std::string_view kType = R"(
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

constexpr std::string_view kAdd = R"(static inline $value $add($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) + $as_real(b));
  if (b.integer > 0 ? a.integer > $largest - b.integer : a.integer < $lowest - b.integer)
    return $fault();
  return $integer(a.integer + b.integer);
}
)";

constexpr std::string_view kSubtract = R"(static inline $value $subtract($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) - $as_real(b));
  if (b.integer < 0 ? a.integer > $largest + b.integer : a.integer < $lowest + b.integer)
    return $fault();
  return $integer(a.integer - b.integer);
}
)";

constexpr std::string_view kNegate = R"(static inline $value $negate($value v) {
  return v.kind == $REAL ? $real(-v.real) : $subtract($integer(0), v);
}
)";

constexpr std::string_view kMagnitude = R"(static inline $value $magnitude($value v) {
  if (v.kind == $REAL) return $real(v.real < 0 ? -v.real : v.real);
  return v.kind == $INTEGER && v.integer >= 0 ? v : $subtract($integer(0), v);
}
)";

constexpr std::string_view kMultiply = R"(static inline $value $multiply($value a, $value b) {
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

constexpr std::string_view kDivide = R"(static inline $value $divide($value a, $value b) {
  if (!$numbers(a, b) || $as_real(b) == 0) return $fault();
  if (!$integers(a, b)) return $real($as_real(a) / $as_real(b));
  if (b.integer == -1) return a.integer == $lowest ? $fault() : $integer(-a.integer);
  return $integer(a.integer / b.integer);
}
)";

constexpr std::string_view kRemainder = R"(static inline $value $remainder($value a, $value b) {
  if (!$integers(a, b) || b.integer == 0) return $fault();
  return $integer(b.integer == -1 ? 0 : a.integer % b.integer);
}
)";

constexpr std::string_view kCeilDiv = R"(static inline $value $ceil_div($value a, $value b) {
  if (!$integers(a, b) || b.integer <= 0) return $fault();
  return $integer(a.integer / b.integer + (a.integer % b.integer > 0 ? 1 : 0));
}
)";

constexpr std::string_view kAlignUp =
    R"(static inline $value $align_up($value a, $value b) { return $multiply($ceil_div(a, b), b); }
)";

constexpr std::string_view kShiftLeft = R"(static inline $value $shift_left($value a, $value b) {
  long long v;
  if (!$integers(a, b) || b.integer < 0 || b.integer > 63) return $fault();
  v = (long long)((unsigned long long)a.integer << b.integer);
  return (v >> b.integer) == a.integer ? $integer(v) : $fault();
}
)";

constexpr std::string_view kShiftRight = R"(static inline $value $shift_right($value a, $value b) {
  if (!$integers(a, b) || b.integer < 0 || b.integer > 63) return $fault();
  return $integer(a.integer >> b.integer);
}
)";

constexpr std::string_view kBitAnd = R"(static inline $value $bit_and($value a, $value b) {
  return $integers(a, b) ? $integer(a.integer & b.integer) : $fault();
}
)";

constexpr std::string_view kBitOr = R"(static inline $value $bit_or($value a, $value b) {
  return $integers(a, b) ? $integer(a.integer | b.integer) : $fault();
}
)";

constexpr std::string_view kBitXor = R"(static inline $value $bit_xor($value a, $value b) {
  return $integers(a, b) ? $integer(a.integer ^ b.integer) : $fault();
}
)";

constexpr std::string_view kInvert = R"(static inline $value $invert($value v) {
  return v.kind == $INTEGER ? $integer(~v.integer) : $fault();
}
)";

constexpr std::string_view kIsPow2 = R"(static inline $value $is_pow2($value v) {
  if (v.kind != $INTEGER) return $fault();
  return $integer(v.integer > 0 && (v.integer & (v.integer - 1)) == 0);
}
)";

constexpr std::string_view kLess = R"(static inline $value $less($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  return $integer($integers(a, b) ? a.integer < b.integer : $as_real(a) < $as_real(b));
}
)";

constexpr std::string_view kGreater =
    R"(static inline $value $greater($value a, $value b) { return $less(b, a); }
)";

constexpr std::string_view kNot = R"(static inline $value $not($value v) {
  return $number(v) ? $integer(!$holds(v)) : $fault();
}
)";

constexpr std::string_view kLessEqual =
    R"(static inline $value $less_equal($value a, $value b) { return $not($less(b, a)); }
)";

constexpr std::string_view kGreaterEqual =
    R"(static inline $value $greater_equal($value a, $value b) { return $not($less(a, b)); }
)";

constexpr std::string_view kEqual = R"(static inline $value $equal($value a, $value b) {
  if (a.kind == $TEXT && b.kind == $TEXT) return $integer($same_text(a.text, b.text));
  if (!$numbers(a, b)) return $fault();
  return $integer($integers(a, b) ? a.integer == b.integer : $as_real(a) == $as_real(b));
}
)";

constexpr std::string_view kNotEqual =
    R"(static inline $value $not_equal($value a, $value b) { return $not($equal(a, b)); }
)";

constexpr std::string_view kAnd = R"(static inline $value $and($value a, $value b) {
  if (!$number(a)) return $fault();
  if (!$holds(a)) return $integer(0);
  return $number(b) ? $integer($holds(b)) : $fault();
}
)";

constexpr std::string_view kOr = R"(static inline $value $or($value a, $value b) {
  if (!$number(a)) return $fault();
  if ($holds(a)) return $integer(1);
  return $number(b) ? $integer($holds(b)) : $fault();
}
)";

constexpr std::string_view kChoose = R"(static inline $value $choose($value v, $value a, $value b) {
  return $number(v) ? ($holds(v) ? a : b) : $fault();
}
)";

constexpr std::string_view kSmaller = R"(static inline $value $smaller($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if ($integers(a, b)) return b.integer < a.integer ? b : a;
  return $real($as_real(b) < $as_real(a) ? $as_real(b) : $as_real(a));
}
)";

constexpr std::string_view kLarger = R"(static inline $value $larger($value a, $value b) {
  if (!$numbers(a, b)) return $fault();
  if ($integers(a, b)) return a.integer < b.integer ? b : a;
  return $real($as_real(a) < $as_real(b) ? $as_real(b) : $as_real(a));
}
)";

constexpr std::string_view kLog2 = R"(static inline $value $log2_of($value v) {
  return $number(v) && $as_real(v) > 0 ? $real($log2($as_real(v))) : $fault();
}
)";

constexpr std::string_view kRoot = R"(static inline $value $root_of($value v) {
  return $number(v) && $as_real(v) >= 0 ? $real($root($as_real(v))) : $fault();
}
)";

constexpr std::string_view kBytesTable = R"(static inline $value $bytes_of($value v) {
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

constexpr std::string_view kScales = R"(
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

const ValueTexts& c_value_texts() { return kTexts; }

}  // namespace warpwright
