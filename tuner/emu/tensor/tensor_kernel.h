// The hot arithmetic of the tensor-core instructions over a vector of columns at a time: converts
// operands to floats with their exponents, in rows and columns, and adds their products. Compiled
// once for every instruction set: WARPWRIGHT_TENSOR_ISA names the namespace. It uses only exact
// operations, so the instruction set cannot affect a result.
#pragma once

#include <algorithm>
#include <cstring>

#include "emu/numbers/half.h"
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

// --- floating-point sums

// The lowest and highest exponent of the nonzero values.
struct ExponentRange {
  int lowest = 8192;
  int highest = kZeroExponent;
};

// With one more subtracted, zeros become the largest unsigned number, so one comparison leaves them
// out of the minimum. `count` is a multiple of kColumnsAtOnce, or of a shorter row.
inline void widen(ExponentRange& range, const std::int16_t* exponents, std::size_t count) {
  std::uint16_t low = 0xffff;
  std::int16_t high = kZeroExponent;
  std::size_t i = 0;
  if (count >= kLanes) {
    Halfwords lows = Halfwords{} + low;
    Shorts highs = Shorts{} + high;
    for (; i + kLanes <= count; i += kLanes) {
      Shorts e;
      load(e, exponents + i);
      const Shorts shifted = e - static_cast<std::int16_t>(kZeroExponent + 1);
      Halfwords above;
      std::memcpy(&above, &shifted, sizeof above);
      lows = above < lows ? above : lows;
      highs = e > highs ? e : highs;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      low = std::min<std::uint16_t>(low, lows[lane]);
      high = std::max<std::int16_t>(high, highs[lane]);
    }
  }
  for (; i < count; ++i) {
    low = std::min(low, static_cast<std::uint16_t>(exponents[i] - (kZeroExponent + 1)));
    high = std::max(high, exponents[i]);
  }
  if (low != 0xffff) range.lowest = std::min(range.lowest, low + kZeroExponent + 1);
  range.highest = std::max<int>(range.highest, high);
}

inline void widen(ExponentRange& range, const float* values, std::size_t count) {
  Words lows = ~Words{};
  Words highs{};
  for (std::size_t i = 0; i < count; i += kLanes) {
    Words magnitudes;
    load(magnitudes, values + i);
    magnitudes &= 0x7fffffffu;
    const Words above = magnitudes - 1;
    lows = above < lows ? above : lows;
    highs = magnitudes > highs ? magnitudes : highs;
  }
  std::uint32_t low = 0xffffffffu;
  std::uint32_t high = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    low = std::min<std::uint32_t>(low, lows[lane]);
    high = std::max<std::uint32_t>(high, highs[lane]);
  }
  if (high == 0) return;
  range.lowest = std::min(range.lowest, static_cast<int>((low + 1) >> 23) - 127);
  range.highest = std::max(range.highest, static_cast<int>(high >> 23) - 127);
}

// The power of two by which rows are multiplied so that every product and sum stays a normal float
// with room for its lower bits; `ok` is false if there is none.
struct Scaling {
  int shift = 0;
  bool ok = true;
};

inline Scaling find_scaling(const SumTile& tile) {
  ExponentRange rows;
  ExponentRange columns;
  ExponentRange sums;
  for (std::size_t r = 0; r < tile.rows; ++r)
    widen(rows, tile.row_exponents + r * kMaxTensorDepth, tile.depth);
  widen(columns, tile.column_exponents, tile.depth * tile.columns);
  widen(sums, tile.sums, tile.rows * tile.columns);
  const int top = std::max(rows.highest + columns.highest, sums.highest);
  const int bottom = std::min(rows.lowest + columns.lowest, sums.lowest);
  Scaling scaling;
  if (rows.highest > 127 || columns.highest > 127 || sums.highest > 127) return {0, false};
  if (top <= 100 && bottom >= -70) return scaling;
  scaling.shift = std::clamp(100 - top, -126, 127);
  scaling.ok = top + scaling.shift <= 100 && bottom + scaling.shift >= -70 &&
               rows.highest + scaling.shift <= 127 && rows.lowest + scaling.shift >= -126;
  return scaling;
}

// Truncates d to the bits in `kept` of its fraction; below the normal range, which only shifted
// sums can reach, to a multiple of the smallest subnormal.
template <bool kHalf, bool kShifted>
[[gnu::always_inline]] inline void finish(const Doubles& d, std::int64_t kept, float* to) {
  if constexpr (kHalf) {
    for (std::size_t i = 0; i < kLanes; ++i)
      to[i] = half_to_float(float_to_half(round_to_odd(d[i])));
  } else {
    Longs bits;
    std::memcpy(&bits, &d, sizeof bits);
    bits &= kept;
    Doubles cut;
    std::memcpy(&cut, &bits, sizeof cut);
    const Floats normal = __builtin_convertvector(cut, Floats);
    if constexpr (kShifted) {
      const Ints steps = __builtin_convertvector(cut * 0x1p149, Ints);
      const Floats subnormal =
          __builtin_convertvector(__builtin_convertvector(steps, Doubles) * 0x1p-149, Floats);
      const Floats size = normal < 0 ? -normal : normal;
      store(to, size < 0x1p-126f ? subnormal : normal);
    } else {
      store(to, normal);
    }
  }
}

inline void scale_rows(SumTile& tile, std::size_t from, std::size_t to, float scale) {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    for (std::size_t k = from; k < to; ++k) tile.row_values[r * kMaxTensorDepth + k] *= scale;
  }
}

