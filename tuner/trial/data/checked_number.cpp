#include "trial/data/checked_number.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace warpwright {
namespace {

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
