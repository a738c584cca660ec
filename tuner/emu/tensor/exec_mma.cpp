// mma.sync, with and without block scaling, and wmma.mma: convert fragments to tiles, compute the
// sums, and convert back.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"
#include "emu/tensor/tensor_sums.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kMaxLines = 32;      // m or n of wmma
constexpr std::size_t kMaxLineBytes = 64;  // of one operand along K, except f64

// The positions of an instruction's registers in its extra list.
struct Registers {
  const std::uint32_t* d;
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
};
Registers registers_of(const Warp& warp, const Inst& inst, const MmaForm& form) {
  Registers registers{};
  registers.d = warp.extra(inst);
  registers.a = registers.d + accumulator_registers(form.m, form.n(), form.d);
  registers.b = registers.a + layout_of_a(form.m, form.depth(), form.a).registers();
  registers.c = registers.b + layout_of_b(form.n(), form.depth(), form.b).registers();
  return registers;
}

std::uint16_t half_of(TensorFormat format, std::byte element) {
  const auto bits = std::to_integer<std::uint32_t>(element);
  if (format != TensorFormat::kE4m3 && format != TensorFormat::kE5m2) {
    const double value = small_values(small_format(format))[small_code(format, &element, 0)];
    return float_to_half(static_cast<float>(value));
  }
  if (format == TensorFormat::kE5m2) return static_cast<std::uint16_t>(bits << 8);
  const std::uint32_t magnitude = bits & 0x7f;
  // Normal numbers differ by the exponent's bias, 7 to 15; subnormal ones become normal.
  const std::uint32_t half = magnitude == 0x7f ? 0x7fffu
                             : magnitude < 8
                                 ? float_to_half(static_cast<float>(magnitude) * 0x1p-9f)
                                 : (magnitude << 7) + (8u << 10);
  return static_cast<std::uint16_t>(half | (bits & 0x80) << 8);
}

// Hopper's mma.sync does not support 8-bit floats directly, and smaller ones are treated the same:
// they become halves, the first two of every four in one instruction and the others in the next.
// Lines are replaced by those halves in that order.
void widen_lines(TensorFormat format, const OperandLayout& layout, std::byte* lines) {
  std::byte narrow[kMaxLines * kMaxLineBytes / 2];
  std::memcpy(narrow, lines, layout.lines * layout.line_bytes);
  const std::size_t depth = layout.line_bytes;
  for (std::size_t line = 0; line < layout.lines; ++line) {
    for (std::size_t k = 0; k < depth; ++k) {
      const std::uint16_t half = half_of(format, narrow[line * depth + k]);
      const std::size_t place = k % 4 / 2 * (depth / 2) + k / 4 * 2 + k % 2;
      std::memcpy(lines + 2 * (line * depth + place), &half, 2);
    }
  }
}

// The accumulator of such an instruction is added at the end, by an ordinary rounded addition.
void add_accumulators(SumTile& tile, const float* before, bool half) {
  for (std::size_t i = 0; i < tile.rows * tile.columns; ++i) {
    const float sum = before[i] + tile.sums[i];
    tile.sums[i] = sum != sum ? float_from_bits(0x7fffffffu)
                   : half     ? half_to_float(float_to_half(sum))
                              : sum;
  }
}

void count(Warp& warp, const MmaForm& form) {
  count_tensor_operations(warp.counters().memory, form.a,
                          std::uint64_t{2} * form.m * form.n() * form.depth());
}

}  // namespace

