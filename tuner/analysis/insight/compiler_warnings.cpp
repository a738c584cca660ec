#include "analysis/insight/compiler_warnings.h"

#include <algorithm>
#include <map>

namespace warpwright {

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
