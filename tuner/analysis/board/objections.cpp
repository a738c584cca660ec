#include "analysis/board/objections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace warpwright {

const std::vector<TrialFinding>& objections_to(const LeaderboardEntry& entry) {
  static const std::vector<TrialFinding> kNone;
  const TrialMeasurement* seen = entry.row.trial.measurement.readable();
  return seen == nullptr ? kNone : seen->hazards;
}

Objections count_objections(std::span<const Leaderboard> boards) {
  std::set<std::string> configurations;
  std::map<std::string, std::set<std::string>> by_kind;
  for (const Leaderboard& board : boards) {
    for (const LeaderboardEntry& entry : board.entries) {
      const std::string name = board.kernel + ' ' + entry.row.trial.configuration_text;
      for (const TrialFinding& hazard : objections_to(entry)) {
        configurations.insert(name);
        by_kind[hazard.kind].insert(name);
      }
    }
  }
  Objections objections;
  objections.configurations = configurations.size();
  for (const auto& [kind, names] : by_kind) objections.kinds[kind] = names.size();
  return objections;
}

std::string kinds_text(const Objections& objections) {
  std::string text;
  for (const auto& [kind, count] : objections.kinds)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", kind, count);
  return text;
}

std::vector<CompilerWarning> compiler_warnings(const std::vector<Leaderboard>& boards) {
  std::map<std::string, std::size_t> counts;
  for (const Leaderboard& board : boards) {
    for (const LeaderboardEntry& entry : board.entries) {
      for (const std::string& warning : entry.row.trial.measurement->warnings) ++counts[warning];
    }
  }
  std::vector<CompilerWarning> warnings;
  for (const auto& [text, count] : counts) warnings.push_back({text, count});
  std::stable_sort(warnings.begin(), warnings.end(),
                   [](const CompilerWarning& a, const CompilerWarning& b) {
                     return a.configurations > b.configurations;
                   });
  return warnings;
}

}  // namespace warpwright
