// A comparison as text. Contenders are A, B, C, ... in the order given; every column of
// times says whether it is measured, imported or modelled.
#pragma once

#include <string>

#include "analysis/compare/comparison.h"
#include "terminal/screen.h"

namespace warpwright {

struct ComparisonTextOptions {
  std::size_t top = 5;  // problems in detail, and rows of each list there; 0 is all
  bool colour = false;
  Screen screen = {};
};

// "A" to "Z", then "AA", ...
[[nodiscard]] std::string contender_letter(std::size_t index);

// The contenders and the differences between them; verdicts; the best times of every problem,
// kernel by kernel; problems in detail, the largest changes first (best configurations, their
// performance on the others, portability); portfolios; ceilings; missing results. Lines fit the
// screen, or 100 columns without one, except for longer single words. Never empty; ends in a
// newline.
[[nodiscard]] std::string comparison_text(const Comparison& comparison,
                                          const ComparisonTextOptions& options);

}  // namespace warpwright