void exec_mma(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  const auto form = std::bit_cast<MmaForm>(inst.immediate);
  const Registers registers = registers_of(warp, inst, form);
  OperandLayout a = layout_of_a(form.m, form.k, form.a);
  OperandLayout b = layout_of_b(form.n(), form.k, form.b);
  alignas(64) std::byte a_lines[kMaxLines * kMaxLineBytes];
  alignas(64) std::byte b_lines[kMaxLines * kMaxLineBytes];
  gather_operand(warp, registers.a, a, a_lines);
  gather_operand(warp, registers.b, b, b_lines);
  const bool widened = is_small(form.a);
  const TensorFormat a_format = widened ? TensorFormat::kF16 : form.a;
  const TensorFormat b_format = widened ? TensorFormat::kF16 : form.b;
  if (widened) {
    widen_lines(form.a, a, a_lines);
    widen_lines(form.b, b, b_lines);
    a.line_bytes *= 2;
    b.line_bytes *= 2;
  }

  // The side with a multiple of 16 lines is the vectorised one; if neither has one, A is padded.
  const bool across_n = form.n() % kColumnsAtOnce == 0;
  SumTile tile;
  tile.depth = form.k;
  tile.rows = across_n ? form.m : form.n();
  tile.columns = across_n ? form.n() : form.m;
  if (tile.columns < kColumnsAtOnce) {
    std::memset(a_lines + a.lines * a.line_bytes, 0, (kColumnsAtOnce - a.lines) * a.line_bytes);
    tile.columns = kColumnsAtOnce;
    std::memset(tile.sums, 0, tile.rows * tile.columns * sizeof(float));
    std::memset(tile.integer_sums, 0, tile.rows * tile.columns * sizeof(std::int32_t));
  }
  const std::size_t row_stride = across_n ? tile.columns : 1;
  const std::size_t column_stride = across_n ? 1 : tile.columns;
  const TensorKernels& kernels = tensor_kernels();
  if (across_n) {
    kernels.load_rows(tile, a_format, a_lines, a.line_bytes, false);
    kernels.load_columns(tile, b_format, b_lines, b.line_bytes);
  } else {
    kernels.load_rows(tile, b_format, b_lines, b.line_bytes, false);
    kernels.load_columns(tile, a_format, a_lines, a.line_bytes);
  }
  if (is_integer(form.a)) {
    read_accumulators(warp, registers.c, form, form.m, form.c, tile.integer_sums, row_stride,
                      column_stride);
    kernels.add_integer_products(tile, form.has(MmaForm::kSaturate));
    write_accumulators(warp, registers.d, form, form.m, form.d, tile.integer_sums, row_stride,
                       column_stride);
  } else {
    read_accumulators(warp, registers.c, form, form.m, form.c, tile.sums, row_stride,
                      column_stride);
    SumRule rule = sum_rule(a_format, form.d, false);
    float before[kMaxLines * kColumnsAtOnce];
    if (widened) {
      rule.step = form.k / 2;
      std::copy_n(tile.sums, tile.rows * tile.columns, before);
      std::fill_n(tile.sums, tile.rows * tile.columns, 0.0f);
    }
    kernels.add_products(tile, rule);
    if (widened) add_accumulators(tile, before, rule.half_result);
    write_accumulators(warp, registers.d, form, form.m, form.d, tile.sums, row_stride,
                       column_stride);
  }
  count(warp, form);
}

// f64: fused multiply-adds that start from c, with K ascending.
void exec_double_mma(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  const auto form = std::bit_cast<MmaForm>(inst.immediate);
  const Registers registers = registers_of(warp, inst, form);
  double a_lines[16 * 16];
  double b_lines[8 * 16];
  gather_operand(warp, registers.a, layout_of_a(form.m, form.k, form.a),
                 reinterpret_cast<std::byte*>(a_lines));
  gather_operand(warp, registers.b, layout_of_b(form.n(), form.k, form.b),
                 reinterpret_cast<std::byte*>(b_lines));
  const TensorKernels& kernels = tensor_kernels();
  const std::size_t elements = accumulator_registers(form.m, form.n(), form.d);
  for (std::size_t i = 0; i < elements; ++i) {
    const AccumulatorPlace place = accumulator_place(form.m, form.n(), i);
    const std::uint64_t* c = warp.wide(registers.c[i]);
    std::uint64_t* d = warp.wide(registers.d[i]);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const double* row = a_lines + (place.row + lane / 4) * form.k;
      const double* column = b_lines + (place.column + 2 * (lane % 4)) * form.k;
      d[lane] =
          bits_of(kernels.add_double_products(row, column, form.k, double_from_bits(c[lane])));
    }
  }
  count(warp, form);
}

