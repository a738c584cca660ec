// Lists the missing parts of sweeps that were split into shards, a line each.
#pragma once

#include <string>
#include <vector>

#include "analysis/insight/shards_here.h"

namespace warpwright {

// Returns "" if nothing is missing.
[[nodiscard]] std::string shards_text(const std::vector<ShardsHere>& shards);

}  // namespace warpwright
