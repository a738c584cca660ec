#include "analysis/board/configuration_times.h"

#include <algorithm>

#include "records/times.h"

namespace warpwright {
namespace {

ConfigurationTime make_time(const TrialRecord& trial, double us, bool at_least) {
  return {trial.variant, *trial.parameters, us, at_least, trial.id};
}

}  // namespace

std::vector<ConfigurationTime> configuration_times(const Leaderboard& board) {
  std::vector<ConfigurationTime> times;
  for (const LeaderboardEntry& entry : board.entries) {
    if (is_time(entry.median_us))
      times.push_back(make_time(entry.row.trial, entry.median_us, false));
  }
  if (board.goal && !board.goal->spec.by_time())
    std::stable_sort(times.begin(), times.end(),
                     [](const auto& a, const auto& b) { return a.us < b.us; });
  for (const Database::TrialRow& row : board.untimed) {
    const std::optional<double>& bound = row.trial.at_least_us;
    if (row.trial.status == Status::kPruned && bound && is_time(*bound))
      times.push_back(make_time(row.trial, *bound, true));
  }
  return times;
}

// A bound below a time may hide a longer time, but the shortest is still at least the smallest of
// all bounds and times.
KnownTime shortest(const std::vector<KnownTime>& times) {
  return *std::min_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
    return a.us != b.us ? a.us < b.us : a.at_least < b.at_least;
  });
}

KnownTime median_time(std::vector<KnownTime> times) {
  std::sort(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.us < b.us; });
  const std::size_t upper = times.size() / 2;
  const std::size_t lower = (times.size() - 1) / 2;
  // A bound above the middle does not change the median, whatever time it hides.
  const bool at_least = std::any_of(times.begin(), times.end(), [&](const KnownTime& time) {
    return time.at_least && time.us <= times[upper].us;
  });
  return {(times[lower].us + times[upper].us) / 2, at_least};
}

bool value_before(const Value& a, const Value& b) {
  if (a.is_number() != b.is_number()) return a.is_number();
  if (a.is_string()) return a.as_string() < b.as_string();
  if (a.as_real() != b.as_real()) return a.as_real() < b.as_real();
  return a < b;  // 1, 1.0 and true are three different values
}

}  // namespace warpwright
