// The answers that a learning strategy has received so far. Internal to search.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpwright {

struct Knowledge {
  struct Seen {
    std::uint64_t index = 0;
    double cost = 0;
  };
  std::vector<Seen> seen;  // best first
  std::vector<std::uint64_t> failed;
  std::uint64_t since_better = 0;  // answers since the best
  // Proposed configurations without an answer, with their predicted responses.
  std::unordered_map<std::uint64_t, double> pending;

  [[nodiscard]] std::size_t answers() const { return seen.size() + failed.size(); }
};

}  // namespace warpwright
