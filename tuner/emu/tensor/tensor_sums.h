// Sums of products with the rounding of tensor cores.
//
// Products are exact. The products of one step and the sum so far are aligned to the largest
// exponent among them, truncated `fraction_bits` below it, and added exactly; the total is
// truncated to a float, or rounded to nearest for f16 results. The exponent of a product is the sum
// of its factors' exponents. An instruction with a larger K takes several steps, with K ascending.
// Integer sums are exact.
//
// The hot code is compiled once for every instruction set of the host; all of them give the same
// bits, because every operation is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "emu/tensor/tensor_format.h"

namespace warpwright::emu {

// The part of the arithmetic that depends on the operands' format.
struct SumRule {
  int step = 16;           // products that are added at once
  int fraction_bits = 25;  // kept below the largest exponent
  int result_bits = 23;    // of a float result's fraction; the others are truncated
  bool half_result = false;
};
// mma.sync converts 8-bit floats to halves; for wgmma, tensor cores sum them with fewer bits.
[[nodiscard]] SumRule sum_rule(TensorFormat operand, TensorFormat result, bool warpgroup);

inline constexpr std::size_t kMaxTensorDepth = 64;     // elements along K
inline constexpr std::size_t kMaxTensorColumns = 256;  // along the vectorised side
inline constexpr std::size_t kMaxTensorRows = 32;
inline constexpr std::size_t kColumnsAtOnce = 16;
inline constexpr std::int16_t kZeroExponent = -8192;  // of a zero: never the largest

// One product of matrices: sums[r][c] (+)= sum over k of row_values[r][k] * column_values[k][c].
// `columns` is a multiple of kColumnsAtOnce. The row stride of row_values and row_exponents is
// kMaxTensorDepth; the other arrays have a row stride of `columns`.
struct SumTile {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
  alignas(64) float row_values[kMaxTensorRows * kMaxTensorDepth];
  alignas(64) std::int16_t row_exponents[kMaxTensorRows * kMaxTensorDepth];
  alignas(64) float column_values[kMaxTensorDepth * kMaxTensorColumns];
  alignas(64) std::int16_t column_exponents[kMaxTensorDepth * kMaxTensorColumns];
  alignas(64) float sums[kMaxTensorRows * kMaxTensorColumns];
  alignas(64) std::int32_t integer_sums[kMaxTensorRows * kMaxTensorColumns];
};

struct TensorKernels {
  // Operands are rows of `row_bytes` bytes that run along K, negated if requested.
  void (*load_rows)(SumTile& tile, TensorFormat format, const std::byte* raw, std::size_t row_bytes,
                    bool negate);
  void (*load_columns)(SumTile& tile, TensorFormat format, const std::byte* raw,
                       std::size_t row_bytes);
  // Loads columns that are stored as one run of `columns` elements for every k.
  void (*load_columns_across)(SumTile& tile, TensorFormat format, const std::byte* raw,
                              std::size_t row_bytes);
  void (*add_products)(SumTile& tile, const SumRule& rule);
  void (*add_integer_products)(SumTile& tile, bool saturate);
  // d = a[0]*b[0] + c, then a[1]*b[1] + d and so on, each rounded once.
  double (*add_double_products)(const double* a, const double* b, std::size_t count, double c);
};

// The kernels for this host, or for one of available_instruction_sets() (lane_table.h).
[[nodiscard]] const TensorKernels& tensor_kernels();
[[nodiscard]] const TensorKernels& tensor_kernels(std::string_view instruction_set);

// Computes one step for one element by the definition of the rule, without any bounds on exponents;
// the kernels use it for infinities, NaN and extreme ranges.
[[nodiscard]] float exact_step(const float* a, const std::int16_t* a_exponents, const float* b,
                               const std::int16_t* b_exponents, std::size_t b_stride,
                               std::size_t count, float sum, const SumRule& rule);
// The same for factors that floats cannot represent. Their products must be exact in double.
[[nodiscard]] float exact_step(const double* a, const std::int16_t* a_exponents, const double* b,
                               const std::int16_t* b_exponents, std::size_t b_stride,
                               std::size_t count, float sum, const SumRule& rule);

}  // namespace warpwright::emu
