// Covers the elements 0..n-1 with as few of the given sets as possible: greedily, then by an exact
// search that stops after a number of steps, so that the answer comes in bounded time and says
// whether it is proved. Source of the greedy rule and its ln(n) bound: V. Chvatal, "A greedy
// heuristic for the set-covering problem" (1979).
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright {

struct SetCover {
  std::vector<std::size_t> chosen;  // indices of sets, ascending
  std::size_t at_least = 0;         // a proved lower bound; equal to the size if that is minimal
};

// Leaves elements that no set holds uncovered. Takes the first of equal sets.
[[nodiscard]] SetCover cover(std::size_t elements,
                             const std::vector<std::vector<std::size_t>>& sets,
                             std::size_t search_steps = 200'000);

// The greedy choice only, for comparison: always the set that covers most of the remaining
// elements, the first one if several do.
[[nodiscard]] std::vector<std::size_t> greedy_cover(
    std::size_t elements, const std::vector<std::vector<std::size_t>>& sets);

}  // namespace warpwright
