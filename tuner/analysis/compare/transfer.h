// Computes how one contender's best configuration performs on another: time of the other's own best
// / time of this configuration there. Both times are of one device, so the fraction is valid
// whatever their kind.
#pragma once

#include <map>
#include <optional>
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

}  // namespace warpwright
