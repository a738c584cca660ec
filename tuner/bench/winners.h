// The best configuration that a database has of a kernel on each problem, for one device.
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
  double median_us = 0;  // as its board shows it
  std::string protocol;
  bool modelled = false;
};

// One per problem; those of other devices count nowhere.
[[nodiscard]] std::vector<Winner> find_winners(const std::vector<Leaderboard>& boards,
                                               const DeviceInfo& device);
[[nodiscard]] std::vector<Winner> find_winners(const Database& database, const std::string& kernel,
                                               const DeviceInfo& device);

}  // namespace warpwright