// b1: adds the number of bits that differ, or that are set in both, to c.
void exec_bit_mma(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  const auto form = std::bit_cast<MmaForm>(inst.immediate);
  const Registers registers = registers_of(warp, inst, form);
  const std::size_t words = form.depth() / 64;
  std::uint64_t a_lines[16 * 4];
  std::uint64_t b_lines[8 * 4];
  gather_operand(warp, registers.a, layout_of_a(form.m, form.depth(), form.a),
                 reinterpret_cast<std::byte*>(a_lines));
  gather_operand(warp, registers.b, layout_of_b(form.n(), form.depth(), form.b),
                 reinterpret_cast<std::byte*>(b_lines));
  const std::size_t elements = accumulator_registers(form.m, form.n(), form.d);
  for (std::size_t i = 0; i < elements; ++i) {
    const AccumulatorPlace place = accumulator_place(form.m, form.n(), i);
    const std::uint32_t* c = warp.row(registers.c[i]);
    std::uint32_t* d = warp.row(registers.d[i]);
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t* row = a_lines + (place.row + lane / 4) * words;
      const std::uint64_t* column = b_lines + (place.column + 2 * (lane % 4)) * words;
      std::uint32_t sum = c[lane];
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t both =
            form.has(MmaForm::kAnd) ? row[w] & column[w] : row[w] ^ column[w];
        sum += static_cast<std::uint32_t>(std::popcount(both));
      }
      d[lane] = sum;
    }
  }
  count(warp, form);
}

// --- mma.sync with block scaling: D = (A * scale_A)(B * scale_B) + C.
//
// An element times the scale of its block is a factor; factors have at most 6 bits and are exact.
// Their products are summed by the rule of tensor_sums.h, 16 per step, with the exponent of a
// factor's value: as for f16, but without exponents of subnormal elements. This was not verified on
// a GPU.

namespace {

constexpr std::size_t kScaledRows = 16;  // of A; B has 8 columns
constexpr std::size_t kScaledColumns = 8;
constexpr int kInfinityExponent = 128;  // as that of a float

// One operand's factors, by line and k.
struct Factors {
  double values[kScaledRows * kMaxTensorDepth];
  std::int16_t exponents[kScaledRows * kMaxTensorDepth];
  bool floats = true;  // all of them are exact as normal floats
};

// Registers of one operand's scales.
struct ScaleRegisters {
  std::uint32_t data, byte_id, thread_id;
};

// Reads a selector, which must be equal in all threads and a value that PTX allows.
std::uint32_t selector(const Warp& warp, std::uint32_t reg, std::uint32_t step, std::uint32_t last,
                       std::string_view name) {
  const std::uint32_t* row = warp.row(reg);
  const std::uint32_t value = row[0] & 0xffff;
  const auto same = [&](std::uint32_t other) { return (other & 0xffff) == value; };
  if (value <= last && value % step == 0 && std::all_of(row, row + kWarpSize, same)) return value;
  const auto other = std::find_if_not(row, row + kWarpSize, same) - row;
  const bool differs = other != static_cast<std::ptrdiff_t>(kWarpSize);
  throw KernelFault{
      FindingKind::kTrap,
      fmt::format(
          "`{}` at {{place}}: {} is {}{}, expected {} in all threads: it selects which part "
          "of the scales counts",
          warp.program().opcodes[warp.current_pc()], name, value,
          differs ? fmt::format(" and in thread {} {}", other, row[other] & 0xffff) : "",
          last == 0   ? std::string("0")
          : step == 1 ? fmt::format("0 to {}", last)
                      : fmt::format("0 or {}", step))};
}

// The scales of a line come from one of the four threads that hold the line: for a column of B, the
// thread named by thread-id-b; for row g of A, the lower thread of a pair; for row g + 8, the upper
// one.
std::uint32_t scales_of_line(const std::uint32_t* data, bool is_a, std::size_t line,
                             std::uint32_t thread, std::uint32_t byte) {
  const std::size_t lane = 4 * (line % 8) + (is_a ? 2 * thread + line / 8 : thread);
  return data[lane] >> 8 * byte;
}

void read_factors(const Warp& warp, const std::uint32_t* registers, const OperandLayout& layout,
                  TensorFormat format, std::size_t depth, const ScaleRegisters& scales,
                  const BlockScale& block, bool is_a, Factors& factors) {
  const std::uint32_t byte = selector(warp, scales.byte_id, block.blocks, 4u - block.blocks,
                                      is_a ? "byte-id-a" : "byte-id-b");
  const std::uint32_t thread =
      selector(warp, scales.thread_id, 1, is_a ? 1 : 3, is_a ? "thread-id-a" : "thread-id-b");
  std::byte lines[kScaledRows * kMaxTensorDepth];
  gather_operand(warp, registers, layout, lines);
  const auto& elements = small_values(small_format(format));
  const auto& scale_values = small_values(block.format);
  for (std::size_t line = 0; line < layout.lines; ++line) {
    const std::uint32_t codes = scales_of_line(warp.row(scales.data), is_a, line, thread, byte);
    for (std::size_t k = 0; k < depth; ++k) {
      const std::uint32_t code = codes >> 8 * (k * block.blocks / depth) & 0xff;
      const double value =
          elements[small_code(format, lines + line * layout.line_bytes, k)] * scale_values[code];
      const std::size_t at = line * kMaxTensorDepth + k;
      factors.values[at] = value;
      const int exponent = value == 0             ? kZeroExponent
                           : std::isfinite(value) ? std::ilogb(value)
                                                  : kInfinityExponent;
      factors.exponents[at] = static_cast<std::int16_t>(exponent);
      factors.floats &= value == 0 || !std::isfinite(value) || (exponent >= -126 && exponent < 128);
    }
  }
}

// The columns of the tile are the rows of A, whose number fits its vectors.
void fill_tile(const Factors& a, const Factors& b, SumTile& tile) {
  for (std::size_t n = 0; n < kScaledColumns; ++n) {
    for (std::size_t k = 0; k < tile.depth; ++k) {
      const std::size_t at = n * kMaxTensorDepth + k;
      tile.row_values[at] = static_cast<float>(b.values[at]);
      tile.row_exponents[at] = b.exponents[at];
    }
  }
  for (std::size_t m = 0; m < kScaledRows; ++m) {
    for (std::size_t k = 0; k < tile.depth; ++k) {
      const std::size_t at = m * kMaxTensorDepth + k;
      tile.column_values[k * kScaledRows + m] = static_cast<float>(a.values[at]);
      tile.column_exponents[k * kScaledRows + m] = a.exponents[at];
    }
  }
}

void add_in_doubles(const Factors& a, const Factors& b, const SumRule& rule, SumTile& tile) {
  const auto step = static_cast<std::size_t>(rule.step);
  for (std::size_t n = 0; n < kScaledColumns; ++n) {
    for (std::size_t m = 0; m < kScaledRows; ++m) {
      float& sum = tile.sums[n * kScaledRows + m];
      for (std::size_t k = 0; k < tile.depth; k += step) {
        const std::size_t row = m * kMaxTensorDepth + k;
        const std::size_t column = n * kMaxTensorDepth + k;
        sum = exact_step(a.values + row, a.exponents + row, b.values + column, b.exponents + column,
                         1, step, sum, rule);
      }
    }
  }
}

}  // namespace

