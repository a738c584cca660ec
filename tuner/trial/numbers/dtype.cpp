#include "trial/numbers/dtype.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace warpwright {
namespace {

struct DTypeRow {
  std::string_view name;
  std::size_t size;
  bool floating;
};

// Indexed by DType.
constexpr std::array<DTypeRow, 14> kRows{{{"f64", 8, true},
                                          {"f32", 4, true},
                                          {"f16", 2, true},
                                          {"bf16", 2, true},
                                          {"i64", 8, false},
                                          {"u64", 8, false},
                                          {"i32", 4, false},
                                          {"u32", 4, false},
                                          {"i16", 2, false},
                                          {"u16", 2, false},
                                          {"i8", 1, false},
                                          {"u8", 1, false},
                                          {"e4m3", 1, true},
                                          {"e5m2", 1, true}}};

constexpr int kDoubleMantissa = 52;
constexpr int kDoubleBias = 1023;

// A binary format below double: 1 sign bit, kExponent and kMantissa bits.
template <int kExponent, int kMantissa>
struct Narrow {
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;

  // Magnitude bits of |value|, finite, rounded to nearest even; may run past the format's largest
  // value, and then continues with the next larger bit pattern.
  static std::uint32_t round(double value) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63);
    const int exponent = static_cast<int>(bits >> kDoubleMantissa) - kDoubleBias + kBias;
    std::uint64_t significand;
    int shift = kDoubleMantissa - kMantissa;
    if (exponent >= 1) {
      // Exponent and mantissa are rounded as one number: a carry out of the mantissa raises the
      // exponent by itself.
      significand = bits - (static_cast<std::uint64_t>(kDoubleBias - kBias) << kDoubleMantissa);
    } else {
      // Subnormal in the target; the hidden bit becomes visible. Below half of the smallest step,
      // shifting would overflow the type: the result is 0.
      shift += 1 - exponent;
      if (shift > kDoubleMantissa + 1) return 0;
      const std::uint64_t mantissa_mask = (std::uint64_t{1} << kDoubleMantissa) - 1;
      significand = (bits & mantissa_mask) | (std::uint64_t{1} << kDoubleMantissa);
    }
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t odd = (significand >> shift) & 1;
    const std::uint64_t rounded = (significand + half - 1 + odd) >> shift;
    return rounded > 0xFFFFFFFF ? 0xFFFFFFFF : static_cast<std::uint32_t>(rounded);
  }

  static double expand(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> kMantissa) & ((1 << kExponent) - 1);
    const double mantissa = static_cast<double>(bits & ((1u << kMantissa) - 1));
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, 1 - kBias - kMantissa)
                      : std::ldexp(mantissa + (1 << kMantissa), exponent - kBias - kMantissa);
    return (bits >> (kExponent + kMantissa)) & 1 ? -magnitude : magnitude;
  }
};

using F16 = Narrow<5, 10>;
using Bf16 = Narrow<8, 7>;
using E4m3 = Narrow<4, 3>;
using E5m2 = Narrow<5, 2>;

constexpr std::uint32_t kE4m3Largest = 0x7E;  // 448; 0x7F is NaN, and there is no infinity
constexpr std::uint32_t kE5m2Largest = 0x7B;  // 57344
constexpr std::uint32_t kE5m2Infinity = 0x7C;

// Formats whose top exponent means infinity and NaN, as in IEEE formats.
template <typename Format>
std::uint16_t to_ieee16(double value, std::uint32_t infinity, std::uint32_t nan) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | nan);
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinity);
  return static_cast<std::uint16_t>(sign | std::min(Format::round(value), infinity));
}

template <typename Format>
double from_ieee(std::uint32_t bits, std::uint32_t infinity, std::uint32_t sign_bit) {
  const std::uint32_t magnitude = bits & (sign_bit - 1);
  if (magnitude > infinity) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == infinity) {
    const double huge = std::numeric_limits<double>::infinity();
    return (bits & sign_bit) != 0 ? -huge : huge;
  }
  return Format::expand(bits);
}

