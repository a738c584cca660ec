// ex2, lg2, sin, cos, tanh, rcp, rsqrt, sqrt .approx of f32, computed in double with our own
// polynomials and rounded once, so that every host gives the same bits. The README lists the
// differences from the hardware. Part of the per-instruction-set sources; see lane_exec.h.
#pragma once

#include "emu/lanes/lane_exec.h"
#include "emu/lanes/lane_float.h"

namespace warpwright::emu::WARPWRIGHT_LANE_ISA {

// Nearest integer, ties to even, for |x| < 2^51; as a double and, in the low bits, as an integer.
struct Rounded {
  double value;
  std::int64_t integer;
};
[[gnu::always_inline]] inline Rounded round_near(double x) {
  constexpr double kMagic = 6755399441055744.0;  // 1.5 * 2^52
  const double shifted = x + kMagic;
  return {shifted - kMagic, static_cast<std::int64_t>(bits_of(shifted) - bits_of(kMagic))};
}

// 2^x for |x| <= 1000, relative error below 2^-50: Taylor series of e^(r ln 2) on |r| <= 1/2.
[[gnu::always_inline]] inline double exp2_double(double x) {
  const Rounded n = round_near(x);
  const double r = (x - n.value) * 0.693147180559945309417;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return p * double_from_bits(static_cast<std::uint64_t>(n.integer + 1023) << 52);
}

[[gnu::always_inline]] inline float ex2(float a) {
  double x = static_cast<double>(a);
  x = x > 200.0 ? 200.0 : x < -200.0 ? -200.0 : x;  // both ends round to inf and zero
  return a != a ? a : static_cast<float>(exp2_double(x));
}

// log2 of a positive finite number: atanh series on the mantissa in [sqrt(1/2), sqrt(2)].
[[gnu::always_inline]] inline float lg2(float a) {
  const double x = static_cast<double>(a);
  const std::uint64_t bits = bits_of(x);
  const std::uint64_t high = (bits & 0x000fffffffffffffu) > 0x6a09e667f3bcdu ? 1 : 0;
  const double exponent = static_cast<double>(static_cast<std::int32_t>(bits >> 52) - 1023) +
                          static_cast<double>(static_cast<std::int32_t>(high));
  const double m =
      double_from_bits((bits & 0x000fffffffffffffu) | ((std::uint64_t{1023} - high) << 52));
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 21.0;
  p = p * z + 1.0 / 19.0;
  p = p * z + 1.0 / 17.0;
  p = p * z + 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  p = p * z + 1.0;
  const float finite = static_cast<float>(exponent + 2.885390081777926814720 * s * p);
  const float infinity = float_from_bits(0x7f800000u);
  return a != a || a < 0.0f ? float_from_bits(0x7fffffffu)
         : a == 0.0f        ? -infinity
         : a == infinity    ? a
                            : finite;
}

// sin of x + quarter * pi/2 by two-part reduction; accurate to float precision for |x| up to 2^20,
// which covers practical uses: the hardware itself loses absolute precision outside [-pi, pi].
[[gnu::always_inline]] inline float sine(float a, std::int64_t quarter) {
  const double x = static_cast<double>(a);
  const bool finite = __builtin_fabsf(a) <= 3.4028235e38f;
  const double bounded = __builtin_fabs(x) < 1e15 ? x : 0.0;
  const Rounded n = round_near(bounded * 0.636619772367581343076);
  double r = bounded - n.value * 1.5707963267341256;  // 33 bits of pi/2: the product is exact
  r = r - n.value * 6.077100506506192e-11;
  const double z = r * r;
  double s = -1.0 / 1307674368000.0;
  s = s * z + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = s * z * r + r;
  double c = 1.0 / 20922789888000.0;
  c = c * z - 1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  c = c * z + 1.0;
  const std::int64_t q = n.integer + quarter;
  const double value = (q & 1) != 0 ? c : s;
  return finite ? static_cast<float>((q & 2) != 0 ? -value : value) : float_from_bits(0x7fffffffu);
}

[[gnu::always_inline]] inline float tanh_approx(float a) {
  const double x = static_cast<double>(__builtin_fabsf(a));
  const double e = exp2_double((x < 20.0 ? x : 20.0) * 2.885390081777926814720);  // e^(2x)
  const double small = x - x * x * x / 3.0;
  const double large = 1.0 - 2.0 / (e + 1.0);
  const float value = static_cast<float>(x < 1e-3 ? small : large);
  return a != a ? a : float_from_bits(bits_of(value) | (bits_of(a) & 0x80000000u));
}

inline void add_special(LaneTable& t) {
  constexpr InstClass k = InstClass::kSpecial;
  float_unary(t, "ex2.approx", k, [](float a) { return ex2(a); });
  float_unary(t, "lg2.approx", k, [](float a) { return lg2(a); });
  float_unary(t, "sin.approx", k, [](float a) { return sine(a, 0); });
  float_unary(t, "cos.approx", k, [](float a) { return sine(a, 1); });
  float_unary(t, "tanh.approx", k, [](float a) { return tanh_approx(a); });
  float_unary(t, "rcp.approx", k, [](float a) { return 1.0f / a; });
  float_unary(t, "sqrt.approx", k, [](float a) { return __builtin_sqrtf(a); });
  float_unary(t, "rsqrt.approx", k, [](float a) {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  });
}

}  // namespace warpwright::emu::WARPWRIGHT_LANE_ISA
