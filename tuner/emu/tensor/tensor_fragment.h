// The mapping of matrix elements to lanes: the fragments of mma.sync, which wgmma shares. They are
// also used for wmma, whose fragments PTX leaves open.
//
// With g = lane / 4 and t = lane % 4, a register of an operand holds the bytes 4t ... 4t+3 of a
// line (8t ... 8t+7 for f64) from some byte on; lines are rows of A or columns of B and run along
// K. A register of an accumulator holds column 2t or 2t+1 (both for f16) of a row. Matrices with
// more lines than a tile consist of several tiles, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emu/exec/warp.h"
#include "emu/numbers/half.h"
#include "emu/tensor/tensor_format.h"

namespace warpwright::emu {

// The place of an operand's register in the lane with g = t = 0; other lanes add g lines and the
// bytes of t registers.
struct OperandPlace {
  std::size_t line = 0;
  std::size_t byte = 0;
};

struct OperandLayout {
  std::size_t lines = 0;
  std::size_t line_bytes = 0;
  std::size_t register_bytes = 4;
  bool paired = false;  // A of 16 rows a tile: the register for row g is followed by that for g + 8

  [[nodiscard]] std::size_t registers() const {
    return lines * line_bytes / (kWarpSize * register_bytes);
  }
  [[nodiscard]] OperandPlace place(std::size_t reg) const {
    const std::size_t across = line_bytes / (4 * register_bytes);
    const std::size_t per_tile = paired ? 2 * across : across;
    const std::size_t tile = reg / per_tile;
    const std::size_t in_tile = reg % per_tile;
    if (!paired) return {8 * tile, 4 * register_bytes * in_tile};
    return {16 * tile + 8 * (in_tile % 2), 4 * register_bytes * (in_tile / 2)};
  }
};

[[nodiscard]] inline OperandLayout layout_of_a(std::size_t m, std::size_t k, TensorFormat format) {
  return {m, k * bits_of(format) / 8, bits_of(format) == 64 ? std::size_t{8} : 4, m >= 16};
}
[[nodiscard]] inline OperandLayout layout_of_b(std::size_t n, std::size_t k, TensorFormat format) {
  return {n, k * bits_of(format) / 8, bits_of(format) == 64 ? std::size_t{8} : 4, false};
}

// Registers of an accumulator of m x n elements.
[[nodiscard]] inline std::size_t accumulator_registers(std::size_t m, std::size_t n,
                                                       TensorFormat format) {
  return m * n / (format == TensorFormat::kF16 ? 64 : 32);
}

// Row and column of the g = t = 0 lane's element `i` of an accumulator; an f16 register holds
// elements 2i and 2i+1.
struct AccumulatorPlace {
  std::size_t row = 0;
  std::size_t column = 0;
};
[[nodiscard]] inline AccumulatorPlace accumulator_place(std::size_t m, std::size_t n,
                                                        std::size_t i) {
  const std::size_t per_tile = m >= 16 ? 4 : 2;
  const std::size_t tile = i / per_tile;
  const std::size_t in_tile = i % per_tile;
  return {16 * (tile / (n / 8)) + 8 * (in_tile / 2), 8 * (tile % (n / 8)) + in_tile % 2};
}

// Lays an operand out as lines of bytes. `registers` are rows of the warp.
inline void gather_operand(const Warp& warp, const std::uint32_t* registers,
                           const OperandLayout& layout, std::byte* lines) {
  const std::size_t count = layout.registers();
  for (std::size_t reg = 0; reg < count; ++reg) {
    const OperandPlace place = layout.place(reg);
    const auto* row = reinterpret_cast<const std::byte*>(warp.row(registers[reg]));
    const std::size_t bytes = 4 * layout.register_bytes;  // of the four lanes that share a line
    for (std::size_t g = 0; g < 8; ++g)
      std::memcpy(lines + (place.line + g) * layout.line_bytes + place.byte, row + g * bytes,
                  bytes);
  }
}

// Copies accumulators to and from sums[row * row_stride + column * column_stride]. T is float or
// int32; f16 accumulators are widened, and narrowed exactly, because they were rounded before.
template <class T>
void read_accumulators(const Warp& warp, const std::uint32_t* registers, const MmaForm& form,
                       std::size_t m, TensorFormat format, T* sums, std::size_t row_stride,
                       std::size_t column_stride) {
  const bool half = format == TensorFormat::kF16;
  const std::size_t pairs = m * form.n() / 64;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const AccumulatorPlace place = accumulator_place(m, form.n(), 2 * pair);
    const std::uint32_t* low = warp.row(registers[half ? pair : 2 * pair]);
    const std::uint32_t* high = half ? low : warp.row(registers[2 * pair + 1]);
    for (std::size_t g = 0; g < 8; ++g) {
      T* at = sums + (place.row + g) * row_stride + place.column * column_stride;
      for (std::size_t t = 0; t < 4; ++t) {
        const std::uint32_t first = low[4 * g + t];
        if (half) {
          at[2 * t * column_stride] =
              static_cast<T>(half_to_float(static_cast<std::uint16_t>(first)));
          at[(2 * t + 1) * column_stride] =
              static_cast<T>(half_to_float(static_cast<std::uint16_t>(first >> 16)));
        } else {
          at[2 * t * column_stride] = __builtin_bit_cast(T, first);
          at[(2 * t + 1) * column_stride] = __builtin_bit_cast(T, high[4 * g + t]);
        }
      }
    }
  }
}

template <class T>
void write_accumulators(Warp& warp, const std::uint32_t* registers, const MmaForm& form,
                        std::size_t m, TensorFormat format, const T* sums, std::size_t row_stride,
                        std::size_t column_stride) {
  const bool half = format == TensorFormat::kF16;
  const std::size_t pairs = m * form.n() / 64;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const AccumulatorPlace place = accumulator_place(m, form.n(), 2 * pair);
    std::uint32_t* low = warp.row(registers[half ? pair : 2 * pair]);
    std::uint32_t* high = half ? low : warp.row(registers[2 * pair + 1]);
    for (std::size_t g = 0; g < 8; ++g) {
      const T* at = sums + (place.row + g) * row_stride + place.column * column_stride;
      for (std::size_t t = 0; t < 4; ++t) {
        const T first = at[2 * t * column_stride];
        const T second = at[(2 * t + 1) * column_stride];
        if (half) {
          low[4 * g + t] = float_to_half(static_cast<float>(first)) |
                           std::uint32_t{float_to_half(static_cast<float>(second))} << 16;
        } else {
          low[4 * g + t] = __builtin_bit_cast(std::uint32_t, first);
          high[4 * g + t] = __builtin_bit_cast(std::uint32_t, second);
        }
      }
    }
  }
}

}  // namespace warpwright::emu
