#include "analysis/compare/transfer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace warpwright {
namespace {

bool usable_time(double time_us) { return std::isfinite(time_us) && time_us > 0; }

// A configuration that was only screened may have a slightly shorter time than the winner of the
// final ranking; that does not make it better than the best.
double fraction_of_best(double best_us, double time_us) { return std::min(1.0, best_us / time_us); }

Reached reached_untimed(const TrialRecord& trial, std::optional<double> best_us) {
  Reached reached;
  reached.status = trial.status;
  switch (trial.status) {
    case Status::kPruned:
      reached.how = Reached::How::kPruned;
      reached.time_us = trial.at_least_us;
      if (best_us && trial.at_least_us && usable_time(*trial.at_least_us))
        reached.fraction = fraction_of_best(*best_us, *trial.at_least_us);
      break;
    case Status::kNoisy:
    case Status::kNotCompiled:
    case Status::kOk:
      reached.how = Reached::How::kUntimed;
      break;
    default:
      reached.how = Reached::How::kFailed;
      break;
  }
  return reached;
}

// Sorts timed before bounded, and bounded before the rest; then the larger fraction first.
std::pair<int, double> preference(const Reached& reached) {
  switch (reached.how) {
    case Reached::How::kTimed:
      return {4, reached.fraction.value_or(0)};
    case Reached::How::kPruned:
      return {3, reached.fraction.value_or(0)};
    case Reached::How::kUntimed:
      return {2, 0};
    case Reached::How::kFailed:
      return {1, 0};
    case Reached::How::kNotTried:
      return {0, 0};
  }
  return {0, 0};
}

// Lists the winner first.
std::vector<std::string> tie_set(const Leaderboard& board) {
  std::vector<std::string> ties;
  for (const LeaderboardEntry& entry : board.entries)
    if (entry.tied_with_best) ties.push_back(entry.row.trial.configuration_text);
  return ties;
}

TransferCell transfer(const std::vector<std::string>& ties,
                      const std::map<std::string, Reached>& there) {
  TransferCell cell;
  cell.of_ties = ties.size();
  for (const std::string& configuration : ties) {
    const auto it = there.find(configuration);
    const Reached reached = it == there.end() ? Reached{} : it->second;
    if (cell.configuration.empty() || preference(reached) > preference(cell.reached)) {
      cell.reached = reached;
      cell.configuration = configuration;
    }
  }
  return cell;
}

}  // namespace

std::map<std::string, Reached> reached_on(const Leaderboard& board) {
  std::optional<double> best_us;
  if (!board.entries.empty() && usable_time(board.entries.front().median_us))
    best_us = board.entries.front().median_us;
  // If something other than the time ranks the board, the first is not the fastest.
  if (best_us && board.goal && !board.goal->spec.by_time()) {
    for (const LeaderboardEntry& entry : board.entries)
      if (usable_time(entry.median_us)) best_us = std::min(*best_us, entry.median_us);
  }
  std::map<std::string, Reached> all;
  for (const Database::TrialRow& row : board.untimed)
    all.insert_or_assign(row.trial.configuration_text, reached_untimed(row.trial, best_us));
  for (const LeaderboardEntry& entry : board.entries) {
    Reached reached;
    reached.how = Reached::How::kUntimed;
    if (best_us && usable_time(entry.median_us)) {
      reached.how = Reached::How::kTimed;
      reached.time_us = entry.median_us;
      reached.fraction = fraction_of_best(*best_us, entry.median_us);
    }
    all.insert_or_assign(entry.row.trial.configuration_text, reached);
  }
  return all;
}

std::vector<std::vector<TransferCell>> transfer_matrix(
    const std::vector<const Leaderboard*>& boards) {
  std::vector<std::map<std::string, Reached>> there;
  for (const Leaderboard* board : boards)
    there.push_back(board == nullptr ? std::map<std::string, Reached>() : reached_on(*board));
  std::vector<std::vector<TransferCell>> matrix(boards.size());
  for (std::size_t of = 0; of < boards.size(); ++of) {
    const std::vector<std::string> ties =
        boards[of] == nullptr ? std::vector<std::string>() : tie_set(*boards[of]);
    for (std::size_t on = 0; on < boards.size(); ++on)
      matrix[of].push_back(transfer(ties, there[on]));
  }
  return matrix;
}

namespace {

using ReachedByConfiguration = std::map<std::string, Reached>;

// Returns nullopt if a platform did not try it, or has neither a time, a bound nor a failure for
// it.
std::optional<PortableConfiguration> judge(const std::string& configuration,
                                           const std::vector<ReachedByConfiguration>& platforms) {
  PortableConfiguration judged;
  judged.configuration = configuration;
  for (const ReachedByConfiguration& platform : platforms) {
    const auto it = platform.find(configuration);
    if (it == platform.end()) return std::nullopt;
    const Reached& reached = it->second;
    if (reached.how == Reached::How::kFailed) {
      judged.efficiencies.emplace_back();
      continue;
    }
    if (!reached.fraction) return std::nullopt;
    judged.at_most |= reached.how == Reached::How::kPruned;
    judged.efficiencies.push_back(reached.fraction);
  }
  judged.value = performance_portability(judged.efficiencies);
  judged.at_most &= judged.value > 0;  // a failure is 0 whatever the bounds
  return judged;
}

}  // namespace

double performance_portability(std::span<const std::optional<double>> efficiencies) {
  double sum = 0;
  for (const std::optional<double>& efficiency : efficiencies) {
    if (!efficiency || *efficiency <= 0) return 0;
    sum += 1 / *efficiency;
  }
  return sum > 0 ? static_cast<double>(efficiencies.size()) / sum : 0;
}

const PortableConfiguration* Portability::best() const {
  for (const PortableConfiguration& configuration : configurations)
    if (!configuration.at_most) return configuration.value > 0 ? &configuration : nullptr;
  return nullptr;
}

std::size_t Portability::open() const {
  const PortableConfiguration* known = best();
  return static_cast<std::size_t>(
      std::count_if(configurations.begin(), configurations.end(), [&](const auto& other) {
        return other.at_most && (known == nullptr || other.value > known->value);
      }));
}

Portability portability(const std::vector<const Leaderboard*>& boards) {
  Portability result;
  std::vector<ReachedByConfiguration> platforms;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (boards[i] == nullptr) continue;
    result.platforms.push_back(i);
    platforms.push_back(reached_on(*boards[i]));
  }
  if (platforms.empty()) return result;
  for (const auto& [configuration, reached] : platforms.front()) {
    if (auto judged = judge(configuration, platforms)) {
      result.failing += judged->value == 0;
      result.configurations.push_back(std::move(*judged));
    }
  }
  const auto order = [](const PortableConfiguration& of) {
    return std::tuple(of.at_most, -of.value, std::string_view(of.configuration));
  };
  std::sort(result.configurations.begin(), result.configurations.end(),
            [&](const auto& a, const auto& b) { return order(a) < order(b); });
  return result;
}

}  // namespace warpwright
