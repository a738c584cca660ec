#include "emu/tensor/tensor_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "emu/lanes/lane_table.h"
#include "emu/numbers/half.h"

namespace warpwright::emu {

const TensorKernels& tensor_kernels_base();
const TensorKernels& tensor_kernels_avx2();
const TensorKernels& tensor_kernels_avx512();

const TensorKernels& tensor_kernels(std::string_view instruction_set) {
  return instruction_set == "avx512" ? tensor_kernels_avx512()
         : instruction_set == "avx2" ? tensor_kernels_avx2()
                                     : tensor_kernels_base();
}

const TensorKernels& tensor_kernels() {
  static const TensorKernels& best = tensor_kernels(available_instruction_sets().back());
  return best;
}

SumRule sum_rule(TensorFormat operand, TensorFormat result, bool warpgroup) {
  SumRule rule;
  rule.half_result = result == TensorFormat::kF16;
  const bool fp8 = operand == TensorFormat::kE4m3 || operand == TensorFormat::kE5m2;
  if (fp8 && warpgroup) {
    rule.step = 32;
    rule.fraction_bits = 13;
    rule.result_bits = 13;
  } else if (operand == TensorFormat::kTf32) {
    rule.step = 8;
  }
  return rule;
}

namespace {

// Doubles hold every product, and every sum below, exactly.
template <class T>
float step_of(const T* a, const std::int16_t* a_exponents, const T* b,
              const std::int16_t* b_exponents, std::size_t b_stride, std::size_t count, float sum,
              const SumRule& rule) {
  bool finite = std::isfinite(sum);
  double special = finite ? 0 : static_cast<double>(sum);
  int top = sum == 0 ? 2 * kZeroExponent : std::max(finite ? std::ilogb(sum) : 0, -126);
  for (std::size_t k = 0; k < count; ++k) {
    const double product = static_cast<double>(a[k]) * static_cast<double>(b[k * b_stride]);
    top = std::max(top, a_exponents[k] + b_exponents[k * b_stride]);
    if (std::isfinite(product)) continue;
    finite = false;
    special += product;
  }
  if (!finite)
    return std::isnan(special) ? float_from_bits(0x7fffffffu) : static_cast<float>(special);
  if (top < kZeroExponent / 2) return 0;
  const auto aligned = [&](double value) {
    return std::trunc(std::ldexp(value, rule.fraction_bits - top));
  };
  double total = aligned(static_cast<double>(sum));
  for (std::size_t k = 0; k < count; ++k)
    total += aligned(static_cast<double>(a[k]) * static_cast<double>(b[k * b_stride]));
  const double value = std::ldexp(total, top - rule.fraction_bits);
  if (rule.half_result) return half_to_float(float_to_half(round_to_odd(value)));
  const std::uint64_t lost = (std::uint64_t{1} << (52 - rule.result_bits)) - 1;
  const double cut = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~lost);
  if (std::fabs(cut) < 0x1p-126)
    return static_cast<float>(std::ldexp(std::trunc(std::ldexp(cut, 149)), -149));
  return static_cast<float>(cut);
}

}  // namespace

float exact_step(const float* a, const std::int16_t* a_exponents, const float* b,
                 const std::int16_t* b_exponents, std::size_t b_stride, std::size_t count,
                 float sum, const SumRule& rule) {
  return step_of(a, a_exponents, b, b_exponents, b_stride, count, sum, rule);
}

float exact_step(const double* a, const std::int16_t* a_exponents, const double* b,
                 const std::int16_t* b_exponents, std::size_t b_stride, std::size_t count,
                 float sum, const SumRule& rule) {
  return step_of(a, a_exponents, b, b_exponents, b_stride, count, sum, rule);
}

}  // namespace warpwright::emu
