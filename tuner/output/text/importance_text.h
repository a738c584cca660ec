// Describes which parameters decide the time of a board, and how hard its space is to search, for
// `show --importance` and `show --landscape`.
#pragma once

#include <string>

#include "analysis/insight/importance.h"
#include "analysis/insight/landscape.h"
#include "terminal/screen.h"

namespace warpwright {

// For each variant, how far the shares can be trusted, a table with the share of each parameter and
// its best and median time by value, and the interactions. Ends in a newline.
[[nodiscard]] std::string importance_text(const Importance& importance, bool colour,
                                          const Screen& screen = {});

// The number of configurations near the best, quantiles, a histogram, local minima, and the
// expected result of random search. Ends in a newline.
[[nodiscard]] std::string landscape_text(const Landscape& landscape, bool colour,
                                         const Screen& screen = {});

}  // namespace warpwright
