#include "analysis/insight/idle_parameters.h"

#include <map>
#include <set>
#include <utility>

namespace warpwright {
namespace {

// Configurations that differ only in the parameter: those that were tried, and the number of
// distinct programs.
struct Siblings {
  std::size_t tried = 0;
  std::set<RowId> programs;
};

std::string without(const ParameterValues& values, const std::string& parameter,
                    const std::string& variant) {
  std::string text = variant;
  for (const auto& [name, value] : values)
    if (name != parameter) text += '\n' + name + '=' + value.to_string();
  return text;
}

}  // namespace

std::vector<IdleParameter> idle_parameters(const Leaderboard& board) {
  std::map<std::string, std::map<std::string, Siblings>> by_parameter;
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    for (const auto& [name, value] : *trial.parameters) {
      Siblings& siblings = by_parameter[name][without(*trial.parameters, name, trial.variant)];
      ++siblings.tried;
      siblings.programs.insert(trial.same_as.value_or(trial.id));
    }
  }
  std::vector<IdleParameter> idle;
  for (const auto& [name, families] : by_parameter) {
    IdleParameter one{name, 0};
    bool differs = false;
    for (const auto& [others, siblings] : families) {
      if (siblings.tried < 2) continue;
      one.configurations += siblings.tried;
      differs = differs || siblings.programs.size() > 1;
    }
    if (!differs && one.configurations > 0) idle.push_back(std::move(one));
  }
  return idle;
}

}  // namespace warpwright
