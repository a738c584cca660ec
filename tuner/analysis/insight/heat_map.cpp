#include "analysis/insight/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/words.h"

namespace warpwright {
namespace {

// A configuration of the variant, timed or not.
struct Member {
  ParameterValues values;
  std::optional<KnownTime> time;
  bool failed = false;
};

std::vector<Member> members_of(const Leaderboard& board, const std::string& variant) {
  std::vector<Member> members;
  for (ConfigurationTime& time : configuration_times(board)) {
    if (time.variant == variant)
      members.push_back({std::move(time.values), KnownTime{time.us, time.at_least}});
  }
  for (const Database::TrialRow& row : board.untimed) {
    const TrialRecord& trial = row.trial;
    if (trial.variant != variant || trial.status == Status::kPruned) continue;
    members.push_back({*trial.parameters, std::nullopt, !ran_right(trial.status)});
  }
  return members;
}

std::vector<Value> values_of(const std::vector<Member>& members, const std::string& name) {
  std::vector<Value> values;
  for (const Member& member : members) {
    if (const auto it = member.values.find(name); it != member.values.end())
      values.push_back(it->second);
  }
  std::sort(values.begin(), values.end(), value_before);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

void require_variant(const Leaderboard& board, const std::string& variant) {
  std::set<std::string> known;
  for (const LeaderboardEntry& entry : board.entries) known.insert(entry.row.trial.variant);
  for (const Database::TrialRow& row : board.untimed) known.insert(row.trial.variant);
  if (known.contains(variant)) return;
  const std::vector<std::string> names(known.begin(), known.end());
  throw user_error(fmt::format("{}: no results of variant '{}'{}", board.kernel, variant,
                               suggestion(variant, names)));
}

void require_parameter(const std::vector<Member>& members, const std::string& variant,
                       const std::string& name) {
  std::set<std::string> known;
  for (const Member& member : members)
    for (const auto& [parameter, value] : member.values) known.insert(parameter);
  if (known.contains(name)) return;
  const std::vector<std::string> names(known.begin(), known.end());
  throw user_error(
      fmt::format("variant '{}' has no parameter '{}'{}", variant, name, suggestion(name, names)));
}

std::size_t place_of(const std::vector<Value>& values, const Value& value) {
  return static_cast<std::size_t>(
      std::lower_bound(values.begin(), values.end(), value, value_before) - values.begin());
}

}  // namespace

HeatMap make_heat_map(const Leaderboard& board, const std::string& variant, const std::string& x,
                      const std::string& y) {
  require_variant(board, variant);
  const std::vector<Member> members = members_of(board, variant);
  require_parameter(members, variant, x);
  require_parameter(members, variant, y);
  if (x == y)
    throw user_error(fmt::format("a heat map needs two different parameters, got '{}' twice", x));
  HeatMap map{variant, x, y, board.modelled, values_of(members, x), values_of(members, y), {}};
  map.cells.resize(map.x_values.size() * map.y_values.size());
  std::vector<std::vector<KnownTime>> times(map.cells.size());
  for (const Member& member : members) {
    if (!member.values.contains(x) || !member.values.contains(y)) continue;
    const std::size_t at = place_of(map.y_values, member.values.at(y)) * map.x_values.size() +
                           place_of(map.x_values, member.values.at(x));
    HeatMapCell& cell = map.cells[at];
    cell.failed += member.failed;
    if (!member.time) continue;
    times[at].push_back(*member.time);
    ++cell.configurations;
    cell.pruned += member.time->at_least;
  }
  for (std::size_t at = 0; at < times.size(); ++at) {
    if (times[at].empty()) continue;
    map.cells[at].best = shortest(times[at]);
    map.cells[at].median = median_time(times[at]);
  }
  return map;
}

}  // namespace warpwright
