// Finds the fewest configurations of a kernel such that every problem of every contender has one
// among them that takes at most (1 + within) times the best known there, as a set cover.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// Covers the elements 0..n-1 with as few of the given sets as possible: greedily, then by an exact
// search that stops after a number of steps, so that the answer comes in bounded time and says
// whether it is proved. Source of the greedy rule and its ln(n) bound: V. Chvatal, "A greedy
// heuristic for the set-covering problem" (1979).

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

struct PortfolioMember {
  std::string configuration;
  std::size_t serves = 0;     // places where it is the portfolio's best
  double worst_fraction = 1;  // of the best, over those
};

struct CoveringPortfolio {
  std::string kernel;
  double within = 0;
  std::size_t places = 0;                // (problem, contender) pairs with a time
  std::size_t candidates = 0;            // configurations with a time in one of them
  std::vector<PortfolioMember> members;  // most served first
  std::size_t at_least = 0;              // no portfolio is smaller than this
  [[nodiscard]] bool proved_smallest() const { return members.size() == at_least; }
};

// `boards` belong to one kernel, one per place; those without a time are left out.
[[nodiscard]] CoveringPortfolio smallest_portfolio(const std::vector<const Leaderboard*>& boards,
                                                   double within);

}  // namespace warpwright
