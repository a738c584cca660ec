// Converts operands of the tensor-core instructions for the sums: bytes to floats with their
// exponents, in rows and columns. Compiled once for every instruction set, like tensor_kernel.h.
#pragma once

#include <algorithm>
#include <cstring>

#include "emu/lanes/half.h"
#include "emu/tensor/tensor_sums.h"

namespace warpwright::emu::WARPWRIGHT_TENSOR_ISA {

// The lanes of the vectors; vectors wider than those of the instruction set are slow.
#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 16;
#elif defined(__AVX2__)
inline constexpr std::size_t kLanes = 8;
#else
inline constexpr std::size_t kLanes = 4;
#endif
using Floats = float __attribute__((vector_size(4 * kLanes)));
using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));
using Words = std::uint32_t __attribute__((vector_size(4 * kLanes)));
using Shorts = std::int16_t __attribute__((vector_size(2 * kLanes)));
using Halfwords = std::uint16_t __attribute__((vector_size(2 * kLanes)));
using Doubles = double __attribute__((vector_size(8 * kLanes)));
using Longs = std::int64_t __attribute__((vector_size(8 * kLanes)));

template <class Vector, class Element>
[[gnu::always_inline]] inline void load(Vector& vector, const Element* from) {
  std::memcpy(&vector, from, sizeof vector);
}
template <class Vector, class Element>
[[gnu::always_inline]] inline void store(Element* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// --- operands

template <TensorFormat kFormat>
[[gnu::always_inline]] inline float element(const std::byte* raw, std::size_t i) {
  if constexpr (bits_of(kFormat) == 32) {
    std::uint32_t bits;
    std::memcpy(&bits, raw + 4 * i, 4);
    return float_from_bits(bits & ~0x1fffu);  // tf32 has ten bits of fraction
  } else if constexpr (bits_of(kFormat) == 16) {
    std::uint16_t bits;
    std::memcpy(&bits, raw + 2 * i, 2);
    return kFormat == TensorFormat::kF16 ? half_to_float(bits) : bf16_to_float(bits);
  } else if constexpr (bits_of(kFormat) == 4) {
    const auto bits = static_cast<std::uint32_t>(raw[i / 2]) >> (i % 2 * 4) & 15u;
    const auto low = static_cast<std::int32_t>(bits);
    return static_cast<float>(kFormat == TensorFormat::kS4 && low > 7 ? low - 16 : low);
  } else {
    const auto bits = static_cast<std::uint8_t>(raw[i]);
    if constexpr (kFormat == TensorFormat::kS8) {
      return static_cast<float>(static_cast<std::int8_t>(bits));
    } else if constexpr (kFormat == TensorFormat::kU8) {
      return static_cast<float>(bits);
    } else if constexpr (kFormat == TensorFormat::kE5m2) {
      return half_to_float(static_cast<std::uint16_t>(bits << 8));
    } else {
      // Converted like a half: the fraction is shifted up, and 2^8 adjusts the exponent bias.
      const std::uint32_t magnitude = bits & 0x7fu;
      const float finite = float_from_bits(magnitude << 20) * float_from_bits(0x7b800000u);
      const std::uint32_t value = magnitude == 0x7f ? 0x7fffffffu : bits_of(finite);
      return float_from_bits(value | static_cast<std::uint32_t>(bits & 0x80u) << 24);
    }
  }
}

template <TensorFormat kFormat>
[[gnu::always_inline]] inline void decode_run(const std::byte* raw, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = element<kFormat>(raw, i);
}

inline void decode(TensorFormat format, const std::byte* raw, float* to, std::size_t count) {
  switch (format) {
    case TensorFormat::kF16:
      return decode_run<TensorFormat::kF16>(raw, to, count);
    case TensorFormat::kBf16:
      return decode_run<TensorFormat::kBf16>(raw, to, count);
    case TensorFormat::kE4m3:
      return decode_run<TensorFormat::kE4m3>(raw, to, count);
    case TensorFormat::kE5m2:
      return decode_run<TensorFormat::kE5m2>(raw, to, count);
    case TensorFormat::kS8:
      return decode_run<TensorFormat::kS8>(raw, to, count);
    case TensorFormat::kU8:
      return decode_run<TensorFormat::kU8>(raw, to, count);
    case TensorFormat::kS4:
      return decode_run<TensorFormat::kS4>(raw, to, count);
    case TensorFormat::kU4:
      return decode_run<TensorFormat::kU4>(raw, to, count);
    default:
      return decode_run<TensorFormat::kTf32>(raw, to, count);
  }
}

// Subnormal operands keep the lowest exponent of their format and lose leading bits instead.
[[gnu::always_inline]] inline int lowest_exponent(TensorFormat format) {
  return format == TensorFormat::kE4m3                                   ? -6
         : format == TensorFormat::kF16 || format == TensorFormat::kE5m2 ? -14
                                                                         : -126;
}

inline void find_exponents(TensorFormat format, const float* values, std::int16_t* exponents,
                           std::size_t count) {
  const int lowest = lowest_exponent(format);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = bits_of(values[i]) & 0x7fffffffu;
    const int exponent = std::max(static_cast<int>(magnitude >> 23) - 127, lowest);
    exponents[i] = static_cast<std::int16_t>(magnitude == 0 ? kZeroExponent : exponent);
  }
}

inline void load_rows(SumTile& tile, TensorFormat format, const std::byte* raw,
                      std::size_t row_bytes, bool negate) {
  for (std::size_t row = 0; row < tile.rows; ++row) {
    float* values = tile.row_values + row * kMaxTensorDepth;
    decode(format, raw + row * row_bytes, values, tile.depth);
    for (std::size_t k = 0; negate && k < tile.depth; ++k) values[k] = -values[k];
    find_exponents(format, values, tile.row_exponents + row * kMaxTensorDepth, tile.depth);
  }
}

inline void load_columns(SumTile& tile, TensorFormat format, const std::byte* raw,
                         std::size_t row_bytes) {
  alignas(64) float block[kColumnsAtOnce * kMaxTensorDepth];
  for (std::size_t first = 0; first < tile.columns; first += kColumnsAtOnce) {
    for (std::size_t column = 0; column < kColumnsAtOnce; ++column) {
      decode(format, raw + (first + column) * row_bytes, block + column * tile.depth, tile.depth);
    }
    for (std::size_t k = 0; k < tile.depth; ++k) {
      float* to = tile.column_values + k * tile.columns + first;
      for (std::size_t column = 0; column < kColumnsAtOnce; ++column)
        to[column] = block[column * tile.depth + k];
    }
  }
  find_exponents(format, tile.column_values, tile.column_exponents, tile.depth * tile.columns);
}

inline void load_columns_across(SumTile& tile, TensorFormat format, const std::byte* raw,
                                std::size_t row_bytes) {
  for (std::size_t k = 0; k < tile.depth; ++k)
    decode(format, raw + k * row_bytes, tile.column_values + k * tile.columns, tile.columns);
  find_exponents(format, tile.column_values, tile.column_exponents, tile.depth * tile.columns);
}

}  // namespace warpwright::emu::WARPWRIGHT_TENSOR_ISA
