// Floats of 4, 6 and 8 bits, and the scales of their blocks, by definition: the value of every code
// in double, which represents all of them exactly, and conversions. Conversions and tensor cores
// decode with these tables.
//
// With the exponent field e and the fraction field f, the value of a code is
// (1 + f / 2^fraction_bits) * 2^(e - bias), or f / 2^fraction_bits * 2^(1 - bias) if e is 0.
// Bits above those of a format are ignored, as tensor cores ignore the padding of containers. ue8m0
// has no sign, fraction or zero: 2^(e - 127).
//
// Sources: OCP Microscaling Formats (MX) 1.0 for e2m1, e2m3, e3m2 and ue8m0; OCP 8-bit Floating
// Point (OFP8) 1.0 for e4m3 and e5m2; PTX ISA, "Alternate floating-point data formats" and "Block
// scaling", for ue4m3, which is e4m3 without a sign.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace warpwright::emu {

enum class SmallFormat : std::uint8_t { kE2m1, kE2m3, kE3m2, kE4m3, kE5m2, kUe4m3, kUe8m0 };

struct SmallFloat {
  enum class Top : std::uint8_t {
    kFinite,  // every code is a number
    kNan,     // the code of all ones is NaN
    kIeee,    // the last exponent is infinity and NaN
  };
  int exponent_bits = 0;
  int fraction_bits = 0;
  int bias = 0;
  bool has_sign = true;
  Top top = Top::kFinite;
  double largest = 0;
};

[[nodiscard]] constexpr SmallFloat small_float(SmallFormat format) {
  switch (format) {
    case SmallFormat::kE2m1:
      return {2, 1, 1, true, SmallFloat::Top::kFinite, 6};
    case SmallFormat::kE2m3:
      return {2, 3, 1, true, SmallFloat::Top::kFinite, 7.5};
    case SmallFormat::kE3m2:
      return {3, 2, 3, true, SmallFloat::Top::kFinite, 28};
    case SmallFormat::kE4m3:
      return {4, 3, 7, true, SmallFloat::Top::kNan, 448};
    case SmallFormat::kE5m2:
      return {5, 2, 15, true, SmallFloat::Top::kIeee, 57344};
    case SmallFormat::kUe4m3:
      return {4, 3, 7, false, SmallFloat::Top::kNan, 448};
    case SmallFormat::kUe8m0:
      return {8, 0, 127, false, SmallFloat::Top::kNan, 0x1p127};
  }
  return {};
}

[[nodiscard]] constexpr double power_of_two(int exponent) {
  double value = 1;
  for (int i = 0; i < exponent; ++i) value *= 2;
  for (int i = 0; i > exponent; --i) value /= 2;
  return value;
}

[[nodiscard]] constexpr double small_value(SmallFormat format, std::uint8_t code) {
  const SmallFloat f = small_float(format);
  const unsigned ones = (1u << (f.exponent_bits + f.fraction_bits)) - 1;
  const unsigned magnitude = code & ones;
  const unsigned fraction = magnitude & ((1u << f.fraction_bits) - 1);
  const int field = static_cast<int>(magnitude >> f.fraction_bits);
  const bool negative = f.has_sign && (code & (ones + 1)) != 0;
  double value = 0;
  if (f.top == SmallFloat::Top::kNan && magnitude == ones) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (f.top == SmallFloat::Top::kIeee && field == (1 << f.exponent_bits) - 1) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (field == 0 && f.fraction_bits > 0) {
    value = fraction * power_of_two(1 - f.bias - f.fraction_bits);
  } else {
    value = (fraction + (1u << f.fraction_bits)) * power_of_two(field - f.bias - f.fraction_bits);
  }
  return negative ? -value : value;
}

// The values of a format, by code.
template <SmallFormat kFormat>
inline constexpr std::array<double, 256> kSmallValues = [] {
  std::array<double, 256> values{};
  for (unsigned code = 0; code < 256; ++code)
    values[code] = small_value(kFormat, static_cast<std::uint8_t>(code));
  return values;
}();

[[nodiscard]] inline const std::array<double, 256>& small_values(SmallFormat format) {
  switch (format) {
    case SmallFormat::kE2m1:
      return kSmallValues<SmallFormat::kE2m1>;
    case SmallFormat::kE2m3:
      return kSmallValues<SmallFormat::kE2m3>;
    case SmallFormat::kE3m2:
      return kSmallValues<SmallFormat::kE3m2>;
    case SmallFormat::kE4m3:
      return kSmallValues<SmallFormat::kE4m3>;
    case SmallFormat::kE5m2:
      return kSmallValues<SmallFormat::kE5m2>;
    case SmallFormat::kUe4m3:
      return kSmallValues<SmallFormat::kUe4m3>;
    default:
      return kSmallValues<SmallFormat::kUe8m0>;
  }
}

// --- Conversions of floats of 4, 6 and 8 bits and directed roundings to f16, in scalar code: they
// are rare and run lane by lane. Roundings to nearest saturate to the largest finite number, as
// .satfinite requires. NaN becomes NaN (0x7f), or the largest number if the format has no NaN.

[[nodiscard]] std::uint8_t float_to_small(SmallFormat format, float value, bool relu);
[[nodiscard]] float small_to_float(SmallFormat format, std::uint8_t bits);
[[nodiscard]] std::uint16_t float_to_half_toward_zero(float value);
[[nodiscard]] std::uint16_t float_to_half_directed(float value, bool up);
[[nodiscard]] std::uint16_t float_to_bf16_up(float value);
// Rounds |value| down to a power of two, or up if `up`. Values beyond the largest power, including
// infinity, give NaN (0xff), or the largest (0xfe) if `saturate`.
[[nodiscard]] std::uint8_t float_to_ue8m0(float value, bool up, bool saturate);
[[nodiscard]] std::uint16_t ue8m0_to_bf16(std::uint8_t bits);

}  // namespace warpwright::emu
