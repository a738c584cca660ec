// The smallest tolerance with which a miss would have passed: the author of the tolerance may be as
// wrong as the author of the kernel, and one element does not show which.
#pragma once

#include <cstdint>
#include <string>

namespace warpwright {

struct OutputView;

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

}  // namespace warpwright
