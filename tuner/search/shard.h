// Part i of n of what a strategy asks, for processes that share a sweep and cannot talk: each asks
// its part, and the parts are disjoint and make up the whole. Which part a question is in depends
// on its position in the strategy's order alone, so the strategy must ask the same whatever it is
// told. Of n neighbours in that order, which are alike, every part has one; which one is drawn anew
// for the next n, so that no part has all of a parameter's values. Sizes differ by one at most.
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
  // How many of the positions below `total` it holds.
  [[nodiscard]] std::uint64_t share(std::uint64_t total) const;
};

// "2/8". Throws Error (user).
[[nodiscard]] Shard parse_shard(std::string_view text);

// Whether the strategy asks the same, whatever it is told.
[[nodiscard]] bool can_be_sharded(std::string_view strategy);

// Asks what `whole` asks, of its first `total` questions those that are the shard's.
[[nodiscard]] std::unique_ptr<Strategy> make_shard(std::unique_ptr<Strategy> whole,
                                                   const Shard& shard, std::uint64_t total);

}  // namespace warpwright
