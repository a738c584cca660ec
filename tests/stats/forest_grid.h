// Responses over a full grid of levels, for forests whose truth is known.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "stats/regression_forest.h"

namespace warpwright::testing {

using Levels = std::vector<std::uint32_t>;

inline ForestData full_grid(const std::vector<ForestFeature>& features,
                            const std::function<double(const Levels&)>& response) {
  ForestData data{features, {}, {}};
  Levels row(features.size(), 0);
  while (true) {
    data.rows.push_back(row);
    data.responses.push_back(response(row));
    std::size_t digit = 0;
    while (digit < row.size() && ++row[digit] == features[digit].levels) row[digit++] = 0;
    if (digit == row.size()) return data;
  }
}

}  // namespace warpwright::testing
