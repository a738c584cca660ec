// The time of each configuration as far as a board holds it: the common ground of importance,
// landscape and heat map. Times are in microseconds, finite and > 0.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "core/expr/value.h"
#include "records/configuration.h"

namespace warpwright {

struct ConfigurationTime {
  std::string variant;
  ParameterValues values;
  double us = 0;
  // A pruned configuration: it takes `us` or longer. Leaving those out would hide what makes
  // configurations slow, and the bound is the shortest run seen, so it stands in for the time.
  bool at_least = false;
  RowId trial = 0;
};

// Returns the entries in order, or sorted by time if the board is ordered by something else, with
// the times as shown; then the pruned configurations with their bounds. Noisy and failed
// configurations are left out, and so are times that are not finite or not > 0.
[[nodiscard]] std::vector<ConfigurationTime> configuration_times(const Leaderboard& board);

// A time that stands for several configurations; `at_least` when a bound may hide a longer one.
struct KnownTime {
  double us = 0;
  bool at_least = false;
};
// The shortest and the median time (the mean of the middle two if their number is even) of at least
// one, in any order.
[[nodiscard]] KnownTime shortest(const std::vector<KnownTime>& times);
[[nodiscard]] KnownTime median_time(std::vector<KnownTime> times);

// Numbers by value, then texts alphabetically: the order of a parameter's values on axes and in
// tables.
[[nodiscard]] bool value_before(const Value& a, const Value& b);

}  // namespace warpwright
