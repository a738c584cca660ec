// Part i of n of the proposals of a strategy, for processes that share a sweep and cannot
// communicate: each process tries its own part, and the parts are disjoint and make up the whole.
// The part of a proposal depends only on its position in the strategy's order, so the strategy must
// propose the same configurations whatever answers it receives. Each part gets one of every n
// consecutive proposals, which tend to be similar; the assignment is drawn anew for the next n, so
// that no part gets all configurations with one value of a parameter. Sizes differ by at most one.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "search/strategy.h"

namespace warpwright {

struct Shard {
  std::uint64_t index = 1;  // from 1 to count
  std::uint64_t count = 1;

  [[nodiscard]] bool holds(std::uint64_t position) const;
  // The number of positions below `total` that belong to this shard.
  [[nodiscard]] std::uint64_t share(std::uint64_t total) const;
};

// Parses a text such as "2/8". Throws Error (user).
[[nodiscard]] Shard parse_shard(std::string_view text);

// Returns true if the strategy's proposals do not depend on the answers.
[[nodiscard]] bool can_be_sharded(std::string_view strategy);

// Proposes those of the first `total` proposals of `whole` that belong to the shard.
[[nodiscard]] std::unique_ptr<Strategy> make_shard(std::unique_ptr<Strategy> whole,
                                                   const Shard& shard, std::uint64_t total);

}  // namespace warpwright
