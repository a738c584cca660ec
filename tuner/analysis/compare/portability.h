// Performance portability: the harmonic mean over platforms of the efficiency, and 0 where one of
// them is not supported. Source: S. J. Pennycook, J. D. Sewall, V. W. Lee, "A metric for
// performance portability" (2016) and "Implications of a metric for performance portability", FGCS
// 92 (2019). Application efficiency is the best known time there / the configuration's time there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// Efficiencies lie in (0, 1]; nullopt marks a platform on which the configuration fails. The result
// is 0 for no platforms.
[[nodiscard]] double performance_portability(std::span<const std::optional<double>> efficiencies);

struct PortableConfiguration {
  std::string configuration;
  double value = 0;
  bool at_most = false;  // it was pruned somewhere: `value` uses the bound there
  // In the order of Portability::platforms; nullopt if it fails there.
  std::vector<std::optional<double>> efficiencies;
};

// Covers the contenders that tried the problem. A configuration is left out if one of them did not
// try it or has no verdict on it (noisy).
struct Portability {
  std::vector<std::size_t> platforms;  // indices of the boards that are not null
  // Best first, values before bounds; equal ones by configuration.
  std::vector<PortableConfiguration> configurations;
  std::size_t failing = 0;  // configurations whose value is 0

  // The configuration with the highest value; null if none is above 0.
  [[nodiscard]] const PortableConfiguration* best() const;
  // The number of configurations whose bound is above the best value: they may be better.
  [[nodiscard]] std::size_t open() const;
};
[[nodiscard]] Portability portability(const std::vector<const Leaderboard*>& boards);

}  // namespace warpwright
