// Tensor sums: every instruction set of the host gives the bits of the definition of the rule.
#include "emu/tensor/tensor_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <vector>

#include "emu/lanes/lane_table.h"

namespace warpwright::emu {
namespace {

struct Range {
  int lowest;
  int highest;  // exponents of the operands
  int sum_lowest;
  int sum_highest;
};

float random_float(std::mt19937& random, int lowest, int highest, int fraction_bits) {
  if (random() % 16 == 0) return 0;
  const auto exponent = static_cast<std::uint32_t>(
      127 + lowest + static_cast<int>(random() % static_cast<unsigned>(highest - lowest + 1)));
  const std::uint32_t fraction =
      static_cast<std::uint32_t>(random()) & 0x7fffffu & ~((1u << (23 - fraction_bits)) - 1);
  const std::uint32_t sign = (random() & 1u) << 31;
  return std::bit_cast<float>(sign | exponent << 23 | fraction);
}

std::unique_ptr<SumTile> random_tile(std::mt19937& random, const Range& range, std::size_t depth) {
  auto tile = std::make_unique<SumTile>();
  tile->rows = 16;
  tile->columns = 32;
  tile->depth = depth;
  std::vector<std::uint32_t> rows(tile->rows * depth);
  std::vector<std::uint32_t> columns(tile->columns * depth);
  for (auto& bits : rows)
    bits = std::bit_cast<std::uint32_t>(random_float(random, range.lowest, range.highest, 10));
  for (auto& bits : columns)
    bits = std::bit_cast<std::uint32_t>(random_float(random, range.lowest, range.highest, 10));
  const TensorKernels& kernels = tensor_kernels("base");
  kernels.load_rows(*tile, TensorFormat::kTf32, reinterpret_cast<const std::byte*>(rows.data()),
                    4 * depth, false);
  kernels.load_columns(*tile, TensorFormat::kTf32,
                       reinterpret_cast<const std::byte*>(columns.data()), 4 * depth);
  for (std::size_t i = 0; i < tile->rows * tile->columns; ++i)
    tile->sums[i] = random_float(random, range.sum_lowest, range.sum_highest, 23);
  return tile;
}

float defined(const SumTile& tile, std::size_t row, std::size_t column, const SumRule& rule) {
  float sum = tile.sums[row * tile.columns + column];
  const auto step = static_cast<std::size_t>(rule.step);
  for (std::size_t k = 0; k < tile.depth; k += step) {
    const std::size_t at = row * kMaxTensorDepth + k;
    sum = exact_step(tile.row_values + at, tile.row_exponents + at,
                     tile.column_values + k * tile.columns + column,
                     tile.column_exponents + k * tile.columns + column, tile.columns,
                     std::min(step, tile.depth - k), sum, rule);
  }
  return sum;
}

TEST(TensorSums, EveryInstructionSetFollowsTheDefinition) {
  // Ordinary, shifted up, shifted down, with subnormal results, with overflow, without any shift.
  const Range ranges[] = {{-10, 10, -10, 10},     {-60, -30, -120, -40}, {30, 60, 40, 120},
                          {-70, -55, -126, -100}, {50, 64, 100, 127},    {-40, 20, -60, 30}};
  std::mt19937 random(17);
  for (const Range& range : ranges) {
    for (const SumRule& rule : {SumRule{16, 25, 23, false}, SumRule{8, 25, 23, false},
                                SumRule{32, 13, 13, false}, SumRule{8, 25, 23, true}}) {
      const auto tile = random_tile(random, range,
                                    static_cast<std::size_t>(rule.step) * 2 > 32
                                        ? 32
                                        : static_cast<std::size_t>(rule.step) * 2);
      for (const std::string& set : available_instruction_sets()) {
        auto copy = std::make_unique<SumTile>(*tile);
        tensor_kernels(set).add_products(*copy, rule);
        for (std::size_t row = 0; row < tile->rows; ++row) {
          for (std::size_t column = 0; column < tile->columns; ++column) {
            const float got = copy->sums[row * tile->columns + column];
            const float expected = defined(*tile, row, column, rule);
            ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(expected))
                << set << " step " << rule.step << " exponents from " << range.lowest << ": " << got
                << ", expected " << expected;
          }
        }
      }
    }
  }
}

TEST(TensorSums, TermsAreCutOffBelowTheLargest) {
  const float a[] = {1, 1, 1};
  const std::int16_t exponents[] = {0, 0, 0};
  const float b[] = {1, 0x1.8p-25f, 0x1.8p-25f};
  const std::int16_t b_exponents[] = {0, -25, -25};
  // Each small term keeps one unit of 2^-25; the last place of a result in [1, 2) is four of them.
  EXPECT_EQ(exact_step(a, exponents, b, b_exponents, 1, 3, 0, SumRule{}), 1.0f);
  EXPECT_EQ(exact_step(a, exponents, b, b_exponents, 1, 3, 0x1p-24f, SumRule{}), 1.0f + 0x1p-23f);
  EXPECT_EQ(exact_step(a, exponents, b, b_exponents, 1, 3, -1.0f, SumRule{}), 0x1p-24f);
}

}  // namespace
}  // namespace warpwright::emu
