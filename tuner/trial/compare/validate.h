// Comparison of an output with the reference. Acceptance is positive: an element passes only if it
// shows that it is right, so a NaN never passes by failing a comparison.
//   close:   isfinite(out) && |out - ref| <= abs + rel * |ref| + rms * RMS(row) + the rounding of
//            a sum (allowed_rounding()), the row being the unit's elements along the last
//            axis, and its RMS that of the reference's finite values; if the reference is inf, out
//            is the same inf; if it is NaN (an input with a stated meaning), out is a NaN that the
//            kernel wrote
//   exact:   equal values. The reference's value is not rounded: a value that the output's type
//            cannot hold is never equal, and the message reports it
//   ranked:  the expected index, or one whose FP64 score ties with it within the same tolerance
//            (without rms); no index twice in a unit
// Exact and ranked outputs may differ in a share of their elements if the contract allows it, but
// none may be left unwritten.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "records/trial_measurement.h"
#include "spec/kernel_spec.h"
#include "trial/numbers/dtype.h"

namespace warpwright {

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

// The deviations that the contract allows an output in addition to `abs`, `rel` and `rms`, on one
// problem. The functions throw Error (user) when an expression yields an invalid value.

// nullopt if the contract does not specify `accumulate`.
[[nodiscard]] std::optional<SumRounding> sum_rounding(const ArgumentSpec& argument, DType dtype,
                                                      const Environment& environment);
// 0 if the contract does not specify `mismatches`.
[[nodiscard]] double allowed_mismatches(const ArgumentSpec& argument,
                                        const Environment& environment);

// One output on the units that were validated.
struct OutputView {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;  // of the whole output
  std::int64_t unit_elements = 0;
  Match match = Match::kClose;
  double tolerance_abs = 0;
  double tolerance_rel = 0;
  double tolerance_rms = 0;
  std::optional<SumRounding> accumulate;
  double mismatches = 0;                // kExact, kRanked: the share of elements that may differ
  std::span<const std::int64_t> units;  // ascending
  std::span<const std::byte> got;       // the units' elements, one unit after the other
  std::span<const double> expected;     // the same
  std::uint32_t poison = 0;             // what the output held before the launch
};

// Messages only state that an output differs from the reference. They leave open whether the
// kernel, the tolerance or the reference is at fault.
struct OutputVerdict {
  OutputError error;    // `wrong` counts mismatches that are allowed, too
  std::string failure;  // empty when the output passes
  bool looks_like_rounding = false;
};

// The FP64 score of a candidate index of a unit; NaN when `index` is not a candidate.
using Scorer = std::function<double(std::int64_t unit, std::int64_t index)>;

// `score` may be empty; ranked outputs must then be equal.
[[nodiscard]] OutputVerdict check_output(const OutputView& view, const Scorer& score);

// The allowed error of each element of `expected`; negative if no number can be accepted (the
// reference is NaN). Elements within it pass check_output(), but others may pass as well: a tie of
// a ranked output, or a share of mismatches. `got` is not used.
[[nodiscard]] std::vector<double> allowed_errors(const OutputView& view);

// "[3, 17]": the index of a flat position in a shape.
[[nodiscard]] std::string format_index(std::int64_t flat, std::span<const std::int64_t> shape);

// The first element in which two whole outputs differ in any bit, and the number of such elements;
// nullopt when there are none.
struct Difference {
  std::int64_t first = 0;
  std::uint64_t count = 0;
};
[[nodiscard]] std::optional<Difference> first_difference(std::size_t element_bytes,
                                                         std::span<const std::byte> a,
                                                         std::span<const std::byte> b);

// Elements of a whole output that hold the first poison after one launch and the second after
// another: never written.
[[nodiscard]] std::optional<Difference> never_written(std::size_t element_bytes,
                                                      std::span<const std::byte> after_first,
                                                      std::span<const std::byte> after_second);

}  // namespace warpwright
