// What a board knows of the time of each configuration: the common ground of importance, landscape
// and heat map. Times are in microseconds, finite and > 0.
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

// The entries in order, or by time where something else orders the board, with the times as shown;
// then the pruned configurations with their bounds. Noisy and failed configurations are left out,
// and so are times that are not finite or not > 0.
[[nodiscard]] std::vector<ConfigurationTime> configuration_times(const Leaderboard& board);

// A time that stands for several configurations; `at_least` when a bound may hide a longer one.
struct KnownTime {
  double us = 0;
  bool at_least = false;
};
// Their shortest and their median (the mean of the middle two when their number is even), in any
// order; at least one.
[[nodiscard]] KnownTime shortest(const std::vector<KnownTime>& times);
[[nodiscard]] KnownTime median_time(std::vector<KnownTime> times);

// Numbers by value, then texts alphabetically: how axes and tables order the values of a parameter.
[[nodiscard]] bool value_before(const Value& a, const Value& b);

}  // namespace warpwright
