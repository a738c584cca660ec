// The findings of a comparison in which an output misses, and the message that describes them. The
// message states how far the output is from the reference, and which tolerance would have sufficed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trial/validation/smallest_tolerance.h"
#include "trial/validation/validate.h"

namespace warpwright {

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
