// mma.sync with block scaling: D = (A * scale_A)(B * scale_B) + C.
//
// An element times the scale of its block is a factor; factors have at most 6 bits and are exact.
// Their products are summed by the rule of tensor_sums.h, 16 per step, with the exponent of a
// factor's value: as for f16, but without exponents of subnormal elements. This was not verified on
// a GPU.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"
#include "emu/tensor/tensor_sums.h"

namespace warpwright::emu {
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
      FaultKind::kTrap,
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
