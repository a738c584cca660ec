// Finds sweeps that were split into shards, as far as a database holds them: which parts are
// missing, and how many of the configurations are present. Shards run on several GPUs, so boards of
// GPUs with the same name are counted together.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/database.h"

namespace warpwright {

struct ShardsHere {
  std::string kernel, problem_text, device_name;
  std::uint64_t count = 0;        // of shards
  std::set<std::uint64_t> begun;  // from 1 to count
  std::uint64_t asked = 0;        // configurations of all shards together
  std::uint64_t known = 0;        // of the newest version of each variant, shards or not

  [[nodiscard]] bool complete() const { return known >= asked; }
};

// Sorted by kernel, problem and device. Unreadable records are left out.
[[nodiscard]] std::vector<ShardsHere> shards_here(
    const Database& database, const std::optional<std::string>& kernel = std::nullopt);

}  // namespace warpwright
