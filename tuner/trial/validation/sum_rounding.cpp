#include "trial/validation/sum_rounding.h"

#include <cmath>

#include "core/error.h"

namespace warpwright {
namespace {

struct Precision {
  int bits = 0;       // of the significand, with the implied bit
  int subnormal = 0;  // the smallest is 2 to this
};

Precision precision_of(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {53, -1074};
    case DType::kF32:
      return {24, -149};
    case DType::kF16:
      return {11, -24};
    case DType::kBf16:
      return {8, -133};
    case DType::kE4m3:
      return {4, -9};
    case DType::kE5m2:
      return {3, -16};
    default:
      break;
  }
  WARPWRIGHT_CHECK(false, "only real types round");
  return {};
}

}  // namespace

double unit_roundoff(DType dtype) { return std::ldexp(1.0, -precision_of(dtype).bits); }

DType usual_accumulator(DType output) { return output == DType::kF64 ? DType::kF64 : DType::kF32; }

RoundingAllowance allowed_rounding(const SumRounding& sum, DType output, double rms) {
  constexpr double kLambda = 4;
  const double u = unit_roundoff(sum.accumulator);
  const double n = sum.terms;
  const double growth = std::expm1((kLambda * std::sqrt(n) * u + n * u * u) / (1 - u));
  const double error = growth * std::sqrt(n) * rms;
  const double u_out = unit_roundoff(output);
  return {error * (1 + u_out) + std::ldexp(1.0, precision_of(output).subnormal - 1), u_out};
}

}  // namespace warpwright
