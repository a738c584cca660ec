// The best configuration of a kernel on each problem in a database, for one device.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "store/database.h"

namespace warpwright {

struct Winner {
  RowId trial = 0;
  bool ranked = false;
  Stored<Problem> problem;
  std::string contract_hash;
  Configuration configuration;
  double median_us = 0;  // as shown on its board
  std::string protocol;
  bool modelled = false;
};

// Returns one winner per problem; results of other devices are ignored.
[[nodiscard]] std::vector<Winner> find_winners(const std::vector<Leaderboard>& boards,
                                               const DeviceInfo& device);
[[nodiscard]] std::vector<Winner> find_winners(const Database& database, const std::string& kernel,
                                               const DeviceInfo& device);

}  // namespace warpwright
