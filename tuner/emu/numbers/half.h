// Conversions between float and the narrow formats, without tables or branches where lanes run in
// vectors. All round to nearest even; NaN becomes the canonical one (0x7fff), as on the hardware.
// Everything is always inlined: the same header is compiled for several instruction sets.
#pragma once

#include <cstdint>

namespace warpwright::emu {

[[gnu::always_inline]] inline float float_from_bits(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
[[gnu::always_inline]] inline std::uint32_t bits_of(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
[[gnu::always_inline]] inline double double_from_bits(std::uint64_t bits) {
  return __builtin_bit_cast(double, bits);
}
[[gnu::always_inline]] inline std::uint64_t bits_of(double value) {
  return __builtin_bit_cast(std::uint64_t, value);
}

[[gnu::always_inline]] inline float half_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffu;
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  // 2^112 moves the exponent bias from 15 to 127 and normalises subnormals on the way.
  const std::uint32_t finite =
      bits_of(float_from_bits(magnitude << 13) * float_from_bits(0x77800000u));
  const std::uint32_t special = (magnitude << 13) | 0x7f800000u;
  return float_from_bits(sign | (magnitude >= 0x7c00u ? special : finite));
}

[[gnu::always_inline]] inline std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  const std::uint32_t normal =
      (magnitude + 0xc8000fffu + (magnitude >> 13 & 1)) >> 13;  // rebias by -112 and round
  // Adding 0.5 leaves the subnormal half, rounded, in the low bits.
  const std::uint32_t subnormal = bits_of(float_from_bits(magnitude) + 0.5f) - 0x3f000000u;
  const std::uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
  const std::uint32_t result =
      magnitude >= 0x47800000u ? (magnitude > 0x7f800000u ? 0x7fffu : 0x7c00u) : finite;
  return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? 0x7fffu : sign | result);
}

[[gnu::always_inline]] inline float bf16_to_float(std::uint16_t value) {
  return float_from_bits(static_cast<std::uint32_t>(value) << 16);
}

[[gnu::always_inline]] inline std::uint16_t float_to_bf16(float value) {
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded);
}

// Truncates `value` to a float and sets its last bit if anything was lost, so that rounding to any
// narrower format with at most 22 significant bits gives the same result as rounding `value`.
[[gnu::always_inline]] inline float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const std::uint32_t bits = bits_of(nearest);
  const double back = static_cast<double>(nearest);
  const double wide = __builtin_fabs(value);
  const std::uint32_t truncated = __builtin_fabs(back) > wide ? bits - 1 : bits;
  const bool exact = back == value || value != value;
  return float_from_bits(exact ? bits : truncated | 1u);
}

// p * q + c where p * q is exact in double: the sum is rounded to odd, so that the caller rounds
// only once.
[[gnu::always_inline]] inline double fma_to_odd(double p, double q, double c) {
  const double product = p * q;
  const double sum = product + c;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  const std::uint64_t bits = bits_of(sum);
  const bool away =
      (error < 0) == ((bits >> 63) != 0);  // the exact value is further from zero than the sum
  const std::uint64_t odd = (bits & 1) != 0 ? bits : away ? bits + 1 : bits - 1;
  const bool inexact = error != 0 && error == error && sum - sum == 0;
  return double_from_bits(inexact ? odd : bits);
}

}  // namespace warpwright::emu
