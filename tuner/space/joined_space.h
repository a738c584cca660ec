// The space that joins the groups of several variants: indices run through one group after another.
// Internal to space.
#pragma once

#include <memory>
#include <vector>

#include "space/search_space.h"
#include "space/space_group.h"

namespace warpwright {

// Throws Error (user) if the groups together have more than 2^64 configurations.
[[nodiscard]] std::unique_ptr<SearchSpace> join_groups(
    std::vector<std::unique_ptr<SpaceGroup>> groups);

}  // namespace warpwright
