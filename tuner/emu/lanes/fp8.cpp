#include "emu/lanes/fp8.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "emu/lanes/half.h"

namespace warpwright::emu {
namespace {

// Rounds to nearest even on a grid of `mantissa` bits down to exponent `lowest`; the caller clamps
// and encodes.
std::uint8_t encode(float value, bool relu, int mantissa, int bias, float largest,
                    std::uint8_t nan) {
  if (std::isnan(value)) return nan;
  const bool negative = std::signbit(value);
  if (relu && negative) return 0;
  const std::uint8_t sign = negative ? 0x80 : 0;
  // Twice the largest is past every tie, and keeps infinity out of the arithmetic below.
  double magnitude =
      std::min(std::fabs(static_cast<double>(value)), 2.0 * static_cast<double>(largest));
  const int lowest = 1 - bias;
  const int exponent = magnitude == 0 ? lowest : std::max(std::ilogb(magnitude), lowest);
  const double ulp = std::ldexp(1.0, exponent - mantissa);
  // The quotient is exact, so this is one rounding, to nearest even.
  magnitude = std::nearbyint(magnitude / ulp) * ulp;
  if (magnitude > static_cast<double>(largest)) magnitude = static_cast<double>(largest);
  if (magnitude == 0) return sign;
  const int rounded = std::max(std::ilogb(magnitude), lowest);
  const auto steps = static_cast<unsigned>(std::ldexp(magnitude, mantissa - rounded));
  const bool subnormal = (steps >> mantissa) == 0;
  const unsigned field = subnormal ? 0 : static_cast<unsigned>(rounded + bias);
  return static_cast<std::uint8_t>(sign | field << mantissa | (steps & ((1u << mantissa) - 1)));
}

float decode(std::uint8_t bits, int mantissa, int bias) {
  const unsigned field = (bits & 0x7fu) >> mantissa;
  const unsigned fraction = bits & ((1u << mantissa) - 1);
  const float magnitude = field == 0 ? std::ldexp(static_cast<float>(fraction), 1 - bias - mantissa)
                                     : std::ldexp(static_cast<float>(fraction | 1u << mantissa),
                                                  static_cast<int>(field) - bias - mantissa);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::uint8_t float_to_e4m3(float value, bool relu) {
  return encode(value, relu, 3, 7, 448.0f, 0x7f);
}
std::uint8_t float_to_e5m2(float value, bool relu) {
  return encode(value, relu, 2, 15, 57344.0f, 0x7f);
}

float e4m3_to_float(std::uint8_t bits) {
  return (bits & 0x7f) == 0x7f ? std::bit_cast<float>(0x7fffffffu) : decode(bits, 3, 7);
}

float e5m2_to_float(std::uint8_t bits) {
  if ((bits & 0x7f) > 0x7c) return std::bit_cast<float>(0x7fffffffu);
  if ((bits & 0x7f) == 0x7c) return std::bit_cast<float>((bits & 0x80u) << 24 | 0x7f800000u);
  return decode(bits, 2, 15);
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
