// Finds the fewest configurations of a kernel such that every problem of every contender has one
// among them that takes at most (1 + within) times the best known there. This is a set cover
// (analysis/compare/set_cover.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

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
