// Element types of arguments, exact conversion between their bits and double, and numbers from
// external sources as elements, which must fit the type.
//
// Encoding rounds to nearest, ties to even. Integers saturate and drop NaN to 0. f16, bf16 and e5m2
// keep infinities; the 8-bit floats saturate finite overflow at their largest value, as the
// hardware's cvt.satfinite does, and so does e4m3 for infinities, which it lacks. Plain IEEE
// arithmetic only: results are equal on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpwright {

// In the order of ww_dtype in kernels/common/reference.h, so that a cast converts.
enum class DType {
  kF64,
  kF32,
  kF16,
  kBf16,
  kI64,
  kU64,
  kI32,
  kU32,
  kI16,
  kU16,
  kI8,
  kU8,
  kE4m3,
  kE5m2
};

// "f32" and so on; "bool" is kU8. nullopt when unknown.
[[nodiscard]] std::optional<DType> parse_dtype(std::string_view name);
[[nodiscard]] std::string_view dtype_name(DType dtype);
[[nodiscard]] std::size_t dtype_size(DType dtype);
[[nodiscard]] bool is_floating(DType dtype);

// Writes element `index` of an array of this type.
void store_element(DType dtype, void* array, std::size_t index, double value);
// The same for elements first, first + 1, ...; the fast way for many.
void store_elements(DType dtype, void* array, std::size_t first, std::span<const double> values);
// Reads it; 64-bit integers above 2^53 are rounded.
[[nodiscard]] double load_element(DType dtype, const void* array, std::size_t index);

// The bits of one of the narrow formats; exposed for the inner loops and for tests.
[[nodiscard]] std::uint16_t to_f16(double value);
[[nodiscard]] std::uint16_t to_bf16(double value);
[[nodiscard]] std::uint8_t to_e4m3(double value);
[[nodiscard]] std::uint8_t to_e5m2(double value);
[[nodiscard]] double from_f16(std::uint16_t bits);
[[nodiscard]] double from_bf16(std::uint16_t bits);
[[nodiscard]] double from_e4m3(std::uint8_t bits);
[[nodiscard]] double from_e5m2(std::uint8_t bits);

// Numbers from external sources as elements. Unlike fills, which saturate, these must fit the type.

// Writes element `index`, rounded where the type is a floating one. When the type cannot hold the
// value, writes nothing and returns why: "300, which u8 cannot hold (0 to 255)".
[[nodiscard]] std::optional<std::string> store_checked(DType dtype, void* array, std::size_t index,
                                                       double value);
[[nodiscard]] std::optional<std::string> store_checked(DType dtype, void* array, std::size_t index,
                                                       std::int64_t value);

// Reads an element of an integer type without loss; u64 needs more than 64 bits with a sign.
__extension__ using WideInteger = __int128;
[[nodiscard]] WideInteger load_integer(DType dtype, const void* array, std::size_t index);
// Like store_checked().
[[nodiscard]] std::optional<std::string> store_integer(DType dtype, void* array, std::size_t index,
                                                       WideInteger value);

}  // namespace warpwright
