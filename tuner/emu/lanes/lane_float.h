// f32 and f64 arithmetic and the approximate instructions. Part of the per-instruction-set sources;
// see lane_exec.h. NaN results of f32 are the canonical 0x7fffffff, as on the hardware.
#pragma once

#include "emu/lanes/lane_exec.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

[[gnu::always_inline]] inline float canonical(float a) {
  return a != a ? float_from_bits(0x7fffffffu) : a;
}

// Flushes subnormals to zero of the same sign.
[[gnu::always_inline]] inline float flush(float a) {
  const std::uint32_t bits = bits_of(a);
  return float_from_bits((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
// Flushes the subnormals of a half that was widened to a float.
[[gnu::always_inline]] inline float flush_half(float a) {
  const std::uint32_t bits = bits_of(a);
  return float_from_bits((bits & 0x7fffffffu) < 0x38800000u ? bits & 0x80000000u : bits);
}
[[gnu::always_inline]] inline float saturate(float a) {
  return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f;
}

// min and max order -0 below +0, and return the number if one operand is NaN.
template <bool kMax, bool kNan>
[[gnu::always_inline]] inline float extreme(float a, float b) {
  const float nan = float_from_bits(0x7fffffffu);
  const bool a_first = kMax ? (a > b) | ((a == b) & (bits_of(b) >> 31 != 0))
                            : (a < b) | ((a == b) & (bits_of(a) >> 31 != 0));
  float result = a_first ? a : b;
  if constexpr (kNan) {
    return (a != a) | (b != b) ? nan : result;
  } else {
    result = b != b ? a : result;
    return (a != a) & (b != b) ? nan : a != a ? b : result;
  }
}
template <bool kMax>
[[gnu::always_inline]] inline double extreme64(double a, double b) {
  const bool a_first = kMax ? (a > b) | ((a == b) & (bits_of(b) >> 63 != 0))
                            : (a < b) | ((a == b) & (bits_of(a) >> 63 != 0));
  const double result = b != b ? a : a_first ? a : b;
  return a != a && b != b ? double_from_bits(bits_of(a) | 0x0008000000000000u)
         : a != a         ? b
                          : result;
}

// .ftz flushes results that would be tiny with an unlimited exponent range, even if rounding to the
// grid of subnormals has raised them to the smallest normal number: `scaled` is the same result
// computed with operands scaled by 2^64.
[[gnu::always_inline]] inline float flush_tiny(float result, float scaled) {
  const bool tiny = __builtin_fabsf(scaled) < float_from_bits(0x20800000u);  // 2^-62
  return tiny ? float_from_bits(bits_of(result) & 0x80000000u) : flush(result);
}
[[gnu::always_inline]] inline float multiply_ftz(float a, float b) {
  constexpr float kScale = 18446744073709551616.0f;
  return flush_tiny(flush(a) * flush(b), flush(a) * kScale * flush(b));
}
[[gnu::always_inline]] inline float fma_ftz(float a, float b, float c) {
  constexpr float kScale = 18446744073709551616.0f;
  const float x = flush(a);
  const float y = flush(b);
  const float z = flush(c);
  return flush_tiny(__builtin_fmaf(x, y, z), __builtin_fmaf(x * kScale, y, z * kScale));
}

// A double NaN keeps the payload of the first NaN operand, quieted; without one it is the default
// of the host and the hardware. This is written out because compilers swap operands.
[[gnu::always_inline]] inline double nan_of(double a, double b, double c, double result) {
  const std::uint64_t first = a != a ? bits_of(a) : b != b ? bits_of(b) : bits_of(c);
  const bool given = (a != a) | (b != b) | (c != c);
  const std::uint64_t nan = given ? first | 0x0008000000000000u : 0xfff8000000000000u;
  return result != result ? double_from_bits(nan) : result;
}

// Registers name.f32 and name.ftz.f32 of an operation or, if it saturates, name.sat.f32 and
// name.ftz.sat.f32, which are compiled once.
template <bool kSaturates, class F, class Ftz>
void float_binary_with(LaneTable& t, std::string_view name, InstClass klass, F, Ftz) {
  if constexpr (kSaturates) {
    binary<float, float, float>(t, {name, ".sat.f32"}, klass,
                                [](float a, float b) { return saturate(F{}(a, b)); });
    binary<float, float, float>(t, {name, ".ftz.sat.f32"}, klass,
                                [](float a, float b) { return saturate(Ftz{}(a, b)); });
  } else {
    binary<float, float, float>(t, {name, ".f32"}, klass,
                                [](float a, float b) { return canonical(F{}(a, b)); });
    binary<float, float, float>(t, {name, ".ftz.f32"}, klass,
                                [](float a, float b) { return canonical(Ftz{}(a, b)); });
  }
}
template <bool kSaturates, class F>
void float_binary(LaneTable& t, std::string_view name, InstClass klass, F f) {
  float_binary_with<kSaturates>(t, name, klass, f,
                                [](float a, float b) { return flush(F{}(flush(a), flush(b))); });
}
template <class F>
void float_unary(LaneTable& t, std::string_view name, InstClass klass, F) {
  unary<float, float>(t, {name, ".f32"}, klass, [](float a) { return canonical(F{}(a)); });
  unary<float, float>(t, {name, ".ftz.f32"}, klass,
                      [](float a) { return canonical(flush(F{}(flush(a)))); });
}
template <bool kSaturates>
void add_float_arithmetic(LaneTable& t) {
  constexpr InstClass k = InstClass::kFp32;
  float_binary<kSaturates>(t, "add", k, [](float a, float b) { return a + b; });
  float_binary<kSaturates>(t, "sub", k, [](float a, float b) { return a - b; });
  float_binary_with<kSaturates>(
      t, "mul", k, [](float a, float b) { return a * b; },
      [](float a, float b) { return multiply_ftz(a, b); });
  float_binary<kSaturates>(t, "div", k, [](float a, float b) { return a / b; });
  // a * (1/b), where 1/b is zero for the largest divisors
  float_binary<kSaturates>(t, "div.approx", k, [](float a, float b) {
    const bool huge = __builtin_fabsf(b) > 8.507059e37f && __builtin_fabsf(b) <= 3.4028235e38f;
    return huge ? a * (bits_of(b) >> 31 != 0 ? -0.0f : 0.0f) : a / b;
  });
  if constexpr (kSaturates) {
    ternary<float, float, float, float>(t, {"fma.sat.f32"}, k, [](float a, float b, float c) {
      return saturate(__builtin_fmaf(a, b, c));
    });
    ternary<float, float, float, float>(t, {"fma.ftz.sat.f32"}, k, [](float a, float b, float c) {
      return saturate(fma_ftz(a, b, c));
    });
  } else {
    ternary<float, float, float, float>(t, {"fma.f32"}, k, [](float a, float b, float c) {
      return canonical(__builtin_fmaf(a, b, c));
    });
    ternary<float, float, float, float>(t, {"fma.ftz.f32"}, k, [](float a, float b, float c) {
      return canonical(fma_ftz(a, b, c));
    });
  }
  constexpr std::string_view kTails[2] = {kSaturates ? ".sat.f32" : ".f32",
                                          kSaturates ? ".ftz.sat.f32" : ".ftz.f32"};
  for (const std::string_view tail : kTails) {
    t.alias({"div.full", tail}, {"div", tail});
    t.alias({"mad", tail}, {"fma", tail});
  }
}

inline void add_float32(LaneTable& t) {
  constexpr InstClass k = InstClass::kFp32;
  add_float_arithmetic<false>(t);
  float_unary(t, "sqrt", k, [](float a) { return __builtin_sqrtf(a); });
  float_unary(t, "rcp", k, [](float a) { return 1.0f / a; });
  unary<float, float>(t, {"neg.f32"}, k,
                      [](float a) { return canonical(float_from_bits(bits_of(a) ^ 0x80000000u)); });
  unary<float, float>(t, {"neg.ftz.f32"}, k, [](float a) {
    return canonical(float_from_bits(bits_of(flush(a)) ^ 0x80000000u));
  });
  unary<float, float>(t, {"abs.f32"}, k,
                      [](float a) { return canonical(float_from_bits(bits_of(a) & 0x7fffffffu)); });
  unary<float, float>(t, {"abs.ftz.f32"}, k, [](float a) {
    return canonical(float_from_bits(bits_of(flush(a)) & 0x7fffffffu));
  });
  binary<float, float, float>(t, {"min.f32"}, k,
                              [](float a, float b) { return extreme<false, false>(a, b); });
  binary<float, float, float>(t, {"max.f32"}, k,
                              [](float a, float b) { return extreme<true, false>(a, b); });
  binary<float, float, float>(t, {"min.ftz.f32"}, k, [](float a, float b) {
    return extreme<false, false>(flush(a), flush(b));
  });
  binary<float, float, float>(t, {"max.ftz.f32"}, k, [](float a, float b) {
    return extreme<true, false>(flush(a), flush(b));
  });
}

inline void add_float64(LaneTable& t) {
  constexpr InstClass k = InstClass::kFp64;
  binary<double, double, double>(t, {"add.f64"}, k,
                                 [](double a, double b) { return nan_of(a, b, 0.0, a + b); });
  binary<double, double, double>(t, {"sub.f64"}, k,
                                 [](double a, double b) { return nan_of(a, b, 0.0, a - b); });
  binary<double, double, double>(t, {"mul.f64"}, k,
                                 [](double a, double b) { return nan_of(a, b, 0.0, a * b); });
  binary<double, double, double>(t, {"div.f64"}, k,
                                 [](double a, double b) { return nan_of(a, b, 0.0, a / b); });
  ternary<double, double, double, double>(t, {"fma.f64"}, k, [](double a, double b, double c) {
    return nan_of(a, b, c, __builtin_fma(a, b, c));
  });
  t.alias({"mad.f64"}, {"fma.f64"});
  unary<double, double>(t, {"sqrt.f64"}, k,
                        [](double a) { return nan_of(a, 0.0, 0.0, __builtin_sqrt(a)); });
  unary<double, double>(t, {"rcp.f64"}, k, [](double a) { return nan_of(a, 0.0, 0.0, 1.0 / a); });
  unary<double, double>(t, {"neg.f64"}, k, [](double a) {
    return double_from_bits(bits_of(a) ^ 0x8000000000000000u);
  });
  unary<double, double>(t, {"abs.f64"}, k, [](double a) {
    return double_from_bits(bits_of(a) & 0x7fffffffffffffffu);
  });
  binary<double, double, double>(t, {"min.f64"}, k,
                                 [](double a, double b) { return extreme64<false>(a, b); });
  binary<double, double, double>(t, {"max.f64"}, k,
                                 [](double a, double b) { return extreme64<true>(a, b); });
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
