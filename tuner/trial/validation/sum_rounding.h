// The distance of a sum of n products from the exact sum that rounding alone can explain: the error
// that `tolerance: {accumulate: n}` allows.
//
// N. J. Higham and T. Mary, A New Approach to Probabilistic Rounding Error Analysis, SIAM J. Sci.
// Comput. 41(5), 2019: with independent rounding errors of mean zero an inner product, summed in
// any order, is off by at most
//   g * |x|'|y|,   g = exp((L sqrt(n) u + n u^2) / (1 - u)) - 1,   about L sqrt(n) u,
// where u is the unit roundoff of the accumulator and L sets the probability. L is 4 here. Errors
// spread evenly over (-u, u) have a root mean square of u / sqrt(3), so that is seven of their
// standard deviations.
//
// |x|'|y| is not known when outputs are judged, but it is bounded: for n independent products p,
// E[s^2] = n Var[p] + n^2 E[p]^2 >= n E[p^2], and |x|'|y| is about n E|p| <= n sqrt(E[p^2]), hence
// at most sqrt(n) times the root mean square of the sums, which the reference gives. The sum is
// then rounded once into the output's type. Altogether
//   e + u_out (|ref| + e) + half of the smallest subnormal,   e = g sqrt(n) RMS.
// If sums cancel as a whole (a difference of two large sums), their size does not bound the size of
// the products, and `abs` or `rms` must be given as well.
#pragma once

#include "trial/data/dtype.h"

namespace warpwright {

struct SumRounding {
  double terms = 1;  // n, at least 1
  DType accumulator = DType::kF32;
};

// Half of the distance from 1 to the next larger number, for real types.
[[nodiscard]] double unit_roundoff(DType dtype);

// f64 for f64 outputs, f32 for all others.
[[nodiscard]] DType usual_accumulator(DType output);

// The allowed error of a sum is `abs` + `rel` * |ref|.
struct RoundingAllowance {
  double abs = 0;
  double rel = 0;
};
// `rms` is the root mean square of sums of the same kind.
[[nodiscard]] RoundingAllowance allowed_rounding(const SumRounding& sum, DType output, double rms);

}  // namespace warpwright