template <typename Integer>
Integer saturate(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  // 2^63 and 2^64 are exact in double while the largest 64-bit integers are not, hence >= and not
  // >.
  if (rounded >= std::ldexp(1.0, std::numeric_limits<Integer>::digits))
    return std::numeric_limits<Integer>::max();
  if (rounded <= static_cast<double>(std::numeric_limits<Integer>::min()))
    return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(rounded);
}

template <typename T>
void put(void* array, std::size_t index, T value) {
  std::memcpy(static_cast<std::byte*>(array) + index * sizeof(T), &value, sizeof(T));
}

template <typename T>
T get(const void* array, std::size_t index) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(array) + index * sizeof(T), sizeof(T));
  return value;
}

struct IntegerLimits {
  WideInteger low = 0;
  WideInteger high = 0;
};

IntegerLimits limits_of(DType dtype) {
  const int bits = static_cast<int>(8 * dtype_size(dtype));
  const WideInteger one = 1;
  switch (dtype) {
    case DType::kI64:
    case DType::kI32:
    case DType::kI16:
    case DType::kI8:
      return {-(one << (bits - 1)), (one << (bits - 1)) - 1};
    default:
      return {0, (one << bits) - 1};
  }
}

// The largest finite value.
double largest_of(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return std::numeric_limits<float>::max();
    case DType::kF16:
      return from_f16(0x7BFF);
    case DType::kBf16:
      return from_bf16(0x7F7F);
    case DType::kE4m3:
      return from_e4m3(0x7E);
    case DType::kE5m2:
      return from_e5m2(0x7B);
    default:
      return std::numeric_limits<double>::max();
  }
}

__extension__ using WideCount = unsigned __int128;

// fmt cannot print 128-bit integers if it was built without them.
std::string text_of(WideInteger value) {
  const bool negative = value < 0;
  auto rest = negative ? -static_cast<WideCount>(value) : static_cast<WideCount>(value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  return negative ? "-" + digits : digits;
}

}  // namespace

