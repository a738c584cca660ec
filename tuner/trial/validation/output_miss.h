// What a comparison found where an output misses, and the words for it. They say how far it is from
// the reference, and what would have been enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trial/validation/smallest_tolerance.h"
#include "trial/validation/validate.h"

namespace warpwright {

// How one element fares: `ratio` is error / allowed, at most 1 when it passes.
struct Grade {
  bool passes = false;
  double error = 0;
  double allowed = 0;
  double row_rms = 0;  // of the reference, where the tolerance asks for it
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
  // Exact elements whose expected value the type does not have.
  std::uint64_t unheld = 0;
  struct Unheld {
    std::int64_t position = 0;
    double expected = 0;
  } first_unheld;
};

// Whether few elements miss a tolerance, by little.
[[nodiscard]] bool looks_like_rounding(const OutputView& view, const OutputError& error,
                                       const OutputMiss& miss);
// `miss` has a worst element.
[[nodiscard]] std::string describe_miss(const OutputView& view, const OutputError& error,
                                        const OutputMiss& miss);

}  // namespace warpwright