void exec_scaled_mma(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  const auto form = std::bit_cast<MmaForm>(inst.immediate);
  const OperandLayout a_layout = layout_of_a(form.m, form.k, form.a);
  const OperandLayout b_layout = layout_of_b(form.n(), form.k, form.b);
  const std::uint32_t* d = warp.extra(inst);
  const std::uint32_t* a = d + inst.count;
  const std::uint32_t* b = a + a_layout.registers();
  const std::uint32_t* c = b + b_layout.registers();
  const std::uint32_t* scales = c + inst.count;
  const auto block = std::bit_cast<BlockScale>(scales[6]);
  Factors a_factors;
  Factors b_factors;
  read_factors(warp, a, a_layout, form.a, form.k, {scales[0], scales[1], scales[2]}, block, true,
               a_factors);
  read_factors(warp, b, b_layout, form.b, form.k, {scales[3], scales[4], scales[5]}, block, false,
               b_factors);
  SumTile tile;
  tile.depth = form.k;
  tile.rows = kScaledColumns;
  tile.columns = kScaledRows;
  read_accumulators(warp, c, form, form.m, form.c, tile.sums, 1, kScaledRows);
  const SumRule rule;
  if (a_factors.floats && b_factors.floats) {
    fill_tile(a_factors, b_factors, tile);
    tensor_kernels().add_products(tile, rule);
  } else {
    add_in_doubles(a_factors, b_factors, rule, tile);
  }
  write_accumulators(warp, d, form, form.m, form.d, tile.sums, 1, kScaledRows);
  count_tensor_operations(warp.counters().memory, form.a,
                          std::uint64_t{2} * form.m * form.n() * form.k);
}

}  // namespace warpwright::emu
