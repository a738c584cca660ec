// Computes best and median times over the values of two parameters, for a table or a picture. A
// cell holds every configuration of the variant that has both values, whatever its other parameters
// are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/board/configuration_times.h"

namespace warpwright {

struct HeatMapCell {
  std::size_t configurations = 0;  // with a time or a bound
  std::size_t pruned = 0;          // of those
  std::size_t failed = 0;
  std::optional<KnownTime> best, median;  // µs; none without configurations
};

struct HeatMap {
  std::string variant, x, y;  // parameters' names
  bool modelled = false;
  std::vector<Value> x_values, y_values;  // in the order of value_before()
  std::vector<HeatMapCell> cells;         // row after row: y_values.size() x x_values.size()
  [[nodiscard]] const HeatMapCell& cell(std::size_t x_index, std::size_t y_index) const {
    return cells[y_index * x_values.size() + x_index];
  }
};

// Values that only failed or noisy configurations have also appear on the axes. Throws Error (user)
// for a variant or a parameter that the board does not have, with a suggestion, and for x equal to
// y.
[[nodiscard]] HeatMap make_heat_map(const Leaderboard& board, const std::string& variant,
                                    const std::string& x, const std::string& y);

}  // namespace warpwright
