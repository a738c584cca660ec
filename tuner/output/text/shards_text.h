// What is missing of sweeps that were split into shards, a line each.
#pragma once

#include <string>
#include <vector>

#include "analysis/insight/shards_here.h"

namespace warpwright {

// "" where nothing is missing.
[[nodiscard]] std::string shards_text(const std::vector<ShardsHere>& shards);

}  // namespace warpwright
