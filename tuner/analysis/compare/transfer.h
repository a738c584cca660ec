// Computes how configurations of one contender perform on others: what a contender's best reaches
// there (time of the other's own best / time of this configuration there), and the portability of
// every configuration over all of them. Both times of a fraction are of one device, so it is valid
// whatever their kind.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// The outcome of a configuration on one board.
struct Reached {
  enum class How {
    kNotTried,
    kTimed,    // `fraction` of the best
    kPruned,   // stopped early: at most `fraction`, when a bound is known
    kFailed,   // with `status`
    kUntimed,  // correct, but without a time: noisy, or a device that cannot time
  };
  How how = How::kNotTried;
  Status status = Status::kOk;
  std::optional<double> fraction;  // of the board's best, in (0, 1]
  std::optional<double> time_us;   // of kTimed; of kPruned at least this
};

// Every configuration of a board, by its text.
[[nodiscard]] std::map<std::string, Reached> reached_on(const Leaderboard& board);

struct TransferCell {
  Reached reached;
  // If several configurations tie with the winner where they come from, the one that does best here
  // represents them; it may be another one in every cell.
  std::string configuration;
  std::size_t of_ties = 0;  // how many tied configurations it was chosen from; 1 without ties
};

// [of][on] for boards of one kernel and problem; a null board has no results, and its cells are
// kNotTried.
[[nodiscard]] std::vector<std::vector<TransferCell>> transfer_matrix(
    const std::vector<const Leaderboard*>& boards);

// Performance portability: the harmonic mean over platforms of the efficiency, and 0 where one of
// them is not supported. Source: S. J. Pennycook, J. D. Sewall, V. W. Lee, "A metric for
// performance portability" (2016) and "Implications of a metric for performance portability", FGCS
// 92 (2019). Application efficiency is the best known time there / the configuration's time there.

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