std::optional<DType> parse_dtype(std::string_view name) {
  if (name == "bool") return DType::kU8;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::string_view dtype_name(DType dtype) { return kRows[static_cast<std::size_t>(dtype)].name; }

std::size_t dtype_size(DType dtype) { return kRows[static_cast<std::size_t>(dtype)].size; }

bool is_floating(DType dtype) { return kRows[static_cast<std::size_t>(dtype)].floating; }

std::uint16_t to_f16(double value) { return to_ieee16<F16>(value, 0x7C00, 0x7FFF); }

std::uint16_t to_bf16(double value) { return to_ieee16<Bf16>(value, 0x7F80, 0x7FFF); }

std::uint8_t to_e4m3(double value) {
  const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return static_cast<std::uint8_t>(sign | 0x7F);
  const std::uint32_t magnitude =
      std::isinf(value) ? kE4m3Largest : std::min(E4m3::round(value), kE4m3Largest);
  return static_cast<std::uint8_t>(sign | magnitude);
}

std::uint8_t to_e5m2(double value) {
  const std::uint32_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return static_cast<std::uint8_t>(sign | 0x7F);
  const std::uint32_t magnitude =
      std::isinf(value) ? kE5m2Infinity : std::min(E5m2::round(value), kE5m2Largest);
  return static_cast<std::uint8_t>(sign | magnitude);
}

double from_f16(std::uint16_t bits) { return from_ieee<F16>(bits, 0x7C00, 0x8000); }

double from_bf16(std::uint16_t bits) { return from_ieee<Bf16>(bits, 0x7F80, 0x8000); }

double from_e4m3(std::uint8_t bits) {
  return (bits & 0x7F) == 0x7F ? std::numeric_limits<double>::quiet_NaN() : E4m3::expand(bits);
}

double from_e5m2(std::uint8_t bits) { return from_ieee<E5m2>(bits, kE5m2Infinity, 0x80); }

void store_element(DType dtype, void* array, std::size_t index, double value) {
  store_elements(dtype, array, index, std::span(&value, 1));
}

void store_elements(DType dtype, void* array, std::size_t first, std::span<const double> values) {
  const auto store_as = [&](auto convert) {
    for (std::size_t i = 0; i < values.size(); ++i) put(array, first + i, convert(values[i]));
  };
  switch (dtype) {
    case DType::kF64:
      return store_as([](double value) { return value; });
    case DType::kF32:
      return store_as([](double value) { return static_cast<float>(value); });
    case DType::kF16:
      return store_as(to_f16);
    case DType::kBf16:
      return store_as(to_bf16);
    case DType::kI64:
      return store_as(saturate<std::int64_t>);
    case DType::kU64:
      return store_as(saturate<std::uint64_t>);
    case DType::kI32:
      return store_as(saturate<std::int32_t>);
    case DType::kU32:
      return store_as(saturate<std::uint32_t>);
    case DType::kI16:
      return store_as(saturate<std::int16_t>);
    case DType::kU16:
      return store_as(saturate<std::uint16_t>);
    case DType::kI8:
      return store_as(saturate<std::int8_t>);
    case DType::kU8:
      return store_as(saturate<std::uint8_t>);
    case DType::kE4m3:
      return store_as(to_e4m3);
    case DType::kE5m2:
      return store_as(to_e5m2);
  }
}

double load_element(DType dtype, const void* array, std::size_t index) {
  switch (dtype) {
    case DType::kF64:
      return get<double>(array, index);
    case DType::kF32:
      return get<float>(array, index);
    case DType::kF16:
      return from_f16(get<std::uint16_t>(array, index));
    case DType::kBf16:
      return from_bf16(get<std::uint16_t>(array, index));
    case DType::kI64:
      return static_cast<double>(get<std::int64_t>(array, index));
    case DType::kU64:
      return static_cast<double>(get<std::uint64_t>(array, index));
    case DType::kI32:
      return get<std::int32_t>(array, index);
    case DType::kU32:
      return get<std::uint32_t>(array, index);
    case DType::kI16:
      return get<std::int16_t>(array, index);
    case DType::kU16:
      return get<std::uint16_t>(array, index);
    case DType::kI8:
      return get<std::int8_t>(array, index);
    case DType::kU8:
      return get<std::uint8_t>(array, index);
    case DType::kE4m3:
      return from_e4m3(get<std::uint8_t>(array, index));
    case DType::kE5m2:
      return from_e5m2(get<std::uint8_t>(array, index));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::optional<std::string> store_checked(DType dtype, void* array, std::size_t index,
                                         double value) {
  if (!is_floating(dtype)) {
    if (!(std::abs(value) < 0x1p64) || value != std::nearbyint(value))
      return fmt::format("{}, which is not an integer that {} can hold", value, dtype_name(dtype));
    return store_integer(dtype, array, index, static_cast<WideInteger>(value));
  }
  if (std::isinf(value) && dtype == DType::kE4m3)
    return fmt::format("{}, which e4m3 does not have", value);
  if (std::isfinite(value) && std::abs(value) > largest_of(dtype))
    return fmt::format("{}, beyond the largest {}, which is {}", value, dtype_name(dtype),
                       largest_of(dtype));
  store_element(dtype, array, index, value);
  return std::nullopt;
}

std::optional<std::string> store_checked(DType dtype, void* array, std::size_t index,
                                         std::int64_t value) {
  if (is_floating(dtype)) return store_checked(dtype, array, index, static_cast<double>(value));
  return store_integer(dtype, array, index, value);
}

WideInteger load_integer(DType dtype, const void* array, std::size_t index) {
  const std::size_t size = dtype_size(dtype);
  std::uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const std::byte*>(array) + index * size, size);
  const IntegerLimits limits = limits_of(dtype);
  const auto value = static_cast<WideInteger>(bits);
  return value > limits.high ? value - (WideInteger{1} << (8 * size)) : value;
}

std::optional<std::string> store_integer(DType dtype, void* array, std::size_t index,
                                         WideInteger value) {
  const IntegerLimits limits = limits_of(dtype);
  if (value < limits.low || value > limits.high)
    return fmt::format("{}, which {} cannot hold ({} to {})", text_of(value), dtype_name(dtype),
                       text_of(limits.low), text_of(limits.high));
  const std::size_t size = dtype_size(dtype);
  const auto bits = static_cast<std::uint64_t>(value);
  std::memcpy(static_cast<std::byte*>(array) + index * size, &bits, size);
  return std::nullopt;
}

}  // namespace warpwright
