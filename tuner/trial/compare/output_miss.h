// The findings of a comparison in which an output misses, and the message that describes them. The
// message states how far the output is from the reference, and which tolerance would have sufficed:
// the author of the tolerance may be as wrong as the author of the kernel, and one element does not
// show which.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trial/compare/validate.h"

namespace warpwright {

// A finite element that misses its tolerance.
struct ToleranceMiss {
  double error = 0;
  double allowed = 0;
  double expected = 0;
  double row_rms = 0;  // 0 if no tolerance uses it
};

class SmallestTolerance {
 public:
  explicit SmallestTolerance(const OutputView& view) : view_(view) {}

  void add(const ToleranceMiss& miss);

  // "abs 1.5, rel 0.02 (given abs 1, rel 0.01)", rounded up to two digits: with it every element
  // that was added passes. All parts grow by the same factor; if that does not help, because
  // nothing is allowed at some element or the sum's rounding has no factor, `rms` grows, or else
  // `abs`.
  [[nodiscard]] std::string text() const;

 private:
  const OutputView& view_;
  ToleranceMiss worst_;  // of the largest factor
  double factor_ = 1;    // error / allowed
  double beyond_ = 0;    // error - allowed
  double rms_more_ = 0;  // (error - allowed) / row_rms
};

// The criterion for "looks like rounding": at most one element in a hundred misses, none by more
// than four times the allowed error. Mistakes of indices, bounds and order miss by far more or
// almost everywhere; an output that is close to its tolerance misses where the errors of many
// roundings happen to add up.
[[nodiscard]] bool looks_like_rounding(std::uint64_t misses, std::uint64_t checked, double factor);

// The smallest number of two digits that is at least `value`, as contracts write it: "3.5e-6".
[[nodiscard]] std::string rounded_up(double value);

// The result for one element: `ratio` is error / allowed, at most 1 when it passes.
struct Grade {
  bool passes = false;
  double error = 0;
  double allowed = 0;
  double row_rms = 0;  // of the reference, if the tolerance uses it
  double sum_rms = 0;  // the same for the rounding of sums
  double ratio = 0;
  std::string why;  // beyond the numbers
};

struct OutputMiss {
  explicit OutputMiss(const OutputView& view) : smallest(view) {}

  struct Worst {
    std::int64_t position = 0;  // in the whole output
    double got = 0;
    double expected = 0;
    bool unwritten = false;
    Grade grade;
  };
  std::optional<Worst> worst;  // none when the output passes
  std::uint64_t untouched = 0;
  SmallestTolerance smallest;
  // The number of exact elements whose expected value is not representable in the type.
  std::uint64_t unheld = 0;
  struct Unheld {
    std::int64_t position = 0;
    double expected = 0;
  } first_unheld;
};

// Whether only few elements miss the tolerance, and by little.
[[nodiscard]] bool looks_like_rounding(const OutputView& view, const OutputError& error,
                                       const OutputMiss& miss);
// Requires that `miss` has a worst element.
[[nodiscard]] std::string describe_miss(const OutputView& view, const OutputError& error,
                                        const OutputMiss& miss);

}  // namespace warpwright
