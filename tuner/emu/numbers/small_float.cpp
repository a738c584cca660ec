#include "emu/numbers/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "emu/numbers/half.h"

namespace warpwright::emu {

// Rounds to nearest even on a grid of `fraction_bits` down to the lowest exponent.
std::uint8_t float_to_small(SmallFormat format, float value, bool relu) {
  const SmallFloat f = small_float(format);
  const auto ones = static_cast<std::uint8_t>((1u << (f.exponent_bits + f.fraction_bits)) - 1);
  if (std::isnan(value)) return ones;
  const bool negative = std::signbit(value);
  if (relu && negative) return 0;
  const auto sign = static_cast<std::uint8_t>(negative ? ones + 1 : 0);
  // Twice the largest number is beyond every tie, and keeps infinity out of the arithmetic below.
  double magnitude = std::min(std::fabs(static_cast<double>(value)), 2.0 * f.largest);
  const int lowest = 1 - f.bias;
  const int exponent = magnitude == 0 ? lowest : std::max(std::ilogb(magnitude), lowest);
  const double ulp = std::ldexp(1.0, exponent - f.fraction_bits);
  // The quotient is exact, so this is one rounding, to nearest even.
  magnitude = std::nearbyint(magnitude / ulp) * ulp;
  if (magnitude > f.largest) magnitude = f.largest;
  if (magnitude == 0) return sign;
  const int rounded = std::max(std::ilogb(magnitude), lowest);
  const auto steps = static_cast<unsigned>(std::ldexp(magnitude, f.fraction_bits - rounded));
  const bool subnormal = (steps >> f.fraction_bits) == 0;
  const unsigned field = subnormal ? 0 : static_cast<unsigned>(rounded + f.bias);
  return static_cast<std::uint8_t>(sign | field << f.fraction_bits |
                                   (steps & ((1u << f.fraction_bits) - 1)));
}

float small_to_float(SmallFormat format, std::uint8_t bits) {
  const double value = small_values(format)[bits];
  return std::isnan(value) ? std::bit_cast<float>(0x7fffffffu) : static_cast<float>(value);
}

std::uint8_t float_to_ue8m0(float value, bool up, bool saturate) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
  if (bits > 0x7f800000u) return 0xff;
  std::uint32_t field = bits >> 23;
  // The smallest power of two is the subnormal 2^-127, the upper half of the lowest binade.
  const bool above = field == 0 ? bits > 0x00400000u : (bits & 0x7fffffu) != 0;
  if (up && above) ++field;
  return static_cast<std::uint8_t>(saturate ? std::min(field, 0xfeu) : field);
}

std::uint16_t ue8m0_to_bf16(std::uint8_t bits) {
  if (bits == 0xff) return 0x7fff;
  return static_cast<std::uint16_t>(bits == 0 ? 0x0040 : bits << 7);
}

std::uint16_t float_to_bf16_up(float value) {
  if (std::isnan(value)) return 0x7fff;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool raise = !std::signbit(value) && (bits & 0xffffu) != 0;
  return static_cast<std::uint16_t>((bits >> 16) + (raise ? 1 : 0));
}

std::uint16_t float_to_half_toward_zero(float value) {
  const std::uint16_t nearest = float_to_half(value);
  if (std::isnan(value)) return nearest;
  const bool past = std::fabs(half_to_float(nearest)) > std::fabs(value);
  return past ? static_cast<std::uint16_t>(nearest - 1) : nearest;
}

std::uint16_t float_to_half_directed(float value, bool up) {
  const std::uint16_t zero = float_to_half_toward_zero(value);
  if (std::isnan(value) || half_to_float(zero) == value) return zero;
  return std::signbit(value) == up ? zero : static_cast<std::uint16_t>(zero + 1);
}

}  // namespace warpwright::emu
