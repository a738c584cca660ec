#include "model/tuned_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "analysis/board/impossible.h"

namespace warpwright {
namespace {

bool is_cold_and_measured(const Leaderboard& board) {
  return !board.modelled && !board.entries.empty() && board.protocol.starts_with("cold");
}

// Returns true if both have the same names, and equal values for all names that are not in `free`.
bool equal_but_for(const Problem& tuned, const Problem& wanted, const std::set<std::string>& free) {
  return std::equal(tuned.begin(), tuned.end(), wanted.begin(), wanted.end(),
                    [&](const auto& a, const auto& b) {
                      return a.first == b.first && (a.second == b.second || free.contains(a.first));
                    });
}

// "capacity=512": the tuned problem's values that differ from the wanted ones.
std::string differences(const Problem& tuned, const Problem& wanted) {
  std::string text;
  for (const auto& [name, value] : tuned) {
    if (value == wanted.at(name)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value.to_string());
  }
  return text;
}

}  // namespace

TunedTimes::TunedTimes(const Database& database, std::string fingerprint)
    : database_(&database), fingerprint_(std::move(fingerprint)) {}

const std::vector<Leaderboard>& TunedTimes::boards_of(const std::string& kernel) {
  const auto known = boards_.find(kernel);
  if (known != boards_.end()) return known->second;
  Database::TrialFilter filter;
  filter.kernel = kernel;
  filter.device = fingerprint_;
  return boards_[kernel] =
             make_leaderboards(database_->trials(filter), database_->rankings({.kernel = kernel}),
                               {}, read_peaks(*database_));
}

std::optional<TunedTime> TunedTimes::measured(const KernelProblem& wanted,
                                              const std::set<std::string>& free) {
  std::optional<TunedTime> best;
  for (const Leaderboard& board : boards_of(wanted.kernel)) {
    if (!is_cold_and_measured(board) || !equal_but_for(*board.problem, wanted.sizes, free))
      continue;
    const LeaderboardEntry& winner = board.entries.front();
    // Among several protocols, prefer the one used last.
    if (best && best->trial > winner.row.trial.id) continue;
    best = {winner.median_us, winner.ci_low_us, winner.ci_high_us, board.protocol,
            winner.row.trial.id};
    best->others = differences(*board.problem, wanted.sizes);
  }
  return best;
}

std::optional<TunedTime> TunedTimes::interpolated(const KernelProblem& wanted) {
  const std::int64_t size = wanted.sizes.at(wanted.along).as_integer();
  std::set<std::string> free = wanted.idle;
  free.insert(wanted.along);
  std::optional<TunedTime::Neighbour> below, above;
  std::string protocol;
  for (const Leaderboard& board : boards_of(wanted.kernel)) {
    if (!is_cold_and_measured(board) || !equal_but_for(*board.problem, wanted.sizes, free))
      continue;
    const auto found = board.problem->find(wanted.along);
    if (found == board.problem->end() || !found->second.is_integer()) continue;
    const LeaderboardEntry& winner = board.entries.front();
    const TunedTime::Neighbour one{found->second.as_integer(), winner.median_us,
                                   winner.row.trial.id};
    std::optional<TunedTime::Neighbour>& side = one.size < size ? below : above;
    const bool nearer = !side || std::abs(one.size - size) < std::abs(side->size - size);
    const bool newer = side && one.size == side->size && one.trial > side->trial;
    if (!nearer && !newer) continue;
    side = one;
    protocol = board.protocol;
  }
  if (!below || !above) return std::nullopt;
  const double share =
      static_cast<double>(size - below->size) / static_cast<double>(above->size - below->size);
  TunedTime time;
  time.us = below->us + share * (above->us - below->us);
  time.protocol = protocol;
  time.trial = below->trial;
  time.along = wanted.along;
  time.below = *below;
  time.above = *above;
  return time;
}

std::optional<TunedTime> TunedTimes::find(const KernelProblem& wanted) {
  if (database_ == nullptr || fingerprint_.empty()) return std::nullopt;
  std::optional<TunedTime> found = measured(wanted, {});
  if (!found && !wanted.idle.empty()) found = measured(wanted, wanted.idle);
  if (!found && !wanted.along.empty()) found = interpolated(wanted);
  return found;
}

}  // namespace warpwright
