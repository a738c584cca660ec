// Objections to configurations that nevertheless work: those of the emulator's checkers
// (spec/hazard_policy.h), and the compiler's warnings.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

// Empty if there are no objections, or if the stored ones cannot be read.
[[nodiscard]] const std::vector<TrialFinding>& objections_to(const LeaderboardEntry& entry);

struct Objections {
  std::size_t configurations = 0;
  std::map<std::string, std::size_t> kinds;  // and how many of the configurations show it
};
// A configuration that is an entry of several boards counts once.
[[nodiscard]] Objections count_objections(std::span<const Leaderboard> boards);
// "exit before barrier (3), shared race (1)".
[[nodiscard]] std::string kinds_text(const Objections& objections);

struct CompilerWarning {
  std::string text;                // "a.cu:12: warning: variable ..."
  std::size_t configurations = 0;  // with this warning, on all boards
};

// Lists each warning once, the most frequent first.
[[nodiscard]] std::vector<CompilerWarning> compiler_warnings(
    const std::vector<Leaderboard>& boards);

}  // namespace warpwright