// Adds the products `from` to `to` along K; their rows stay multiplied by the shift.
template <bool kHalf, bool kShifted>
void add_products_scaled(SumTile& tile, const SumRule& rule, int shift, std::size_t from,
                         std::size_t to) {
  const std::size_t columns = tile.columns;
  const int fraction = rule.fraction_bits;
  const std::int64_t kept = -(std::int64_t{1} << (52 - rule.result_bits));
  const float sum_scale = float_from_bits(static_cast<std::uint32_t>(127 + shift) << 23);
  if constexpr (kShifted) scale_rows(tile, from, to, sum_scale);
  for (std::size_t first = 0; first < columns; first += kLanes) {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      const float* row = tile.row_values + r * kMaxTensorDepth;
      const std::int16_t* row_exponents = tile.row_exponents + r * kMaxTensorDepth;
      float* sums = tile.sums + r * columns + first;
      for (std::size_t start = from; start < to; start += static_cast<std::size_t>(rule.step)) {
        const std::size_t end = std::min(to, start + static_cast<std::size_t>(rule.step));
        Shorts largest = Shorts{} + static_cast<std::int16_t>(2 * kZeroExponent);
#pragma GCC unroll 4
        for (std::size_t k = start; k < end; ++k) {
          Shorts exponents;
          load(exponents, tile.column_exponents + k * columns + first);
          exponents += row_exponents[k];
          largest = exponents > largest ? exponents : largest;
        }
        Floats before;
        load(before, sums);
        if constexpr (kShifted) before *= sum_scale;
        Ints before_bits;
        std::memcpy(&before_bits, &before, sizeof before_bits);
        before_bits &= 0x7fffffff;
        Ints before_exponent = (before_bits >> 23) - 127;
        before_exponent = before_exponent < shift - 126 ? Ints{} + (shift - 126) : before_exponent;
        before_exponent = before_bits == 0 ? Ints{} + kZeroExponent : before_exponent;
        Ints top = __builtin_convertvector(largest, Ints) + shift;
        top = top > before_exponent ? top : before_exponent;
        top = top < -1000 ? Ints{} : top;  // all zeros: any scale will do
        const Ints scale_bits = (fraction + 127 - top) << 23;
        Floats scale;
        std::memcpy(&scale, &scale_bits, sizeof scale);
        // Conversion to integers truncates, like the alignment in the hardware.
        Ints sum{};
#pragma GCC unroll 4
        for (std::size_t k = start; k < end; ++k) {
          Floats products;
          load(products, tile.column_values + k * columns + first);
          products = products * row[k] * scale;
          sum += __builtin_convertvector(products, Ints);
        }
        const Ints old = __builtin_convertvector(before * scale, Ints);
        const Longs back = (__builtin_convertvector(top, Longs) + (1023 - fraction - shift)) << 52;
        Doubles unscale;
        std::memcpy(&unscale, &back, sizeof unscale);
        const Doubles total =
            (__builtin_convertvector(sum, Doubles) + __builtin_convertvector(old, Doubles)) *
            unscale;
        finish<kHalf, kShifted>(total, kept, sums);
      }
    }
  }
}

inline void add_step_exactly(SumTile& tile, const SumRule& rule, std::size_t start) {
  const std::size_t count = std::min(tile.depth - start, static_cast<std::size_t>(rule.step));
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::size_t row = r * kMaxTensorDepth + start;
    for (std::size_t c = 0; c < tile.columns; ++c) {
      const std::size_t column = start * tile.columns + c;
      float& sum = tile.sums[r * tile.columns + c];
      sum = exact_step(tile.row_values + row, tile.row_exponents + row, tile.column_values + column,
                       tile.column_exponents + column, tile.columns, count, sum, rule);
    }
  }
}

inline void add_products(SumTile& tile, const SumRule& rule) {
  const Scaling all = find_scaling(tile);
  if (all.ok && all.shift == 0 && !rule.half_result)
    return add_products_scaled<false, false>(tile, rule, 0, 0, tile.depth);
  // The sums of a step may overflow, so each step checks them again.
  const auto step = static_cast<std::size_t>(rule.step);
  for (std::size_t start = 0; start < tile.depth; start += step) {
    const std::size_t end = std::min(tile.depth, start + step);
    const Scaling scaling = find_scaling(tile);
    if (!scaling.ok) {
      add_step_exactly(tile, rule, start);
    } else if (rule.half_result) {
      add_products_scaled<true, true>(tile, rule, scaling.shift, start, end);
    } else {
      add_products_scaled<false, true>(tile, rule, scaling.shift, start, end);
    }
  }
}

// --- integers and doubles

// Sums of up to 64 products of bytes are exact in float.
inline void add_integer_products(SumTile& tile, bool saturate) {
  for (std::size_t first = 0; first < tile.columns; first += kLanes) {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      Floats sum{};
      for (std::size_t k = 0; k < tile.depth; ++k) {
        Floats products;
        load(products, tile.column_values + k * tile.columns + first);
        sum += products * tile.row_values[r * kMaxTensorDepth + k];
      }
      const Ints added = __builtin_convertvector(sum, Ints);
      std::int32_t* sums = tile.integer_sums + r * tile.columns + first;
      for (std::size_t i = 0; i < kLanes; ++i) {
        const std::int64_t exact = std::int64_t{sums[i]} + added[i];
        const std::int64_t limited =
            std::clamp<std::int64_t>(exact, -0x80000000ll, std::int64_t{0x7fffffff});
        sums[i] = static_cast<std::int32_t>(saturate ? limited : exact);
      }
    }
  }
}

inline double add_double_products(const double* a, const double* b, std::size_t count, double c) {
  for (std::size_t k = 0; k < count; ++k) c = __builtin_fma(a[k], b[k], c);
  return c;
}

inline constexpr TensorKernels kKernels = {
    &load_rows,    &load_columns,         &load_columns_across,
    &add_products, &add_integer_products, &add_double_products};

}  // namespace warpwright::emu::WARPWRIGHT_TENSOR_ISA
